package io.lastfix.jobs.kafka.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.CommittingStart;
import io.lastfix.jobs.kafka.catalog.CatalogEnds.End;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Where the catalogue ends at a real broker, and where a start commits that it begins. */
@Timeout(60)
class CatalogEndsIT {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Map<String, String> COMMITTED = Map.of("isolation.level", "read_committed");
  private static final long TOPIC_END = 90;

  private static TestStack stack;
  private static Admin admin;

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
    topic = test.getTestMethod().orElseThrow().getName();
    admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
    await("the broker knows the topic that the controller made")
        .atMost(LIMIT)
        .until(() -> admin.listTopics().names().get().contains(topic));
  }

  @Test
  void anEmptyTopicHasNoEnds() {
    assertThat(find(Map.of())).isEmpty();
  }

  @Test
  void aTopicWhoseEntriesAreAllDeletedHasNone() throws Exception {
    try (Producer<byte[], byte[]> producer = producer(false)) {
      send(producer, 0, 3);
    }
    admin
        .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(3)))
        .all()
        .get();

    assertThat(find(Map.of())).isEmpty();
  }

  @Test
  void thePartitionsWithEntriesEndBehindTheirLast() throws Exception {
    try (Producer<byte[], byte[]> producer = producer(false)) {
      send(producer, 1, 3);
    }

    assertThat(find(Map.of())).isEqualTo(Map.of(1, new End(3, 3, 3)));
  }

  @Test
  void entriesThatComeAfterTheFirstLookDoNotMoveTheEnd() throws Exception {
    try (Producer<byte[], byte[]> producer = producer(false)) {
      send(producer, 0, 3);
      Map<Integer, End> first = find(Map.of());
      send(producer, 0, 3);
      send(producer, 1, 3);

      assertThat(find(Map.of(), first)).isEqualTo(Map.of(0, new End(3, 3, 6)));
    }
  }

  /** What an earlier search found of a topic that ends before that is of a former one. */
  @Test
  void aTopicThatEndsBeforeWhatWasFoundEndsWhereItEndsNow() throws Exception {
    try (Producer<byte[], byte[]> producer = producer(false)) {
      send(producer, 0, 3);
    }

    assertThat(find(Map.of(), Map.of(0, new End(300, 300, 300))))
        .isEqualTo(Map.of(0, new End(3, 3, 3)));
  }

  /** The topic's end is behind the marker, where no reader of records ever comes. */
  @Test
  void theMarkerOfATransactionIsNoEntry() throws Exception {
    try (Producer<byte[], byte[]> producer = producer(true)) {
      producer.initTransactions();
      producer.beginTransaction();
      send(producer, 0, 3);
      producer.commitTransaction();
    }
    // The coordinator writes it after it has answered the commit.
    await("the marker").atMost(LIMIT).until(() -> topicEnd(0) == 4);

    assertThat(find(Map.of())).isEqualTo(Map.of(0, new End(4, 3, 4)));
    assertThat(find(COMMITTED)).isEqualTo(Map.of(0, new End(4, 3, 4)));
  }

  @Test
  void withReadCommittedAnAbortedTransactionIsNoneAndAnOpenOneNeither() throws Exception {
    try (Producer<byte[], byte[]> producer = producer(true)) {
      producer.initTransactions();
      producer.beginTransaction();
      send(producer, 0, 3);
      producer.commitTransaction();
      producer.beginTransaction();
      // More than the first search backwards covers.
      send(producer, 0, 500);
      producer.abortTransaction();
      producer.beginTransaction();
      send(producer, 0, 3);

      assertThat(find(COMMITTED)).isEqualTo(Map.of(0, new End(505, 3, 505)));
      assertThat(find(Map.of())).isEqualTo(Map.of(0, new End(508, 508, 508)));
      producer.abortTransaction();
    }
  }

  @Test
  void aTopicThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> new CatalogEnds(kafka(topic + "-missing", Map.of())).find(Map.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(topic + "-missing");
  }

  @Test
  void theJobsGroupIsSetToWhereAStartBeginsSoThatItsLagIsTrue() throws Exception {
    TopicPartition partition = new TopicPartition(topic, 0);
    admin
        .alterConsumerGroupOffsets(topic, Map.of(partition, new OffsetAndMetadata(99)))
        .all()
        .get();

    new CommittingStart(new StartAtSeven(), kafka(topic, Map.of()), topic)
        .getPartitionOffsets(List.of(partition), new KnownOffsets(Map.of(), Map.of(partition, 0L)));

    assertThat(admin.listConsumerGroupOffsets(topic).partitionsToOffsetAndMetadata().get())
        .containsEntry(partition, new OffsetAndMetadata(7));
  }

  @Test
  void aCommittedOffsetIsLookedUpAtTheStartSoThatAnOldCheckpointDoesNotMoveOn() throws Exception {
    TopicPartition committed = new TopicPartition(topic, 0);
    TopicPartition never = new TopicPartition(topic, 1);

    Map<TopicPartition, Long> starts =
        new CommittingStart(
                OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST),
                kafka(topic, Map.of()),
                topic)
            .getPartitionOffsets(
                List.of(committed, never),
                new KnownOffsets(Map.of(committed, 42L), Map.of(committed, 0L, never, 5L)));

    assertThat(starts).containsOnly(Map.entry(committed, 42L), Map.entry(never, 5L));
    assertThat(admin.listConsumerGroupOffsets(topic).partitionsToOffsetAndMetadata().get())
        .as("only the partition that had no commit gets one")
        .containsOnly(Map.entry(never, new OffsetAndMetadata(5)));
  }

  @Test
  void aGroupThatHasReadNothingMayBeginAtTheEnd() throws Exception {
    TopicPartition one = new TopicPartition(topic, 0);
    TopicPartition other = new TopicPartition(topic, 1);
    Map<TopicPartition, Long> beginnings = Map.of(one, 0L, other, 5L);
    CommittingStart start =
        new CommittingStart(
            OffsetsInitializer.committedOffsets(OffsetResetStrategy.LATEST),
            kafka(topic, Map.of()),
            topic);

    assertThat(
            start.getPartitionOffsets(List.of(one, other), new KnownOffsets(Map.of(), beginnings)))
        .containsOnly(Map.entry(one, TOPIC_END), Map.entry(other, TOPIC_END));
    assertThat(admin.listConsumerGroupOffsets(topic).partitionsToOffsetAndMetadata().get())
        .as("a restart before the first checkpoint begins there, too")
        .containsOnly(
            Map.entry(one, new OffsetAndMetadata(TOPIC_END)),
            Map.entry(other, new OffsetAndMetadata(TOPIC_END)));
    assertThat(
            start.getPartitionOffsets(
                List.of(one, other), new KnownOffsets(Map.of(one, 42L), beginnings)))
        .as("a partition that was added meanwhile is read from its beginning")
        .containsOnly(Map.entry(one, 42L), Map.entry(other, 5L));
  }

  @Test
  void aGroupThatAnotherProgramIsAMemberOfIsNamedWithItsBrokers() {
    TopicPartition partition = new TopicPartition(topic, 0);
    KnownOffsets known = new KnownOffsets(Map.of(), Map.of(partition, 0L));
    CommittingStart start = new CommittingStart(new StartAtSeven(), kafka(topic, Map.of()), topic);
    Properties properties = kafka(topic, Map.of()).clientProperties();
    properties.setProperty(ConsumerConfig.GROUP_ID_CONFIG, topic);
    try (Consumer<byte[], byte[]> member =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      member.subscribe(List.of(topic));
      await("a member of the group")
          .atMost(LIMIT)
          .until(
              () -> {
                var unused = member.poll(Duration.ofMillis(100));
                return !member.assignment().isEmpty();
              });

      assertThatThrownBy(() -> start.getPartitionOffsets(List.of(partition), known))
          .isInstanceOf(IllegalStateException.class)
          .hasNoCause()
          .hasMessage(
              "The start offsets of group %s cannot be committed to Kafka at %s: another program is a member of that group: stop it, or configure another kafka.group-id"
                  .formatted(topic, stack.kafka()));
    }
  }

  private long topicEnd(int partition) throws Exception {
    TopicPartition ofTopic = new TopicPartition(topic, partition);
    return admin
        .listOffsets(Map.of(ofTopic, OffsetSpec.latest()))
        .partitionResult(ofTopic)
        .get()
        .offset();
  }

  private Map<Integer, End> find(Map<String, String> properties) {
    return find(properties, Map.of());
  }

  private Map<Integer, End> find(Map<String, String> properties, Map<Integer, End> known) {
    return new CatalogEnds(kafka(topic, properties)).find(known);
  }

  /** The topic's name is the group's, too. */
  private static KafkaOptions kafka(String topic, Map<String, String> properties) {
    return new KafkaOptions(
        stack.kafka(), topic, "unused.", topic, "unused", false, 1, (short) 1, properties);
  }

  private Producer<byte[], byte[]> producer(boolean isTransactional) {
    Properties properties = new Properties();
    properties.setProperty(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, stack.kafka());
    if (isTransactional) {
      properties.setProperty(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topic);
    }
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private void send(Producer<byte[], byte[]> producer, int partition, int entries)
      throws Exception {
    for (int i = 0; i < entries; i++) {
      // One by one: a failure to send fails the test here.
      assertThat(
              producer
                  .send(new ProducerRecord<>(topic, partition, new byte[] {1}, new byte[] {1}))
                  .get(LIMIT.toSeconds(), TimeUnit.SECONDS)
                  .hasOffset())
          .isTrue();
    }
  }

  /** A start that is easy to recognise. */
  private static final class StartAtSeven implements OffsetsInitializer {
    private static final long serialVersionUID = 1L;

    @Override
    public Map<TopicPartition, Long> getPartitionOffsets(
        Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
      return partitions.stream().collect(Collectors.toMap(partition -> partition, p -> 7L));
    }

    @Override
    public OffsetResetStrategy getAutoOffsetResetStrategy() {
      return OffsetResetStrategy.EARLIEST;
    }
  }

  /** Answers as a broker with these offsets would. */
  private record KnownOffsets(
      Map<TopicPartition, Long> committed, Map<TopicPartition, Long> beginnings)
      implements OffsetsInitializer.PartitionOffsetsRetriever {
    @Override
    public Map<TopicPartition, Long> committedOffsets(Collection<TopicPartition> partitions) {
      return of(committed, partitions);
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
      return of(beginnings, partitions);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
      return partitions.stream()
          .collect(Collectors.toMap(partition -> partition, partition -> TOPIC_END));
    }

    @Override
    public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
        Map<TopicPartition, Long> timestamps) {
      return new HashMap<>();
    }

    private static Map<TopicPartition, Long> of(
        Map<TopicPartition, Long> offsets, Collection<TopicPartition> partitions) {
      return partitions.stream()
          .filter(offsets::containsKey)
          .collect(Collectors.toMap(partition -> partition, offsets::get));
    }
  }
}
