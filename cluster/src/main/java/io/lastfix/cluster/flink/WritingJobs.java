package io.lastfix.cluster.flink;

import io.lastfix.kit.poll.Poll;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running jobs of a name, and the wait until they can store no more records of an erased user:
 *
 * <ol>
 *   <li>Each subtask of the sinks follows a list with the user in it, as its gauge shows. A subtask
 *       that starts later reads that list, or a newer one, before it stores anything.
 *   <li>A checkpoint requested after that has completed. At a checkpoint, the sinks have stored all
 *       records that they accepted before it. The checkpoint is identified by its request: Flink's
 *       statistics of checkpoints are copies, and may show the end of an earlier one.
 * </ol>
 *
 * @param flink the cluster
 * @param name of the jobs
 * @param sinks whose writers follow the list, by their names in the job
 * @param versionGauge the gauge of a writer that shows the version of the list in use
 * @param historyJobs the names of the jobs that read History, and what they do
 * @param progress receives the reason for waiting at every poll
 */
public record WritingJobs(
    FlinkRest flink,
    String name,
    List<String> sinks,
    String versionGauge,
    Map<String, String> historyJobs,
    Consumer<String> progress) {
  private static final Logger LOG = LoggerFactory.getLogger(WritingJobs.class);
  static final Duration POLL = Duration.ofMillis(500);

  /**
   * Checks that there is a job to wait for, and that no job over History runs.
   *
   * @throws IOException if not, with the reason
   */
  public void requireReady() throws IOException {
    requireAny();
    requireNoHistoryJob();
  }

  /**
   * Waits until no job stores records of the users on that version of the list.
   *
   * @param limit for all jobs together
   * @return the jobs that were waited for, by id
   * @throws IOException if the limit passes, naming the open steps, or if a job over History runs
   */
  public List<String> await(long version, Duration limit) throws IOException, InterruptedException {
    Poll poll = new Poll(POLL, limit);
    List<String> running = running();
    for (String job : running) {
      await(job, version, poll);
    }
    // A rebuild that began meanwhile has read the list with the user in it.
    requireNoHistoryJob();
    return running;
  }

  /**
   * Checks that no job over History runs: such a job makes no checkpoints, so it is unknown which
   * records it has read.
   *
   * @throws IOException if one does
   */
  void requireNoHistoryJob() throws IOException {
    Optional<FlinkRest.Job> running =
        flink.jobs().stream()
            .filter(job -> historyJobs.containsKey(job.name()) && !job.isOver())
            .findFirst();
    if (running.isPresent()) {
      throw new IOException(
          "%s runs (%s), and may have read the user already: run this again when it has ended"
              .formatted(historyJobs.get(running.get().name()), running.get().id()));
    }
  }

  /**
   * Checks that there is a job to wait for. If this configuration differs from the job's, the job
   * would not be found, and would store its remaining records of the user.
   *
   * @throws IOException if there is none, naming the job that was searched for
   */
  void requireAny() throws IOException {
    if (running().isEmpty()) {
      throw new IOException(
          "no job named %s runs on the Flink cluster at %s: name the job's own configuration with --config, or its name with --set job.name=NAME; give --no-job if no job runs"
              .formatted(name, flink.url()));
    }
  }

  /** The jobs of that name that have not ended, by id. */
  List<String> running() throws IOException {
    return flink.unfinished(name).stream().map(FlinkRest.Job::id).toList();
  }

  /**
   * Waits until that job stores no records of the users on that version of the list, or has ended.
   *
   * @param poll pauses for {@link #POLL}, and may be one limit for several jobs
   * @throws IOException if its limit passes, naming the open steps
   */
  void await(String job, long version, Poll poll) throws IOException, InterruptedException {
    for (String sink : sinks) {
      String gauge = FlinkRest.writerScope(sink) + versionGauge;
      while (!isOver(job) && !follows(job, gauge, version)) {
        pause(
            job,
            poll,
            "waiting until job %s (%s) applies the erasure list".formatted(name, job),
            "not every subtask has reported that it applies the erasure list (%s)"
                .formatted(gauge));
      }
    }
    awaitCheckpoint(job, poll);
  }

  private void awaitCheckpoint(String job, Poll poll) throws IOException, InterruptedException {
    Optional<String> request = Optional.empty();
    String problem = "no checkpoint has completed since the job applies the erasure list";
    while (!isOver(job)) {
      if (request.isEmpty()) {
        request = requestCheckpoint(job);
      } else {
        FlinkRest.Checkpoint latest = checkpoint(job, request.get());
        if (latest.id().isPresent()) {
          return;
        }
        if (latest.failure().isPresent()) {
          request = Optional.empty();
          problem =
              "no checkpoint has completed since the job applies the erasure list (the last one: %s)"
                  .formatted(latest.failure().get());
        }
      }
      pause(job, poll, "waiting for a checkpoint of job %s (%s)".formatted(name, job), problem);
    }
  }

  private boolean isOver(String job) throws IOException {
    return flink.job(job).isOver();
  }

  private boolean follows(String job, String gauge, long version) throws IOException {
    return flink.smallestOfAllSubtasks(job, gauge).filter(least -> least >= version).isPresent();
  }

  /** Requests a checkpoint; empty if Flink takes none now. */
  private Optional<String> requestCheckpoint(String job) throws IOException {
    try {
      return Optional.of(flink.triggerCheckpoint(job));
    } catch (FlinkAnswerException e) {
      LOG.debug("Flink takes no checkpoint of job {} now", job, e);
      return Optional.empty();
    }
  }

  /** If Flink no longer knows the request, the checkpoint counts as failed. */
  private FlinkRest.Checkpoint checkpoint(String job, String request) throws IOException {
    try {
      return flink.checkpoint(job, request);
    } catch (FlinkAnswerException e) {
      LOG.debug("Flink does not return the state of checkpoint {}", request, e);
      return new FlinkRest.Checkpoint(
          OptionalLong.empty(),
          e.isRefusal() ? Optional.of("Flink no longer has it") : Optional.empty());
    }
  }

  private void pause(String job, Poll poll, String waitingFor, String problem)
      throws IOException, InterruptedException {
    progress.accept("%s, for up to %d s".formatted(waitingFor, poll.limit().toSeconds()));
    poll.pause(
        () ->
            new IOException(
                "job %s is %s, and within the time limit %s%s"
                    .formatted(
                        job,
                        flink.job(job).state(),
                        problem,
                        flink
                            .causeOf(job)
                            .map(cause -> "; its last failure: " + cause)
                            .orElse(""))));
  }
}
