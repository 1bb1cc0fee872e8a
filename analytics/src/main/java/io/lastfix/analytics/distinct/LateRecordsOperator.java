package io.lastfix.analytics.distinct;

import io.lastfix.analytics.results.FlushingOperator;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.timeline.LateCount;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Counts the records that came too late by the hour of their timestamp, so that a reader of numbers
 * learns of which time how many are missing.
 *
 * <p>It hands the counts on before each checkpoint, so it has no state: after a failure the records
 * since the last checkpoint are read again. Each attempt has names of its own, so what it counts
 * again is added: the sum is never less than what is missing, and may be more after a failure.
 *
 * <p>After {@link #BURST} it begins with 0 under another name. {@code lastfix analyze} removes what
 * was counted before it; a count that grows for ever would bring all of that back.
 */
public final class LateRecordsOperator extends FlushingOperator<Long, LateCount> {
  /** For how long a count grows, at least. */
  static final Duration BURST = Duration.ofMinutes(10);

  private final List<NumberKind> kinds;

  /** Records by hour, in milliseconds since 1970, of this burst. */
  private transient Map<Long, Long> records;

  /** The hours whose count has changed since it was forwarded. */
  private transient Set<Long> changed;

  private transient String burst;

  /** When this burst began, in milliseconds since 1970. */
  private transient long sinceMillis;

  /**
   * Counts timestamps, in milliseconds since 1970.
   *
   * @param kinds the numbers that lack these records
   */
  public LateRecordsOperator(List<NumberKind> kinds) {
    this.kinds = List.copyOf(kinds);
  }

  @Override
  public void open() throws Exception {
    super.open();
    records = new HashMap<>();
    changed = new HashSet<>();
  }

  @Override
  public void processElement(StreamRecord<Long> element) {
    if (records.isEmpty()) {
      burst = UUID.randomUUID().toString();
      sinceMillis = now();
    }
    long hour = LateCount.hourOf(element.getValue());
    records.merge(hour, 1L, Long::sum);
    changed.add(hour);
  }

  @Override
  protected void flush() {
    for (long hour : changed) {
      for (NumberKind kind : kinds) {
        output.collect(
            new StreamRecord<>(
                new LateCount(hour, kind, burst, records.getOrDefault(hour, 0L), sinceMillis)));
      }
    }
    changed.clear();
    if (now() >= sinceMillis + BURST.toMillis()) {
      records.clear();
    }
  }

  private long now() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }
}
