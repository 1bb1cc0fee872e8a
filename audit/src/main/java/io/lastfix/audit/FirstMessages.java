package io.lastfix.audit;

import io.lastfix.stack.kafka.ConsumerLag.Range;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Since when topics are complete, where Kafka has deleted their beginnings. */
final class FirstMessages {
  /** Nothing that a topic holds can be relied on to be complete. */
  static final long NEVER = Long.MAX_VALUE;

  private final Map<TopicPartition, Long> firstMillis = new HashMap<>();

  /** Partitions without a beginning, of which no message has been seen. */
  private final Set<TopicPartition> unseen = new HashSet<>();

  /** Of those stretches, each of which begins with the first message that is still there. */
  FirstMessages(Map<TopicPartition, Range> stretches) {
    stretches.forEach(
        (partition, range) -> {
          if (range.begin() > 0) {
            unseen.add(partition);
          }
        });
  }

  /** Tells what has not been deleted from a topic, whether or not there is any of it. */
  interface Retention {
    /** No message of this time or later was deleted; {@link #NEVER} if that is not known. */
    long keptFromMillis(String topic) throws IOException;
  }

  void see(ConsumerRecord<?, ?> message) {
    TopicPartition partition = new TopicPartition(message.topic(), message.partition());
    if (unseen.remove(partition)) {
      firstMillis.put(partition, message.timestamp());
    }
  }

  /**
   * What was published from then on is there, in milliseconds since 1970; the least long where
   * nothing is gone. Of a partition that is empty and once was not, the retention tells.
   */
  long completeFromMillis(Retention retention) throws IOException {
    long completeFrom = Long.MIN_VALUE;
    for (long first : firstMillis.values()) {
      completeFrom = Math.max(completeFrom, first);
    }
    for (TopicPartition emptied : unseen) {
      completeFrom = Math.max(completeFrom, retention.keptFromMillis(emptied.topic()));
    }
    return completeFrom;
  }
}
