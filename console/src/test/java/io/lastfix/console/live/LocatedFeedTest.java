package io.lastfix.console.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import io.lastfix.model.located.LocatedRecordCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class LocatedFeedTest {
  private static final String TOPIC = "located";
  private static final LocatedRecord RECORD =
      new LocatedRecord(
          "a",
          new Place.AtCell(new CellId(310, 410, 1, 2), null),
          1_000,
          new Position(-122.4, 37.7),
          false);

  /** As a real one does, it knows the partitions also if Kafka does not answer. */
  private static final class Kafka extends MockConsumer<byte[], byte[]> {
    private static final Node BROKER = new Node(0, "localhost", 9092);

    /** The partitions that do not answer. */
    private final Set<Integer> silent = ConcurrentHashMap.newKeySet();

    private Kafka(Node... leaders) {
      super(OffsetResetStrategy.LATEST);
      List<PartitionInfo> partitions = new ArrayList<>();
      for (int i = 0; i < leaders.length; i++) {
        Node[] replicas = {BROKER};
        partitions.add(new PartitionInfo(TOPIC, i, leaders[i], replicas, replicas));
        updateEndOffsets(Map.of(new TopicPartition(TOPIC, i), 7L));
      }
      updatePartitions(TOPIC, partitions);
    }

    private void sends(int partition, LocatedRecord record) {
      long end =
          endOffsets(List.of(new TopicPartition(TOPIC, partition))).values().iterator().next();
      addRecord(
          new ConsumerRecord<>(
              TOPIC,
              partition,
              end,
              LocatedRecordCodec.key(record),
              LocatedRecordCodec.write(record)));
    }

    @Override
    public synchronized List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
      return partitionsFor(topic);
    }

    @Override
    public synchronized long position(TopicPartition partition, Duration timeout) {
      if (silent.contains(partition.partition())) {
        throw new TimeoutException("no answer");
      }
      return position(partition);
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(
        Collection<TopicPartition> partitions, Duration timeout) {
      if (partitions.stream().anyMatch(it -> silent.contains(it.partition()))) {
        throw new TimeoutException("no answer");
      }
      return endOffsets(partitions);
    }
  }

  @Test
  void saysThatKafkaDoesNotAnswerAndThatItDoesAgain() {
    Kafka kafka = new Kafka(Kafka.BROKER);
    try (LocatedFeed feed = new LocatedFeed(TOPIC, kafka, new ArrayList<>()::add)) {
      await().untilAsserted(() -> assertThat(feed.problem()).isEmpty());

      kafka.silent.add(0);
      await().untilAsserted(() -> assertThat(feed.problem()).hasValue("Kafka does not answer"));

      kafka.silent.remove(0);
      await().untilAsserted(() -> assertThat(feed.problem()).isEmpty());
    }
  }

  @Test
  void aPartitionWithoutALeaderDoesNotStopTheOthers() {
    Kafka kafka = new Kafka(Kafka.BROKER, Node.noNode());
    kafka.silent.add(1);
    List<Sighting> received = new CopyOnWriteArrayList<>();
    try (LocatedFeed feed = new LocatedFeed(TOPIC, kafka, received::add)) {
      await()
          .untilAsserted(
              () ->
                  assertThat(feed.problem())
                      .hasValue("1 of the 2 partitions of located have no leader"));

      kafka.sends(0, RECORD);

      await().untilAsserted(() -> assertThat(received).hasSize(1));
    }
  }

  /** The leader is gone, and the consumer does not know it yet. */
  @Test
  void aPartitionThatDoesNotAnswerDoesNotStopTheOthers() {
    Kafka kafka = new Kafka(Kafka.BROKER, Kafka.BROKER);
    List<Sighting> received = new CopyOnWriteArrayList<>();
    try (LocatedFeed feed = new LocatedFeed(TOPIC, kafka, received::add)) {
      await().untilAsserted(() -> assertThat(feed.problem()).isEmpty());
      kafka.silent.add(1);
      await().untilAsserted(() -> assertThat(feed.problem()).hasValue("Kafka does not answer"));

      kafka.sends(0, RECORD);

      await().untilAsserted(() -> assertThat(received).hasSize(1));
      assertThat(feed.problem()).hasValue("Kafka does not answer");
    }
  }
}
