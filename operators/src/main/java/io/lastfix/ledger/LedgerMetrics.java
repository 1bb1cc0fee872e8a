package io.lastfix.ledger;

import io.lastfix.model.metrics.JobMetrics;
import java.util.function.ToLongFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The gauges of the ledger, in the operator's group {@code ledger}. All are of the last completed
 * checkpoint, and survive restarts, savepoints and changes of the parallelism.
 *
 * <ul>
 *   <li>{@code checkpoint}: the number of that checkpoint, 0 before the first
 *   <li>{@code in}: what came in
 *   <li>{@code stored}, {@code duplicates}, {@code erased}, {@code rejected}, {@code notRecords},
 *       {@code waiting}: what became of it, see {@link LedgerEntry}
 *   <li>{@code unaccounted}: {@code in} less the others. <b>It is 0</b>. Alert if not: records are
 *       lost, or counted twice
 * </ul>
 */
final class LedgerMetrics {
  private final boolean isExact;
  private volatile Report report = new Report(0, LedgerEntry.NONE);

  private record Report(long checkpoint, LedgerEntry sums) {}

  /**
   * Registers the gauges.
   *
   * @param isExact false: none
   */
  LedgerMetrics(MetricGroup operatorGroup, boolean isExact) {
    this.isExact = isExact;
    if (!isExact) {
      return;
    }
    MetricGroup group = operatorGroup.addGroup(JobMetrics.LEDGER);
    group.gauge(JobMetrics.CHECKPOINT, (Gauge<Long>) () -> report.checkpoint());
    group.gauge(JobMetrics.IN, gauge(LedgerEntry::in));
    group.gauge(JobMetrics.STORED, gauge(LedgerEntry::stored));
    group.gauge(JobMetrics.DUPLICATES, gauge(LedgerEntry::duplicates));
    group.gauge(JobMetrics.ERASED, gauge(LedgerEntry::erased));
    group.gauge(JobMetrics.REJECTED, gauge(LedgerEntry::rejected));
    group.gauge(JobMetrics.NOT_RECORDS, gauge(LedgerEntry::notRecords));
    group.gauge(JobMetrics.WAITING, gauge(LedgerEntry::waiting));
    group.gauge(JobMetrics.UNACCOUNTED, gauge(LedgerEntry::unaccounted));
  }

  private Gauge<Long> gauge(ToLongFunction<LedgerEntry> term) {
    return () -> term.applyAsLong(report.sums());
  }

  boolean isExact() {
    return isExact;
  }

  void completed(long checkpoint, LedgerEntry sums) {
    report = new Report(checkpoint, sums);
  }
}
