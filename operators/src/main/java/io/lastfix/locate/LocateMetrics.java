package io.lastfix.locate;

import io.lastfix.model.metrics.JobMetrics;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The join's metrics, in the operator's group {@code locate}, counted since the subtask's start:
 *
 * <ul>
 *   <li>{@code records}: location records received
 *   <li>{@code located}: forwarded with the coordinates of the cell
 *   <li>{@code fixes}: forwarded at once, with a position of the record's own
 *   <li>{@code far}: of these, the ones whose position and cell contradict each other. The cell
 *       must be known when the record arrives: a record with a position of its own never waits
 *   <li>{@code unlocated.ambiguous}: forwarded without coordinates, since several towers match, or
 *       could: the cell id marks an unknown cell, and there is no area
 *   <li>{@code unlocated.waitExpired}: forwarded without coordinates, since the cell was not known
 *       in time
 *   <li>{@code unlocated.waitFull}: forwarded without coordinates, as the oldest of too many
 *       waiting records
 *   <li>{@code waiting}: records waiting now, including restored ones
 *   <li>{@code waitingBytes}: the memory that these count for; {@link LocateOptions} bound both
 *   <li>{@code waitingAsOf}: milliseconds since 1970-01-01T00:00:00Z when the gauges were read; a
 *       reader can thus distinguish a fresh value from a cached one
 *   <li>{@code entries}: catalogue entries received
 * </ul>
 *
 * <p>{@code records} + the waiting records in the restored state = {@code located} + {@code fixes}
 * + the sum of {@code unlocated.*} + {@code waiting}.
 */
final class LocateMetrics {
  final Counter records;
  final Counter entries;
  final Counter located;
  final Counter fixes;
  final Counter far;
  final Counter ambiguous;
  final Counter waitExpired;
  final Counter waitFull;

  // The task's thread writes them, the reporters' threads read them.
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong waitingBytes = new AtomicLong();

  LocateMetrics(MetricGroup operatorGroup, LongSupplier nowMillis) {
    MetricGroup group = operatorGroup.addGroup(JobMetrics.LOCATE);
    records = group.counter("records");
    entries = group.counter("entries");
    located = group.counter("located");
    fixes = group.counter("fixes");
    far = group.counter("far");
    MetricGroup unlocated = group.addGroup(JobMetrics.UNLOCATED);
    ambiguous = unlocated.counter(JobMetrics.AMBIGUOUS);
    waitExpired = unlocated.counter(JobMetrics.WAIT_EXPIRED);
    waitFull = unlocated.counter(JobMetrics.WAIT_FULL);
    group.gauge(JobMetrics.WAITING, (Gauge<Long>) waiting::get);
    group.gauge("waitingBytes", (Gauge<Long>) waitingBytes::get);
    group.gauge(JobMetrics.WAITING_AS_OF, (Gauge<Long>) nowMillis::getAsLong);
  }

  /** Sets the number and the memory of the waiting records. */
  void setWaiting(long records, long bytes) {
    // Opaque access suffices, since only one thread writes.
    waiting.setOpaque(records);
    waitingBytes.setOpaque(bytes);
  }
}
