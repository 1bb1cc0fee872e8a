package io.lastfix.bench.measure;

import io.lastfix.bench.stage.MeasuringSink;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.FlinkRest.Aggregation;
import java.io.IOException;
import java.util.Map;

/**
 * The measurements of a {@link io.lastfix.bench.stage.StageJob}'s sink so far, over all its
 * subtasks.
 *
 * @param records that have reached it
 * @param recordsAtBegin that had reached it when the warm-up ended
 * @param beginMillis when the warm-up ended, epoch milliseconds; the mean over the subtasks, so
 *     that early and late subtasks offset each other
 * @param endMillis when the latest record arrived, epoch milliseconds
 */
public record StageMetrics(
    long records, long recordsAtBegin, double beginMillis, double endMillis) {
  /** The operator name of a sink in Flink's metrics. */
  private static final String PREFIX = MeasuringSink.NAME + "__Writer.";

  /** Metric: records so far. */
  public static final String RECORDS = PREFIX + MeasuringSink.RECORDS;

  private static final String RECORDS_AT_BEGIN = PREFIX + MeasuringSink.RECORDS_AT_BEGIN;
  private static final String BEGIN_MILLIS = PREFIX + MeasuringSink.BEGIN_MILLIS;
  private static final String END_MILLIS = PREFIX + MeasuringSink.END_MILLIS;
  private static final double MILLIS_PER_SECOND = 1_000;

  /**
   * Reads the metrics from the cluster.
   *
   * @throws IOException if a subtask's warm-up has not ended
   */
  public static StageMetrics read(FlinkRest flink, String jobId) throws IOException {
    if (read(flink, jobId, Aggregation.MIN).getOrDefault(BEGIN_MILLIS, 0.0) == 0) {
      throw new IOException(
          "a subtask received no more records than its warm-up: raise --records or lower"
              + " --parallelism");
    }
    Map<String, Double> sums = read(flink, jobId, Aggregation.SUM);
    return new StageMetrics(
        required(sums, RECORDS).longValue(),
        required(sums, RECORDS_AT_BEGIN).longValue(),
        required(read(flink, jobId, Aggregation.AVG), BEGIN_MILLIS),
        required(read(flink, jobId, Aggregation.MAX), END_MILLIS));
  }

  private static Map<String, Double> read(FlinkRest flink, String jobId, Aggregation aggregation)
      throws IOException {
    return flink.metrics(jobId, id -> id.startsWith(PREFIX), aggregation);
  }

  private static Double required(Map<String, Double> metrics, String id) throws IOException {
    Double value = metrics.get(id);
    if (value == null) {
      throw new IOException("the measured job has lost its metric " + id);
    }
    return value;
  }

  /** The measurement between begin and end. */
  public Measurement measurement(CpuTimeline cpu) {
    return new Measurement(
        records - recordsAtBegin,
        (endMillis - beginMillis) / MILLIS_PER_SECOND,
        cpu.used(beginMillis, endMillis));
  }
}
