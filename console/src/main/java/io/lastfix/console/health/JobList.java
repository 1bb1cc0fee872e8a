package io.lastfix.console.health;

import io.lastfix.cluster.flink.FlinkRest.Checkpoints;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a cluster.
 *
 * @param jobs the latest first
 */
public record JobList(List<Entry> jobs) {
  /**
   * A job.
   *
   * @param restarts null: it has ended
   * @param checkpoints null: it has ended
   */
  public record Entry(
      String id,
      String name,
      String state,
      Instant started,
      @Nullable Long restarts,
      @Nullable Checkpoints checkpoints) {}
}
