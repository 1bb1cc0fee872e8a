package io.lastfix.cluster.submission;

import io.lastfix.cluster.LockFile;
import io.lastfix.cluster.Redaction;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.StopWithSavepoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Stops the local stack's jobs with savepoints before their servers end, and records these
 * savepoints. Otherwise a job resumes from its last checkpoint and repeats some seconds of work.
 */
public final class JobShutdown {
  private final StackHome home;
  private final SubmittedJobs submitted;
  private final Consumer<String> progress;

  /**
   * @param progress receives one line for the user at each step
   */
  public JobShutdown(StackHome home, Consumer<String> progress) {
    this.home = home;
    this.submitted = SubmittedJobs.ofLocalStack(home);
    this.progress = progress;
  }

  /**
   * Stops all running jobs. A failure does not keep the servers from being stopped: it is reported,
   * and the next job follows.
   *
   * @param limit for each job
   */
  public void stopJobs(Duration limit) throws InterruptedException {
    List<String> names;
    try {
      names = submitted.names();
    } catch (IOException e) {
      progress.accept("no job is stopped with a savepoint: " + e.getMessage());
      return;
    }
    StackState state = StackState.read(home).orElse(StackState.empty());
    String address = state.endpoints().getOrDefault("flink", "");
    if (address.isEmpty() || names.isEmpty()) {
      return;
    }
    if (!answers(address)) {
      reportNoneStopped(state, names);
      return;
    }
    FlinkRest flink = new FlinkRest(address);
    for (String name : names) {
      try {
        if (submitted.find(name).isPresent()) {
          stop(flink, name, limit);
        }
      } catch (IOException | StackException e) {
        progress.accept(
            "job '%s' is not stopped with a savepoint; if it runs, it is killed: %s"
                .formatted(name, reason(e)));
      }
    }
  }

  private static boolean answers(String flink) {
    try {
      var unused = new FlinkRest(flink).version();
      return true;
    } catch (IOException | RuntimeException e) {
      // Also an address that is no URI, of a damaged file: the servers are stopped all the same.
      return false;
    }
  }

  private void reportNoneStopped(StackState state, List<String> names) {
    if (state.processes().stream().anyMatch(process -> process.find().isPresent())) {
      progress.accept(
          "no job is stopped with a savepoint, since Flink does not answer: a running job is"
              + " killed. If it has completed a checkpoint, it resumes from that with "
              + names.stream()
                  .flatMap(name -> resumeCommand(name).stream())
                  .collect(Collectors.joining("; ")));
    }
  }

  private Optional<String> resumeCommand(String name) {
    try {
      return submitted.find(name).map(SubmittedJob::resumeCommand);
    } catch (IOException e) {
      // A damaged file, which the job's next command names.
      return Optional.empty();
    }
  }

  /** The reason in one line, without the text of a job's exception. */
  private static String reason(Exception e) {
    String message = Redaction.redact(String.valueOf(e.getMessage()));
    return message.lines().map(String::strip).collect(Collectors.joining(" "));
  }

  private void stop(FlinkRest flink, String name, Duration limit)
      throws IOException, InterruptedException {
    LockFile.Held held = submitted.lock(name).acquire(limit);
    try (held) {
      // Read under the lock, because the job may have been submitted again meanwhile.
      SubmittedJob known = submitted.find(name).orElseThrow();
      JobSituation situation = JobSituation.of(flink.jobs(), name);
      if (situation.state() == JobSituation.State.RUNS) {
        stopRunning(
            flink,
            situation.id().equals(known.id()) ? known : known.runningAs(situation.id()),
            limit);
      } else {
        // Recorded now, because the cluster will lose the information how the job ended.
        submitted.remember(known.updatedFrom(situation));
      }
    }
  }

  private void stopRunning(FlinkRest flink, SubmittedJob job, Duration limit)
      throws IOException, InterruptedException {
    progress.accept("stopping job '%s' with a savepoint".formatted(job.name()));
    // Recorded before the request: whatever its result, the servers end, and the job with them.
    SubmittedJob takenDown = job.ended(SubmittedJob.End.TAKEN_DOWN);
    submitted.remember(takenDown);
    try {
      String savepoint = new StopWithSavepoint(flink).stop(job.id(), null, limit);
      submitted.remember(takenDown.withLatest(savepoint));
      progress.accept(
          "job '%s' is stopped; its savepoint: %s. It resumes with %s"
              .formatted(job.name(), savepoint, job.resumeCommands()));
    } catch (IOException e) {
      progress.accept(
          "job '%s' is killed: %s. If it has completed a checkpoint, it resumes from that with %s"
              .formatted(job.name(), reason(e), job.resumeCommands()));
    }
  }
}
