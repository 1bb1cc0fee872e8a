package io.lastfix.locate;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The join's metrics, in the operator's group {@code locate}, for one subtask since its start:
 *
 * <ul>
 *   <li>{@code records}: location records taken in
 *   <li>{@code located}: went on with coordinates
 *   <li>{@code unlocated.ambiguous}: went on without, since several towers suit
 *   <li>{@code unlocated.waitExpired}: went on without, since the cell was not known in time
 *   <li>{@code unlocated.waitFull}: went on without, since too many were waiting and it was the
 *       oldest
 *   <li>{@code waiting}: wait now; right after a restore too
 *   <li>{@code waitingBytes}: the memory that these are counted with; both are bounded by {@link
 *       LocateOptions}
 *   <li>{@code waitingAsOf}: milliseconds since 1970-01-01T00:00:00Z when the gauges were read, by
 *       which a reader tells a fresh answer from a cached one
 *   <li>{@code entries}: catalogue entries taken in
 * </ul>
 *
 * <p>{@code records} + those waiting in the restored state = {@code located} + the sum of {@code
 * unlocated.*} + {@code waiting}.
 */
final class LocateMetrics {
  static final String GROUP = "locate";
  static final String UNLOCATED_GROUP = "unlocated";

  final Counter records;
  final Counter entries;
  final Counter located;
  final Counter ambiguous;
  final Counter waitExpired;
  final Counter waitFull;

  // Written by the task's thread, read by the reporters'.
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong waitingBytes = new AtomicLong();

  LocateMetrics(MetricGroup operatorGroup, LongSupplier nowMillis) {
    MetricGroup group = operatorGroup.addGroup(GROUP);
    records = group.counter("records");
    entries = group.counter("entries");
    located = group.counter("located");
    MetricGroup unlocated = group.addGroup(UNLOCATED_GROUP);
    ambiguous = unlocated.counter("ambiguous");
    waitExpired = unlocated.counter("waitExpired");
    waitFull = unlocated.counter("waitFull");
    group.gauge("waiting", (Gauge<Long>) waiting::get);
    group.gauge("waitingBytes", (Gauge<Long>) waitingBytes::get);
    group.gauge("waitingAsOf", (Gauge<Long>) nowMillis::getAsLong);
  }

  /** What waits now. */
  void setWaiting(long records, long bytes) {
    // There is one writing thread: nothing needs to be ordered.
    waiting.setOpaque(records);
    waitingBytes.setOpaque(bytes);
  }
}
