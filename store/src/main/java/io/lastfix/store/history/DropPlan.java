package io.lastfix.store.history;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The partitions to drop.
 *
 * @param dropped partitions to drop, the oldest first
 * @param kept partitions that are as old, but that records of the running job may still reach
 */
public record DropPlan(List<HistoryPartition> dropped, List<HistoryPartition> kept) {
  private static final String WHY =
      " a running job would create a dropped partition again, without its index and its shards."
          + " Set history.retention to --older-than or less and restart the job, or add --force if no"
          + " job runs";

  /**
   * Plans the partitions that ended at or before the cutoff.
   *
   * @param cutoff partitions that ended later are kept
   * @param retention the job's retention; null if it has none
   * @param isForced true if no job runs, so that no partition must be kept for one
   * @throws IOException if the job still accepts records of that age
   */
  public static DropPlan of(
      List<HistoryPartition> partitions,
      Instant cutoff,
      Instant now,
      @Nullable HistoryRetention retention,
      boolean isForced)
      throws IOException {
    List<HistoryPartition> old =
        partitions.stream().filter(partition -> !partition.end().isAfter(cutoff)).toList();
    if (isForced) {
      return new DropPlan(old, List.of());
    }
    if (retention == null) {
      throw new IOException(
          "history.retention is not set, so the job accepts records of any age:" + WHY);
    }
    if (cutoff.isAfter(now.minus(retention.kept()))) {
      throw new IOException(
          "history.retention is longer than --older-than, so the job still accepts records of"
              + " that age:"
              + WHY);
    }
    return new DropPlan(
        old.stream().filter(partition -> retention.isDroppable(partition, now)).toList(),
        old.stream().filter(partition -> !retention.isDroppable(partition, now)).toList());
  }
}
