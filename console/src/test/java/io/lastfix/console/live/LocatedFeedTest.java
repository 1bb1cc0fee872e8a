package io.lastfix.console.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class LocatedFeedTest {
  private static final String TOPIC = "located";

  /** As a real one does, it knows the partitions also if Kafka does not answer. */
  private static final class Kafka extends MockConsumer<byte[], byte[]> {
    private volatile boolean answers = true;

    private Kafka() {
      super(OffsetResetStrategy.LATEST);
      Node broker = new Node(0, "localhost", 9092);
      updatePartitions(
          TOPIC,
          List.of(new PartitionInfo(TOPIC, 0, broker, new Node[] {broker}, new Node[] {broker})));
      updateEndOffsets(Map.of(new TopicPartition(TOPIC, 0), 7L));
    }

    @Override
    public synchronized List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
      return partitionsFor(topic);
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(
        Collection<TopicPartition> partitions, Duration timeout) {
      if (!answers) {
        throw new TimeoutException("no answer");
      }
      return endOffsets(partitions);
    }
  }

  @Test
  void saysThatKafkaDoesNotAnswerAndThatItDoesAgain() {
    Kafka kafka = new Kafka();
    try (LocatedFeed feed = new LocatedFeed(TOPIC, kafka, new ArrayList<>()::add)) {
      await().untilAsserted(() -> assertThat(feed.problem()).isEmpty());

      kafka.answers = false;
      await().untilAsserted(() -> assertThat(feed.problem()).isEqualTo("Kafka does not answer"));

      kafka.answers = true;
      await().untilAsserted(() -> assertThat(feed.problem()).isEmpty());
    }
  }
}
