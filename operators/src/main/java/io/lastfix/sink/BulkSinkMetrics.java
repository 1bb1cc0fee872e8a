package io.lastfix.sink;

import io.lastfix.ledger.LedgerEntry;
import io.lastfix.model.metrics.JobMetrics;
import io.lastfix.sink.Bulk.PendingWrite;
import io.lastfix.sink.BulkServer.BulkResult;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.HistogramStatistics;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogramStatistics;

/**
 * The metrics of a sink's writer. Counters start at 0 with each attempt of the job, and count a
 * record when it is acknowledged.
 *
 * <ul>
 *   <li>{@code sent} (and Flink's {@code numRecordsSend}): records that are stored, by this write
 *       or an earlier one. <b>After a flush it equals the records in</b>, and always
 *       <pre>sent = inserted + updated + duplicates + duplicatesAfterRetry
 *            + stale + staleAfterRetry + coalescedAway</pre>
 *       where {@code coalescedAway} are the records that joined another record's write.
 *   <li>{@code inserted}, {@code updated}: writes that created a document, or changed or deleted
 *       one.
 *   <li>{@code duplicates}: inserts of a document that existed before the first attempt.
 *   <li>{@code duplicatesAfterRetry}: the same, found by a retry. The document may come from this
 *       sink's own first attempt, which was stored although it failed. Such a record counts once,
 *       here or there. The number of documents added is thus between {@code inserted} and {@code
 *       inserted + duplicatesAfterRetry}.
 *   <li>{@code stale}, {@code staleAfterRetry}: writes that changed nothing because the stored
 *       document is as new or newer; separate for the same reason.
 *   <li>{@code coalesced}: records that joined a waiting write; counted on arrival.
 *   <li>{@code retried}: writes sent again, each time.
 *   <li>Flink's {@code numRecordsSendErrors}: writes that failed, each time. Alert if it keeps
 *       growing.
 *   <li>{@code bulkLatencyMillis}: from sending a bulk to its answer, retries counted separately;
 *       Flink's {@code currentSendTime} is the last one.
 *   <li>{@code endToEndLatencyMillis}: from the record's Flink timestamp (Kafka's append time) to
 *       the acknowledgement, by this machine's clock; for a coalesced write the longest. Ten years
 *       and more do not count.
 *   <li>{@code bulksInFlight}, {@code bufferedWrites}, {@code bufferedBytes}: current values; the
 *       latter two include writes in flight and waiting for a retry. {@code bufferedWrites} at its
 *       limit means that MongoDB is slower than the input.
 *   <li>{@code collectionsInPreparation}: current value; the writes to these collections wait, and
 *       count as buffered.
 * </ul>
 */
final class BulkSinkMetrics {
  /**
   * Ten years. A producer may set any timestamp, and one without a clock sets 1970 or 2000: that
   * says nothing of how fresh the data is.
   */
  private static final long LONGEST_LATENCY_MILLIS = Duration.ofDays(3650).toMillis();

  private final SinkWriterMetricGroup group;
  private final Counter sent;
  private final Counter inserted;
  private final Counter updated;
  private final Counter duplicates;
  private final Counter duplicatesAfterRetry;
  private final Counter stale;
  private final Counter staleAfterRetry;
  final Counter coalesced;
  private final Counter coalescedAway;
  final Counter retried;
  private final Histogram bulkLatencyMillis;
  private final Histogram endToEndLatencyMillis;
  private volatile long lastLatencyMillis;

  BulkSinkMetrics(SinkWriterMetricGroup group) {
    this.group = group;
    this.sent = group.counter("sent");
    this.inserted = group.counter(JobMetrics.INSERTED);
    this.updated = group.counter("updated");
    this.duplicates = group.counter(JobMetrics.DUPLICATES);
    this.duplicatesAfterRetry = group.counter(JobMetrics.DUPLICATES_AFTER_RETRY);
    this.stale = group.counter("stale");
    this.staleAfterRetry = group.counter("staleAfterRetry");
    this.coalesced = group.counter("coalesced");
    this.coalescedAway = group.counter("coalescedAway");
    this.retried = group.counter("retried");
    this.bulkLatencyMillis = group.histogram("bulkLatencyMillis", new RecentValuesHistogram());
    this.endToEndLatencyMillis =
        group.histogram(JobMetrics.END_TO_END_LATENCY, new RecentValuesHistogram());
    group.setCurrentSendTimeGauge(() -> lastLatencyMillis);
  }

  /** Registers gauges. The reporter's thread reads them, so a value may be slightly outdated. */
  void watch(
      IntSupplier bulksInFlight,
      IntSupplier bufferedWrites,
      LongSupplier bufferedBytes,
      IntSupplier collectionsInPreparation) {
    group.gauge("bulksInFlight", (Gauge<Integer>) bulksInFlight::getAsInt);
    group.gauge("bufferedWrites", (Gauge<Integer>) bufferedWrites::getAsInt);
    group.gauge("bufferedBytes", (Gauge<Long>) bufferedBytes::getAsLong);
    group.gauge("collectionsInPreparation", (Gauge<Integer>) collectionsInPreparation::getAsInt);
  }

  /** What became of the acknowledged writes, of a sink whose writes are never stale. */
  LedgerEntry counted() {
    return LedgerEntry.ofStored(
        inserted.getCount() + updated.getCount(),
        duplicates.getCount() + duplicatesAfterRetry.getCount());
  }

  void bulkAnswered(long latencyMillis) {
    lastLatencyMillis = latencyMillis;
    bulkLatencyMillis.update(latencyMillis);
  }

  void failed(int writes) {
    group.getNumRecordsSendErrorsCounter().inc(writes);
  }

  /**
   * Counts the successful writes of a bulk.
   *
   * @param hasFailed by index, true for each failed write
   */
  void done(Bulk<?> bulk, BulkResult result, boolean[] hasFailed, long nowMillis) {
    inserted.inc(result.inserted());
    updated.inc(result.updated());
    (bulk.isRetry() ? duplicatesAfterRetry : duplicates).inc(result.duplicates());
    (bulk.isRetry() ? staleAfterRetry : stale).inc(result.stale());
    long bytes = 0;
    for (int i = 0; i < hasFailed.length; i++) {
      if (!hasFailed[i]) {
        PendingWrite<?> write = bulk.writes().get(i);
        bytes += write.bytes();
        sent.inc(write.records());
        coalescedAway.inc(write.records() - 1L);
        group.getNumRecordsSendCounter().inc(write.records());
        long latencyMillis = nowMillis - write.oldestTimestampMillis();
        if (write.oldestTimestampMillis() != PendingWrite.NO_TIMESTAMP
            && latencyMillis < LONGEST_LATENCY_MILLIS) {
          endToEndLatencyMillis.update(Math.max(0, latencyMillis));
        }
      }
    }
    group.getNumBytesSendCounter().inc(bytes);
  }

  /**
   * A histogram of the last 1,024 values. Before the first value it is 0 and not NaN as Flink's:
   * the greatest of several subtasks would be NaN, too.
   */
  static final class RecentValuesHistogram extends DescriptiveStatisticsHistogram {
    private static final int SIZE = 1_024;
    private static final double[] NO_VALUE_YET = {0};

    RecentValuesHistogram() {
      super(SIZE);
    }

    @Override
    public HistogramStatistics getStatistics() {
      return getCount() == 0
          ? new DescriptiveStatisticsHistogramStatistics(NO_VALUE_YET)
          : super.getStatistics();
    }
  }
}
