package io.lastfix.jobs.kafka;

import io.lastfix.jobs.kafka.CatalogEnds.End;
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
 * One wait for the catalogue: since when, for which readers, up to which ends, and what is still
 * missing.
 *
 * <p>A position behind the topic's end is that of a topic that was deleted and made anew. It says
 * nothing of the entries there are now, until the reader has begun again at their beginning.
 */
final class CatalogWait {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogWait.class);

  private final long beganNanos;
  private final CatalogProgress progress;
  private final Set<Integer> subtasks = new TreeSet<>();
  private final Map<Integer, Long> readAtFirst = new HashMap<>();

  /** By partition, a position that was known before the topic was seen to end before it. */
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
   * Takes the ends that were found; may be called again with those found later.
   *
   * @param inState what {@link CatalogProgress#inState()} was before they were looked for
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
                "The catalogue's partition {} ends at offset {}, but has been read up to {}: its topic was deleted and made anew, or the broker lost entries. Location records wait until it is read from its beginning. Entries of the former topic stay known until others replace them",
                partition,
                end.endNow(),
                position);
          }
        });
  }

  /**
   * Whether a position is behind an end that was found before it was known. The topic has grown, or
   * was made anew: another look tells.
   */
  boolean needsLook() {
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

  /** The ends that are known; empty before the first look. */
  Map<Integer, End> ends() {
    return ends == null ? Map.of() : ends;
  }

  /** Whether all is in the join's state that was in the topic when this wait began. */
  boolean isOver() {
    return ends != null && ends.keySet().stream().allMatch(this::isInState);
  }

  private boolean isInState(int partition) {
    return progress.inState(partition) >= ends().get(partition).afterLastEntry()
        && !isBehindEnd(partition);
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
    long read = ofThisTopic(partition, progress.read(partition));
    long first = readAtFirst.getOrDefault(partition, 0L);
    return "partition %d read to offset %d of %d at %.0f a second, and to %d in a completed checkpoint"
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
