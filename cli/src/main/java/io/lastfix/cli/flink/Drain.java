package io.lastfix.cli.flink;

import io.lastfix.cli.kafka.ConsumerLag;
import io.lastfix.jobs.config.LocationJobConfig;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * Waits until everything that Kafka held at the start of the wait is stored in MongoDB. Three
 * steps, each of which follows from the job's own promises and not from a pause:
 *
 * <ol>
 *   <li>Both consumer groups have committed up to the ends: a checkpoint holds everything, and at a
 *       checkpoint the sinks have stored all that reached them.
 *   <li>After that, no record waits for its cell in the join.
 *   <li>After that, one more checkpoint completes: what had waited is stored too.
 * </ol>
 */
public final class Drain {
  private static final Duration POLL = Duration.ofMillis(250);

  private final FlinkRest flink;
  private final ConsumerLag consumerLag;
  private final LocationJobConfig config;

  /** For the job of that configuration. */
  public Drain(FlinkRest flink, ConsumerLag consumerLag, LocationJobConfig config) {
    this.flink = flink;
    this.consumerLag = consumerLag;
    this.config = config;
  }

  /** Told, every poll, what is being waited for. */
  public interface Progress {
    /** Shows one line. */
    void show(String waitingFor);
  }

  /**
   * Waits.
   *
   * @return how long it took
   * @throws IOException if the limit passes, saying what is still open, or if the job fails
   */
  public Duration await(String jobId, Duration limit, Progress progress)
      throws IOException, InterruptedException {
    Instant began = Instant.now();
    Instant deadline = began.plus(limit);
    Map<TopicPartition, ConsumerLag.Range> locations =
        consumerLag.ranges(config.kafka().locationTopics(config.profileNames()));
    Map<TopicPartition, ConsumerLag.Range> cells =
        consumerLag.ranges(List.of(config.kafka().cellsTopic()));

    while (true) {
      long lag =
          sum(config.kafka().groupId(), locations) + sum(config.kafka().cellsGroupId(), cells);
      if (lag == 0) {
        break;
      }
      pause(jobId, deadline, "%,d messages not stored yet".formatted(lag), progress);
    }
    Instant read = Instant.now();

    while (true) {
      Optional<Long> waiting =
          LocationMetrics.tryRead(flink, jobId, read).map(LocationMetrics::waiting);
      if (waiting.isPresent() && waiting.get() == 0) {
        break;
      }
      pause(
          jobId,
          deadline,
          waiting
              .map("%,d records wait for their cell"::formatted)
              .orElse("waiting for the job's metrics"),
          progress);
    }
    Instant joined = Instant.now();

    flink.triggerCheckpoint(jobId);
    while (flink.latestCheckpointStart(jobId).filter(start -> !start.isBefore(joined)).isEmpty()) {
      pause(jobId, deadline, "waiting for a checkpoint", progress);
    }
    return Duration.between(began, Instant.now());
  }

  private long sum(String groupId, Map<TopicPartition, ConsumerLag.Range> ranges)
      throws IOException {
    return consumerLag.byTopic(groupId, ranges).values().stream().mapToLong(Long::longValue).sum();
  }

  private void pause(String jobId, Instant deadline, String waitingFor, Progress progress)
      throws IOException, InterruptedException {
    if (Instant.now().isAfter(deadline)) {
      throw new IOException("not drained within the time limit: " + waitingFor);
    }
    for (FlinkRest.Job job : flink.jobs()) {
      if (job.id().equals(jobId) && job.isOver()) {
        throw new IOException("the job is " + job.state() + " and stores nothing any more");
      }
    }
    progress.show(waitingFor);
    Thread.sleep(POLL.toMillis());
  }
}
