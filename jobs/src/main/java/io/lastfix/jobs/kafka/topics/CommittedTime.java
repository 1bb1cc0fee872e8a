package io.lastfix.jobs.kafka.topics;

import io.lastfix.kit.kafka.ConsumerLag.Range;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * Up to when a consumer group has read its topics: what they had then is committed. A Flink job
 * commits at a checkpoint, so this instant is a checkpoint's interval ago, or less on quiet topics.
 *
 * <p>A topic may end with a transaction marker, or with an aborted transaction: no consumer
 * receives those, and a Flink job commits the offset behind its last record. So if a commit fails
 * to come, the rest is read.
 */
final class CommittedTime {
  /** There is no group that could be behind. */
  static final long ALWAYS = Long.MAX_VALUE;

  /** It is not known yet. */
  static final long NEVER = Long.MIN_VALUE;

  /** How long a commit may take before the rest is read, and between two such readings. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Enough for the checkpoints of some minutes. With longer intervals it lags a little more. */
  private static final int MOST_ENDS = 100;

  private final Predicate<Map<TopicPartition, Range>> hasRecords;

  /** The ends that are not committed as far as is known, the earliest first. */
  private final Deque<Ends> waiting = new ArrayDeque<>();

  private long untilMillis = NEVER;
  private long readMillis;

  /**
   * What topics had at an instant.
   *
   * @param millis the instant; the offsets may be those of a little later
   */
  private record Ends(long millis, Map<TopicPartition, Range> ranges) {}

  /**
   * @param hasRecords whether a consumer would receive a record of these offsets
   */
  CommittedTime(Predicate<Map<TopicPartition, Range>> hasRecords) {
    this.hasRecords = hasRecords;
  }

  /**
   * Takes in what Kafka has.
   *
   * @param millis when the queries began
   * @param committed of the group; queried before the ranges
   * @param ranges of its topics
   * @return the instant; {@link #ALWAYS} if the group has not committed anything of these topics
   */
  long update(long millis, Map<TopicPartition, Long> committed, Map<TopicPartition, Range> ranges) {
    Map<TopicPartition, Range> read = new HashMap<>(ranges);
    // What no job has begun to read is not waited for.
    read.keySet().retainAll(committed.keySet());
    if (read.isEmpty()) {
      waiting.clear();
      untilMillis = ALWAYS;
      return untilMillis;
    }
    if (untilMillis == ALWAYS) {
      untilMillis = NEVER;
    }
    if (waiting.size() == MOST_ENDS) {
      waiting.removeLast();
    }
    waiting.add(new Ends(millis, read));
    while (!waiting.isEmpty() && uncommitted(waiting.element(), committed, read).isEmpty()) {
      untilMillis = waiting.remove().millis();
    }
    if (!waiting.isEmpty()
        && millis - Math.max(readMillis, waiting.element().millis()) >= PATIENCE.toMillis()) {
      readMillis = millis;
      Ends newest = waiting.getLast();
      if (!hasRecords.test(uncommitted(newest, committed, read))) {
        untilMillis = newest.millis();
        waiting.clear();
      }
    }
    return untilMillis;
  }

  private static Map<TopicPartition, Range> uncommitted(
      Ends ends, Map<TopicPartition, Long> committed, Map<TopicPartition, Range> read) {
    Map<TopicPartition, Range> left = new HashMap<>();
    ends.ranges()
        .forEach(
            (partition, then) -> {
              Range now = read.get(partition);
              // Of one that was created again, the former end is of no use.
              if (now != null) {
                long begin = Math.max(committed.get(partition), now.begin());
                long end = Math.min(then.end(), now.end());
                if (begin < end) {
                  left.put(partition, new Range(begin, end));
                }
              }
            });
    return left;
  }
}
