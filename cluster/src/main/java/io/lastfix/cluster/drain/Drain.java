package io.lastfix.cluster.drain;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.LocationMetrics;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.poll.Poll;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Waits until MongoDB has stored all that Kafka held at the start of the wait. Each step relies on
 * the job's guarantees, not on a pause:
 *
 * <ol>
 *   <li>A checkpoint of this job completes, so that the groups' offsets are this job's and not an
 *       earlier one's. (Another job with the same group may commit the location records' offsets as
 *       well; the two cannot be distinguished.)
 *   <li>Both groups have committed up to the ends: a checkpoint holds everything, and at a
 *       checkpoint the sinks have stored all records that reached them.
 *   <li>After that, no record waits for its cell in the join.
 *   <li>After that, one more checkpoint completes, so that the records that had waited are stored
 *       too. If the lag or the waiting records are back by then, because the job has failed and
 *       resumed from an earlier checkpoint, the wait begins again.
 * </ol>
 *
 * <p>A newly started job that reads from an earlier point than its group has committed ({@code
 * source.start}) commits nothing before it has the catalogue. Until then the offsets are an earlier
 * job's, and the wait may end too soon.
 *
 * <p>The age of a metric is the difference between the cluster's clock and this machine's, which
 * must agree to within a second.
 *
 * @param flink the cluster of the jobs
 * @param consumerLag of the Kafka cluster that they read from
 * @param input what they read
 * @param interval between two queries of Flink and Kafka, positive
 */
public record Drain(FlinkRest flink, ConsumerLag consumerLag, Input input, Duration interval) {
  private static final Duration INTERVAL = Duration.ofMillis(250);

  /** Waits for jobs that read this input. */
  public Drain(FlinkRest flink, ConsumerLag consumerLag, Input input) {
    this(flink, consumerLag, input, INTERVAL);
  }

  /**
   * What a job reads, and the consumer groups under which it commits.
   *
   * @param groupId under which the job commits the location records' offsets
   * @param locationTopics the topics of the location records
   * @param cellsTopic the topic of the catalogue
   * @param catalogGroupParameter the job parameter that holds the group of the catalogue's offsets
   */
  public record Input(
      String groupId,
      List<String> locationTopics,
      String cellsTopic,
      String catalogGroupParameter) {
    /**
     * The group under which a running job commits the catalogue's offsets; empty while it is being
     * set up, because Flink does not show its parameters yet.
     */
    Optional<String> tryFindCatalogGroup(FlinkRest flink, String jobId) throws IOException {
      return Optional.ofNullable(flink.jobParameters(jobId).get(catalogGroupParameter));
    }
  }

  /**
   * Runs the wait.
   *
   * @param progress receives the reason for waiting at every poll
   * @return its duration
   * @throws IOException if the limit passes, naming what is still open, or if the job ends
   */
  public Duration await(String jobId, Duration limit, Consumer<String> progress)
      throws IOException, InterruptedException {
    Instant began = Instant.now();
    Wait wait = new Wait(jobId, new Poll(interval, limit), progress);
    wait.forCheckpoint();
    String catalogGroup = wait.forCatalogGroup();
    do {
      wait.forLagZero(catalogGroup);
      wait.untilNoRecordWaits();
      wait.forCheckpoint();
    } while (wait.lag(catalogGroup) > 0 || wait.waiting() > 0);
    return Duration.between(began, Instant.now());
  }

  /** One wait, with its targets. */
  private final class Wait {
    private final String jobId;
    private final Poll poll;
    private final Consumer<String> progress;
    private final Map<TopicPartition, ConsumerLag.Range> locations;
    private final Map<TopicPartition, ConsumerLag.Range> cells;

    Wait(String jobId, Poll poll, Consumer<String> progress) throws IOException {
      this.jobId = jobId;
      this.poll = poll;
      this.progress = progress;
      locations = consumerLag.ranges(input.locationTopics());
      cells = consumerLag.ranges(List.of(input.cellsTopic()));
    }

    /** Waits for a checkpoint that is triggered from now on, by the checkpoints' numbers. */
    void forCheckpoint() throws IOException, InterruptedException {
      long before = flink.latestCheckpoint(jobId);
      var unused = flink.triggerCheckpoint(jobId);
      while (flink.latestCompletedCheckpoint(jobId) <= before) {
        pause("waiting for a checkpoint");
      }
    }

    String forCatalogGroup() throws IOException, InterruptedException {
      Optional<String> found = input.tryFindCatalogGroup(flink, jobId);
      while (found.isEmpty()) {
        pause("waiting until the job runs");
        found = input.tryFindCatalogGroup(flink, jobId);
      }
      return found.get();
    }

    void forLagZero(String catalogGroup) throws IOException, InterruptedException {
      for (Map<String, Long> lag = lagByTopic(catalogGroup);
          !lag.isEmpty();
          lag = lagByTopic(catalogGroup)) {
        pause(
            "%,d messages not stored yet, in %s"
                .formatted(sum(lag), String.join(", ", lag.keySet())));
      }
    }

    void untilNoRecordWaits() throws IOException, InterruptedException {
      for (long waiting = waiting(); waiting > 0; waiting = waiting()) {
        pause("%,d records wait for their cell".formatted(waiting));
      }
    }

    long lag(String catalogGroup) throws IOException {
      return sum(lagByTopic(catalogGroup));
    }

    /** The lag of the topics that have one. */
    private Map<String, Long> lagByTopic(String catalogGroup) throws IOException {
      Map<String, Long> lag = new TreeMap<>(consumerLag.byTopic(input.groupId(), locations));
      lag.putAll(consumerLag.byTopic(catalogGroup, cells));
      lag.values().removeIf(messages -> messages == 0);
      return lag;
    }

    private static long sum(Map<String, Long> lag) {
      return lag.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The number of waiting records now: the cluster's answer must be newer than the query. */
    long waiting() throws IOException, InterruptedException {
      Instant queriedAt = Instant.now();
      Optional<LocationMetrics> metrics = LocationMetrics.tryRead(flink, jobId, queriedAt);
      while (metrics.isEmpty()) {
        pause("waiting for the job's metrics");
        metrics = LocationMetrics.tryRead(flink, jobId, queriedAt);
      }
      return metrics.get().waiting();
    }

    private void pause(String waitingFor) throws IOException, InterruptedException {
      FlinkRest.Job job = flink.job(jobId);
      if (job.isOver()) {
        throw new IOException(
            "the job is %s and no longer stores records%s".formatted(job.state(), reason()));
      }
      progress.accept(waitingFor);
      poll.pause(
          () ->
              new IOException(
                  "not drained within the time limit: %s; the job is %s%s"
                      .formatted(waitingFor, job.state(), reason())));
    }

    /** The reason of the job's last failure, in one line. */
    private String reason() throws IOException {
      return flink
          .failureOf(jobId)
          .flatMap(failure -> failure.lines().findFirst())
          .map(": "::concat)
          .orElse("");
    }
  }
}
