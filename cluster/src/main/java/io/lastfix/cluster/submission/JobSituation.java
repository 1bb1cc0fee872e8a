package io.lastfix.cluster.submission;

import io.lastfix.cluster.flink.FlinkRest;
import java.util.List;
import java.util.Optional;

/**
 * The state of a named job on a cluster.
 *
 * @param state the case to decide on
 * @param id of that job; empty if the cluster knows none
 */
public record JobSituation(State state, String id) {
  /** The cases in which a supervisor acts differently. */
  public enum State {
    /** The job runs, or the cluster is about to run it. */
    RUNS,
    /** The cluster knows no such job, because its JobManager was newly started. */
    UNKNOWN,
    /** The job failed permanently. */
    FAILED,
    /** A user cancelled it; it may not have ended yet. */
    CANCELED,
    /** A user stopped it with a savepoint; nothing else ends a job that reads without end. */
    STOPPED
  }

  /**
   * Selects, of the jobs of that name, one that has not ended and is not ending, else the latest.
   *
   * @param latestFirst in the order of {@link FlinkRest#jobs()}
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
