package io.lastfix.cli.resume;

import io.lastfix.cli.flink.FlinkRest;
import io.lastfix.cli.flink.StopWithSavepoint;
import io.lastfix.cli.stack.LockFile;
import io.lastfix.cli.stack.ServerCheck;
import io.lastfix.cli.stack.StackHome;
import io.lastfix.cli.stack.StackState;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Stops the local stack's jobs with savepoints before their servers end, and remembers these. A job
 * that is cut off instead goes on from its last checkpoint, and has some seconds of work to do
 * again.
 */
public final class TakeDown {
  private final StackHome home;
  private final SubmittedJobs submitted;
  private final Consumer<String> progress;

  /**
   * @param progress takes one line for the user at each step
   */
  public TakeDown(StackHome home, Consumer<String> progress) {
    this.home = home;
    this.submitted = new SubmittedJobs(home);
    this.progress = progress;
  }

  /**
   * Stops those that run. Where that fails, it says so, and leaves the job as it is.
   *
   * @param limit for each job
   */
  public void stopJobs(Duration limit) throws IOException, InterruptedException {
    String address =
        StackState.read(home).orElse(StackState.empty()).endpoints().getOrDefault("flink", "");
    if (address.isEmpty() || !ServerCheck.flink(address).answers()) {
      return;
    }
    FlinkRest flink = new FlinkRest(address);
    for (SubmittedJob job : submitted.all()) {
      if (job.submission().cluster().equals(Submission.LOCAL_STACK)) {
        LockFile.Held held = submitted.lock(job.name()).acquire(limit);
        try {
          stop(flink, job.name(), limit);
        } finally {
          held.close();
        }
      }
    }
  }

  private void stop(FlinkRest flink, String name, Duration limit)
      throws IOException, InterruptedException {
    // Read under the lock: it may have been submitted again meanwhile.
    SubmittedJob known = submitted.find(name).orElseThrow();
    Optional<String> running =
        flink.jobs().stream()
            .filter(job -> job.name().equals(name) && !job.isOver())
            .map(FlinkRest.Job::id)
            .findFirst();
    if (running.isEmpty()) {
      return;
    }
    String id = running.get();
    SubmittedJob job = id.equals(known.id()) ? known : known.runningAs(id);
    progress.accept("stopping job '%s' with a savepoint".formatted(name));
    try {
      String savepoint = new StopWithSavepoint(flink).stop(id, null, limit);
      submitted.remember(job.withLatest(savepoint).ended(SubmittedJob.End.TAKEN_DOWN));
    } catch (IOException e) {
      progress.accept(
          "job '%s' is cut off: %s. It can go on from its last checkpoint: ./lastfix submit location --resume"
              .formatted(name, e.getMessage()));
    }
  }
}
