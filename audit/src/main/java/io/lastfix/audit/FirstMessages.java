package io.lastfix.audit;

import io.lastfix.kit.kafka.ConsumerLag.Range;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The instant from which on topics are complete, if Kafka has deleted their beginnings. */
final class FirstMessages {
  /** No part of a topic is certain to be complete. */
  static final long NEVER = Long.MAX_VALUE;

  /** Partitions without a beginning of which no message has been seen yet. */
  private final Set<TopicPartition> unseen = new HashSet<>();

  private long latestFirstMillis = Long.MIN_VALUE;

  /** For those ranges, each of which begins with the first remaining message. */
  FirstMessages(Map<TopicPartition, Range> ranges) {
    ranges.forEach(
        (partition, range) -> {
          if (range.begin() > 0) {
            unseen.add(partition);
          }
        });
  }

  /** The deletions from a topic, even if the topic is empty. */
  interface Retention {
    /** The instant from which on no message was deleted; {@link #NEVER} if that is not known. */
    long keptFromMillis(String topic) throws IOException;
  }

  void see(ConsumerRecord<?, ?> message) {
    TopicPartition partition = new TopicPartition(message.topic(), message.partition());
    if (unseen.remove(partition)) {
      latestFirstMillis = Math.max(latestFirstMillis, message.timestamp());
    }
  }

  /**
   * The instant from which on all published messages are there, in epoch milliseconds; the least
   * long if nothing was deleted. For a partition that is empty now and was not before, the
   * retention decides.
   */
  long completeFromMillis(Retention retention) throws IOException {
    long completeFrom = latestFirstMillis;
    for (TopicPartition emptied : unseen) {
      completeFrom = Math.max(completeFrom, retention.keptFromMillis(emptied.topic()));
    }
    return completeFrom;
  }
}
