package io.lastfix.jobs.kafka;

import io.lastfix.jobs.kafka.CatalogEnds.End;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One wait for the catalogue: since when, for which readers, up to which ends, and what is still
 * missing.
 */
final class CatalogWait {
  private final long beganNanos;
  private final CatalogProgress progress;
  private final Set<Integer> subtasks = new TreeSet<>();
  private final Map<Integer, Long> readAtFirst = new HashMap<>();
  private @Nullable Map<Integer, End> ends;

  CatalogWait(CatalogProgress progress, long nowNanos) {
    this.progress = progress;
    beganNanos = nowNanos;
  }

  /** The subtasks whose readers wait. */
  Set<Integer> subtasks() {
    return subtasks;
  }

  /** Takes the ends that were found; may be called again with those found later. */
  void until(Map<Integer, End> found) {
    ends = new TreeMap<>(found);
    found.keySet().forEach(p -> readAtFirst.putIfAbsent(p, Math.max(0, progress.read(p))));
  }

  /** The ends that are known; empty before the first look. */
  Map<Integer, End> ends() {
    return ends == null ? Map.of() : ends;
  }

  /** Whether all is in the join's state that was in the topic when this wait began. */
  boolean isOver() {
    return ends != null && ends.keySet().stream().allMatch(this::isInState);
  }

  private boolean isInState(int partition) {
    return progress.inState(partition) >= ends().get(partition).afterLastEntry();
  }

  /** How long it has lasted. */
  long lastedNanos(long nowNanos) {
    return nowNanos - beganNanos;
  }

  /** How far the catalogue is, and how fast it went, partition by partition. */
  String describe(long nowNanos) {
    if (ends == null) {
      return "where it ends could not be found out";
    }
    double seconds = Math.max(lastedNanos(nowNanos) / 1e9, 1e-3);
    return ends.keySet().stream()
        .filter(partition -> !isInState(partition))
        .map(partition -> describe(partition, seconds))
        .collect(Collectors.joining("; "));
  }

  private String describe(int partition, double seconds) {
    long end = ends().get(partition).afterLastEntry();
    long read = Math.max(0, progress.read(partition));
    long first = readAtFirst.getOrDefault(partition, 0L);
    return "partition %d read to offset %d of %d at %.0f a second, and to %d in a completed checkpoint"
        .formatted(
            partition,
            read,
            end,
            (read - first) / seconds,
            Math.max(0, progress.inState(partition)));
  }
}
