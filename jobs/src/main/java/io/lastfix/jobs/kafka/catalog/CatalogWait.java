package io.lastfix.jobs.kafka.catalog;

import io.lastfix.jobs.kafka.catalog.CatalogEnds.End;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One wait for the catalogue: its start, the readers, the ends to reach, and the missing entries.
 *
 * <p>If a position lies behind the topic's end, the topic was deleted and created again. Such a
 * position says nothing about the present entries until the reader has begun again at their
 * beginning.
 */
final class CatalogWait {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogWait.class);

  private final long beganNanos;
  private final CatalogProgress progress;
  private final Set<Integer> subtasks = new TreeSet<>();
  private final Map<Integer, Long> readAtFirst = new HashMap<>();

  /** Positions by partition that were known before the topic was seen to end before them. */
  private final Map<Integer, Long> ofFormerTopic = new HashMap<>();

  private @Nullable Map<Integer, End> ends;

  CatalogWait(CatalogProgress progress, long nowNanos) {
    this.progress = progress;
    beganNanos = nowNanos;
  }

  /** The subtasks whose readers wait. */
  Set<Integer> subtasks() {
    return subtasks;
  }

  /**
   * Sets the ends to reach; may be called again with ends found later.
   *
   * @param inState {@link CatalogProgress#inState()} before the search for these ends
   */
  void until(Map<Integer, End> found, Map<Integer, Long> inState) {
    ends = new TreeMap<>(found);
    found.forEach(
        (partition, end) -> {
          readAtFirst.putIfAbsent(partition, Math.max(0, progress.read(partition)));
          long position = inState.getOrDefault(partition, -1L);
          if (position <= end.endNow()) {
            ofFormerTopic.remove(partition);
          } else if (!Long.valueOf(position).equals(ofFormerTopic.put(partition, position))) {
            readAtFirst.put(partition, 0L);
            LOG.warn(
                "The catalogue's partition {} ends at offset {}, but the job has read up to {}:"
                    + " the topic was deleted and created again, or the broker lost entries. Location"
                    + " records wait until the job has read the partition from its beginning. Entries"
                    + " of the former topic stay known until others replace them",
                partition,
                end.endNow(),
                position);
          }
        });
  }

  /**
   * Returns whether a position is behind an end that was found before the position was known. Then
   * the topic has grown, or was created again, and the ends must be read again.
   */
  boolean needsNewEnds() {
    return ends().keySet().stream()
        .anyMatch(
            partition ->
                isBehindEnd(partition)
                    && !Long.valueOf(progress.inState(partition))
                        .equals(ofFormerTopic.get(partition)));
  }

  private boolean isBehindEnd(int partition) {
    End end = ends().get(partition);
    return end != null && progress.inState(partition) > end.endNow();
  }

  /** The known ends; empty before the first call of {@link #until}. */
  Map<Integer, End> ends() {
    return ends == null ? Map.of() : ends;
  }

  /**
   * Returns whether all entries that the topic held at the start of this wait are in the join's
   * state.
   */
  boolean isOver() {
    return ends != null && ends.keySet().stream().allMatch(this::isInState);
  }

  private boolean isInState(int partition) {
    return progress.inState(partition) >= ends().get(partition).afterLastEntry()
        && !isBehindEnd(partition);
  }

  /** The duration so far. */
  long durationNanos(long nowNanos) {
    return nowNanos - beganNanos;
  }

  /** The position and speed of each partition, as text. */
  String describe(long nowNanos) {
    if (ends == null) {
      return "its end is unknown";
    }
    double seconds = Math.max(durationNanos(nowNanos) / 1e9, 1e-3);
    return ends.keySet().stream()
        .filter(partition -> !isInState(partition))
        .map(partition -> describe(partition, seconds))
        .collect(Collectors.joining("; "));
  }

  private String describe(int partition, double seconds) {
    long end = ends().get(partition).afterLastEntry();
    long read = ofThisTopic(partition, progress.read(partition));
    long first = readAtFirst.getOrDefault(partition, 0L);
    return "partition %d read to offset %d of %d at %.0f offsets/s, and to %d in a completed checkpoint"
        .formatted(
            partition,
            read,
            end,
            (read - first) / seconds,
            ofThisTopic(partition, progress.inState(partition)));
  }

  private long ofThisTopic(int partition, long offset) {
    return ofFormerTopic.getOrDefault(partition, -1L) == offset ? 0 : Math.max(0, offset);
  }
}
