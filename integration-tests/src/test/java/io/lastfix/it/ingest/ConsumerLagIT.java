package io.lastfix.it.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.it.harness.TestStack;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What a group has not committed yet, by a real broker's offsets. */
class ConsumerLagIT {
  private static final long LIMIT_SECONDS = 30;

  private static TestStack stack;
  private static Admin admin;

  private String topic = "";
  private String group = "";

  @BeforeAll
  static void connect() {
    stack = TestStack.shared();
    admin = Admin.create(Map.of("bootstrap.servers", stack.kafka()));
  }

  @AfterAll
  static void disconnect() {
    if (admin != null) {
      admin.close();
    }
  }

  @BeforeEach
  void fillATopicOfItsOwn(TestInfo test) throws Exception {
    topic = test.getTestMethod().orElseThrow().getName();
    group = topic + "-group";
    admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
    publish(0, 10);
    publish(1, 5);
  }

  @Test
  void aGroupThatNeverCommittedLagsByAllThereIs() throws Exception {
    assertThat(lag()).isEqualTo(Map.of(topic, 15L));
  }

  @Test
  void committedOffsetsAreSubtractedPartitionByPartition() throws Exception {
    commit(0, 8);

    assertThat(lag()).isEqualTo(Map.of(topic, 2L + 5L));

    commit(0, 10);
    commit(1, 5);
    assertThat(lag()).isEqualTo(Map.of(topic, 0L));
  }

  @Test
  void whatTheBrokerHasDeletedIsNoLag() throws Exception {
    commit(1, 5);
    admin
        .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(7)))
        .all()
        .get();

    assertThat(lag()).as("never committed").isEqualTo(Map.of(topic, 3L));

    commit(0, 2);
    assertThat(lag()).as("committed to what is gone").isEqualTo(Map.of(topic, 3L));
  }

  @Test
  void whatComesAfterTheRangeWasTakenIsNotCounted() throws Exception {
    ConsumerLag consumerLag = new ConsumerLag(admin);
    Map<TopicPartition, Range> before = consumerLag.ranges(List.of(topic));
    publish(0, 100);

    assertThat(before)
        .isEqualTo(
            Map.of(
                new TopicPartition(topic, 0), new Range(0, 10),
                new TopicPartition(topic, 1), new Range(0, 5)));
    assertThat(consumerLag.byTopic(group, before)).isEqualTo(Map.of(topic, 15L));

    // Also one that is ahead of the range in one partition does not make up for the other.
    commit(0, 110);
    assertThat(consumerLag.byTopic(group, before)).isEqualTo(Map.of(topic, 5L));
  }

  @Test
  void groupsAreFoundByTheirNamesWithTheTopicsTheyHaveCommittedFor() throws Exception {
    commit(0, 8);

    assertThat(new ConsumerLag(admin).byGroupAndTopic(group::equals))
        .isEqualTo(Map.of(group, Map.of(topic, 2L + 5L)));
    assertThat(new ConsumerLag(admin).byGroupAndTopic(name -> false)).isEmpty();
  }

  @Test
  void ofSeveralGroupsTheHighestOffsetOfEachPartitionCounts() throws Exception {
    String other = group + "-other";
    commit(0, 8);
    commit(1, 2);
    commit(other, 1, 5);
    commit(topic + "-of-nobody", 0, 10);

    assertThat(new ConsumerLag(admin).highestCommitted(name -> name.startsWith(group)))
        .isEqualTo(Map.of(new TopicPartition(topic, 0), 8L, new TopicPartition(topic, 1), 5L));
    assertThat(new ConsumerLag(admin).highestCommitted(name -> false)).isEmpty();
  }

  @Test
  void aTopicThatDoesNotExistIsLeftOut() throws Exception {
    assertThat(new ConsumerLag(admin).ranges(List.of(topic, "missing"))).hasSize(2);
    assertThat(new ConsumerLag(admin).ranges(List.of("missing"))).isEmpty();
  }

  private Map<String, Long> lag() throws Exception {
    ConsumerLag consumerLag = new ConsumerLag(admin);
    return consumerLag.byTopic(group, consumerLag.ranges(List.of(topic)));
  }

  private void commit(int partition, long offset) throws Exception {
    commit(group, partition, offset);
  }

  private void commit(String committing, int partition, long offset) throws Exception {
    admin
        .alterConsumerGroupOffsets(
            committing, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
        .all()
        .get();
  }

  private void publish(int partition, int messages) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", stack.kafka());
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < messages; i++) {
        // One by one: a failure to send fails the test here.
        assertThat(
                producer
                    .send(new ProducerRecord<>(topic, partition, null, new byte[] {1}))
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS)
                    .partition())
            .isEqualTo(partition);
      }
    }
  }
}
