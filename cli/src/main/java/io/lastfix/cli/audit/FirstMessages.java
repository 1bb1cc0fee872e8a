package io.lastfix.cli.audit;

import io.lastfix.cli.kafka.ConsumerLag.Range;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Since when topics are complete, where Kafka has deleted their beginnings. */
final class FirstMessages {
  private final Map<TopicPartition, Long> firstMillis = new HashMap<>();

  /** Of those stretches, each of which begins with the first message that is still there. */
  FirstMessages(Map<TopicPartition, Range> stretches) {
    stretches.forEach(
        (partition, range) -> {
          if (range.begin() > 0) {
            firstMillis.put(partition, Long.MAX_VALUE);
          }
        });
  }

  void see(ConsumerRecord<?, ?> message) {
    firstMillis.replace(
        new TopicPartition(message.topic(), message.partition()),
        Long.MAX_VALUE,
        message.timestamp());
  }

  /**
   * What was published from then on is there, in milliseconds since 1970; the least long where
   * nothing is gone, the greatest where a partition is empty that once was not.
   */
  long completeFromMillis() {
    return firstMillis.values().stream().mapToLong(Long::longValue).max().orElse(Long.MIN_VALUE);
  }
}
