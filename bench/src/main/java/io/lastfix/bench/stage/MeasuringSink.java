package io.lastfix.bench.stage;

import io.lastfix.sink.WriterSink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Drops its input, and reports its size and timing as metrics.
 *
 * <p>Metrics of each subtask, in the operator's group:
 *
 * <ul>
 *   <li>{@value #RECORDS}: the records so far.
 *   <li>{@value #RECORDS_AT_BEGIN}: the records when the warm-up ended; 0 before.
 *   <li>{@value #BEGIN_MILLIS}: when the warm-up ended, in epoch milliseconds; 0 before.
 *   <li>{@value #END_MILLIS}: when the latest record arrived, in epoch milliseconds, to within the
 *       next 63 records; 0 before.
 * </ul>
 *
 * <p>A subtask's rate is {@code (records - recordsAtBegin) / (endMillis - beginMillis)}.
 */
public final class MeasuringSink<T> implements WriterSink<T> {
  /** The operator's name and uid in a {@link StageJob}. */
  public static final String NAME = "measured";

  /** Metric: records so far. */
  public static final String RECORDS = "records";

  /** Metric: records when the measurement began. */
  public static final String RECORDS_AT_BEGIN = "recordsAtBegin";

  /** Metric: when the measurement began. */
  public static final String BEGIN_MILLIS = "beginMillis";

  /** Metric: when the latest record arrived. */
  public static final String END_MILLIS = "endMillis";

  private final long warmUpRecords;

  /**
   * A sink.
   *
   * @param warmUpRecords before the measurement begins, all subtasks together; 0 or more
   */
  MeasuringSink(long warmUpRecords) {
    if (warmUpRecords < 0) {
      throw new IllegalArgumentException(
          "warm-up: expected 0 records or more, found " + warmUpRecords);
    }
    this.warmUpRecords = warmUpRecords;
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) {
    int subtasks = context.getTaskInfo().getNumberOfParallelSubtasks();
    MeasuringWriter<T> writer =
        new MeasuringWriter<>(warmUpRecords / subtasks, System::currentTimeMillis);
    MetricGroup metrics = context.metricGroup();
    metrics.gauge(RECORDS, (Gauge<Long>) writer::records);
    metrics.gauge(RECORDS_AT_BEGIN, (Gauge<Long>) writer::recordsAtBegin);
    metrics.gauge(BEGIN_MILLIS, (Gauge<Long>) writer::beginMillis);
    metrics.gauge(END_MILLIS, (Gauge<Long>) writer::endMillis);
    return writer;
  }
}
