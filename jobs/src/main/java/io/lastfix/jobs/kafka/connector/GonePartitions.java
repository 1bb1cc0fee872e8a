package io.lastfix.jobs.kafka.connector;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.flink.util.clock.Clock;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds partitions of a savepoint that the topic does not have any more, because it was created
 * again with fewer. Kafka's client waits for their broker forever, and event time would wait for
 * the client.
 *
 * <p>For one thread.
 */
final class GonePartitions {
  private static final Logger LOG = LoggerFactory.getLogger(GonePartitions.class);

  /** A broker that answers later than this is not gone, so the topic is looked at again. */
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final Function<String, Set<Integer>> partitions;
  private final Clock clock;
  private final Map<TopicPartition, Check> checks = new HashMap<>();

  private record Check(long millis, boolean isGone) {}

  /**
   * @param partitions the numbers of a topic's partitions; empty if they are not known
   */
  GonePartitions(Function<String, Set<Integer>> partitions, Clock clock) {
    this.partitions = partitions;
    this.clock = clock;
  }

  /** Returns whether a partition of which the client knows nothing does not exist any more. */
  boolean isGone(TopicPartition partition) {
    long now = clock.relativeTimeMillis();
    Check last = checks.computeIfAbsent(partition, any -> new Check(now, false));
    if (now - last.millis() < INTERVAL.toMillis()) {
      return last.isGone();
    }
    Set<Integer> existing = partitions.apply(partition.topic());
    boolean isGone = !existing.isEmpty() && !existing.contains(partition.partition());
    if (isGone && !last.isGone()) {
      LOG.warn(
          "{} has no partition {} any more: it was created again with fewer. Event time does not wait for it",
          partition.topic(),
          partition.partition());
    }
    checks.put(partition, new Check(now, isGone));
    return isGone;
  }

  /** Takes in that the client has an answer of the partition's broker. */
  void onAnswer(TopicPartition partition) {
    checks.remove(partition);
  }
}
