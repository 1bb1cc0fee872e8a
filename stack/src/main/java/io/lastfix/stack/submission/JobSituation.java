package io.lastfix.stack.submission;

import io.lastfix.stack.flink.FlinkRest;
import java.util.List;
import java.util.Optional;

/**
 * How it stands with the job of one name on a cluster.
 *
 * @param state what has to be decided on
 * @param id of the job that is meant; empty if the cluster knows none
 */
public record JobSituation(State state, String id) {
  /** The cases that differ in what a supervisor does. */
  public enum State {
    /** It runs, or the cluster is about to run it. */
    RUNS,
    /** The cluster knows no such job: its JobManager was started anew. */
    UNKNOWN,
    /** The cluster has given it up. */
    FAILED,
    /** A person cancelled it; it may still be about to end. */
    CANCELED,
    /** A person stopped it with a savepoint: nothing else ends a job that reads for ever. */
    STOPPED
  }

  /**
   * Of the jobs of that name, one that has not ended and is not about to counts, else the latest.
   *
   * @param latestFirst as {@link FlinkRest#jobs()} gives them
   */
  public static JobSituation of(List<FlinkRest.Job> latestFirst, String name) {
    List<FlinkRest.Job> ours = latestFirst.stream().filter(job -> job.name().equals(name)).toList();
    Optional<FlinkRest.Job> counts =
        ours.stream()
            .filter(job -> state(job) == State.RUNS)
            .findFirst()
            .or(() -> ours.stream().findFirst());
    return counts
        .map(job -> new JobSituation(state(job), job.id()))
        .orElseGet(() -> new JobSituation(State.UNKNOWN, ""));
  }

  private static State state(FlinkRest.Job job) {
    return switch (job.state()) {
      case "FAILED" -> State.FAILED;
      case "CANCELLING", "CANCELED" -> State.CANCELED;
      case "FINISHED" -> State.STOPPED;
      default -> State.RUNS;
    };
  }
}
