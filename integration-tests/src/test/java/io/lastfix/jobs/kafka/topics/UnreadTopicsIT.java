package io.lastfix.jobs.kafka.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.config.KafkaOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Topics without a profile at a real broker: which of them a submission is refused for. */
@Timeout(60)
class UnreadTopicsIT {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Map<String, String> COMMITTED = Map.of("isolation.level", "read_committed");

  private static TestStack stack;
  private static Admin admin;

  private String group = "";
  private String topic = "";

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
  void makeTopicOfItsOwn(TestInfo test) throws Exception {
    group = test.getTestMethod().orElseThrow().getName();
    topic = group + ".arcanum";
    admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    await("the broker knows the topic that the controller made")
        .atMost(LIMIT)
        .until(() -> admin.listTopics().names().get().contains(topic));
  }

  @Test
  void oneThatEndsWithATransactionsMarkerAndWasReadToItsEndIsNotRefused() throws Exception {
    try (Producer<byte[], byte[]> producer = transactional()) {
      producer.beginTransaction();
      send(producer, 3);
      producer.commitTransaction();
    }
    commit(3);

    assertThatCode(() -> requireRead(Map.of())).doesNotThrowAnyException();
    assertThatCode(() -> requireRead(COMMITTED)).doesNotThrowAnyException();
  }

  @Test
  void oneWithARecordBehindAMarkerIsRefused() throws Exception {
    try (Producer<byte[], byte[]> producer = transactional()) {
      producer.beginTransaction();
      send(producer, 3);
      producer.commitTransaction();
      producer.beginTransaction();
      send(producer, 1);
      producer.commitTransaction();
    }
    commit(3);

    assertThatThrownBy(() -> requireRead(Map.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Topic %s has up to 3 unread records".formatted(topic))
        .hasMessageContaining("source.abandon-topics: " + topic);
  }

  @Test
  void abortedRecordsAreUnreadOnlyForAJobThatReadsThem() throws Exception {
    try (Producer<byte[], byte[]> producer = transactional()) {
      producer.beginTransaction();
      send(producer, 3);
      producer.abortTransaction();
    }
    commit(0);

    assertThatCode(() -> requireRead(COMMITTED)).doesNotThrowAnyException();
    assertThatThrownBy(() -> requireRead(Map.of())).hasMessageContaining("unread records");
  }

  @Test
  void anOpenTransactionMayYetBeCommittedSoItIsRefused() throws Exception {
    try (Producer<byte[], byte[]> producer = transactional()) {
      producer.beginTransaction();
      send(producer, 1);
      commit(0);

      assertThatThrownBy(() -> requireRead(COMMITTED)).hasMessageContaining("unread records");
      producer.abortTransaction();
    }
  }

  private void requireRead(Map<String, String> properties) {
    new UnreadTopics(
            admin,
            new KafkaOptions(
                stack.kafka(),
                group,
                group + ".",
                "unused",
                "unused",
                false,
                1,
                (short) 1,
                properties))
        .requireRead(List.of("json"), List.of());
  }

  private void commit(long offset) throws Exception {
    admin
        .alterConsumerGroupOffsets(
            group, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(offset)))
        .all()
        .get();
  }

  private Producer<byte[], byte[]> transactional() {
    Properties properties = new Properties();
    properties.setProperty(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, stack.kafka());
    properties.setProperty(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topic);
    Producer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  private void send(Producer<byte[], byte[]> producer, int records) throws Exception {
    for (int i = 0; i < records; i++) {
      // One by one: a failure to send fails the test here.
      assertThat(
              producer
                  .send(new ProducerRecord<>(topic, new byte[] {1}))
                  .get(LIMIT.toSeconds(), TimeUnit.SECONDS)
                  .hasOffset())
          .isTrue();
    }
  }
}
