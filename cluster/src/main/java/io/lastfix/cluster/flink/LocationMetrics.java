package io.lastfix.cluster.flink;

import io.lastfix.cluster.flink.FlinkRest.Aggregation;
import io.lastfix.kit.poll.Poll;
import io.lastfix.model.metrics.JobMetrics;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The metrics of the location job's operators, at one instant.
 *
 * @param asOf the oldest of the TaskManagers' reports, by their clocks. A cluster keeps the metrics
 *     of a TaskManager that has died.
 * @param sums over the subtasks, by the metrics' ids
 * @param largest of the subtasks, likewise
 */
public record LocationMetrics(Instant asOf, Map<String, Double> sums, Map<String, Double> largest) {
  private static final String PARSE = FlinkRest.scope(JobMetrics.PARSE);
  private static final String LOCATE = FlinkRest.scope(JobMetrics.LOCATE) + JobMetrics.LOCATE + ".";
  private static final String HISTORY = FlinkRest.writerScope(JobMetrics.HISTORY);
  private static final List<String> OURS =
      List.of(PARSE, LOCATE, HISTORY, FlinkRest.writerScope(JobMetrics.LAST_KNOWN_LOCATION));
  private static final String LATENCY = HISTORY + JobMetrics.END_TO_END_LATENCY + "_";
  private static final String REJECTED = PARSE + JobMetrics.REJECTED + ".";
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Reads the metrics of an instant after {@code since}. The cluster caches the TaskManagers'
   * reports. The join's gauge {@code waitingAsOf} shows the age of an answer, because all metrics
   * of a TaskManager arrive in one message.
   *
   * @throws IOException if no answer is new enough within a minute
   */
  public static LocationMetrics readAfter(FlinkRest flink, String jobId, Instant since)
      throws IOException, InterruptedException {
    return Poll.until(POLL, PATIENCE, () -> tryRead(flink, jobId, since), Optional::isPresent)
        .orElseThrow(
            () ->
                new IOException(
                    "Flink has had no fresh metrics of job %s for %d s"
                        .formatted(jobId, PATIENCE.toSeconds())));
  }

  /** The metrics, if the cluster's values are newer than {@code since}. */
  public static Optional<LocationMetrics> tryRead(FlinkRest flink, String jobId, Instant since)
      throws IOException {
    Optional<Double> asOf = flink.smallestOfAllSubtasks(jobId, LOCATE + JobMetrics.WAITING_AS_OF);
    if (asOf.isEmpty() || asOf.get() <= since.toEpochMilli()) {
      return Optional.empty();
    }
    Map<Aggregation, Map<String, Double>> metrics =
        flink.metrics(
            jobId,
            Map.of(
                Aggregation.SUM, id -> OURS.stream().anyMatch(id::startsWith),
                Aggregation.MAX, id -> id.startsWith(LATENCY)));
    return Optional.of(
        new LocationMetrics(
            Instant.ofEpochMilli(asOf.get().longValue()),
            metrics.getOrDefault(Aggregation.SUM, Map.of()),
            metrics.getOrDefault(Aggregation.MAX, Map.of())));
  }

  /** Records that wait for their cell. */
  public long waiting() {
    return sum(LOCATE + JobMetrics.WAITING);
  }

  /** Good records that the parser read. */
  public long records() {
    return sum(PARSE + JobMetrics.RECORDS);
  }

  /** What the parser found that is no record. */
  public long notRecords() {
    return sum(PARSE + JobMetrics.NOT_RECORDS);
  }

  /** Messages that the parser read a second, in the last minute. */
  public double messagesPerSecond() {
    return sums.getOrDefault(PARSE + "numRecordsInPerSecond", 0.0);
  }

  /** Records and rejections that the parser made of them a second, in the last minute. */
  public double recordsPerSecond() {
    return sums.getOrDefault(PARSE + "numRecordsOutPerSecond", 0.0);
  }

  /** Records that the parser rejected, by reason code; only reasons that occurred. */
  public Map<String, Long> rejectedByReason() {
    Map<String, Long> reasons = new TreeMap<>();
    sums.forEach(
        (id, count) -> {
          if (id.startsWith(REJECTED) && count > 0) {
            reasons.put(id.substring(REJECTED.length()), count.longValue());
          }
        });
    return reasons;
  }

  /** Documents added to History. */
  public long historyInserted() {
    return sum(HISTORY + JobMetrics.INSERTED);
  }

  /** Records that History already had. */
  public long historyDuplicates() {
    return sum(HISTORY + JobMetrics.DUPLICATES) + sum(HISTORY + JobMetrics.DUPLICATES_AFTER_RETRY);
  }

  /** Records that were forwarded without coordinates. */
  public long unlocated() {
    return Stream.of(JobMetrics.AMBIGUOUS, JobMetrics.WAIT_EXPIRED, JobMetrics.WAIT_FULL)
        .mapToLong(reason -> sum(LOCATE + JobMetrics.UNLOCATED + "." + reason))
        .sum();
  }

  /**
   * A quantile of the time from a record's Kafka timestamp to its acknowledgement by MongoDB in
   * History. It covers the latest records of each subtask, and is the largest of all subtasks.
   * Empty before the first record.
   *
   * @param quantile as Flink names it: {@code median}, {@code p95}, {@code p99}
   */
  public Optional<Duration> endToEndLatency(String quantile) {
    return Optional.ofNullable(largest.get(LATENCY + quantile))
        .map(millis -> Duration.ofMillis(millis.longValue()));
  }

  private long sum(String id) {
    return sums.getOrDefault(id, 0.0).longValue();
  }
}
