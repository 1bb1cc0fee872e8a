package io.lastfix.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.AfterCatalog;
import io.lastfix.jobs.kafka.CatalogGroup;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/**
 * Holding the location records back at a real broker. The catalogue's source is played by the test,
 * which commits offsets when it wants to.
 */
@Timeout(60)
class AfterCatalogIT {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int PARTITIONS = 2;
  private static final int SOME = 50;
  private static final TopicPartition LOCATIONS = new TopicPartition("location", 0);

  private static TestStack stack;
  private static Admin admin;

  private final ExecutorService coordinator = Executors.newSingleThreadExecutor();
  private String topic = "";
  private CatalogGroup group = new CatalogGroup("");

  @BeforeAll
  static void connect() throws Exception {
    stack = TestStack.shared();
    admin = Admin.create(Map.of("bootstrap.servers", stack.kafka()));
    admin.createTopics(List.of(new NewTopic(LOCATIONS.topic(), 1, (short) 1))).all().get();
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
    group = CatalogGroup.ofNewStart(jobGroup());
    admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1))).all().get();
    await("the broker knows the topic that the controller made")
        .atMost(LIMIT)
        .until(() -> admin.listTopics().names().get().contains(topic));
  }

  @AfterEach
  void stopWaiting() {
    coordinator.shutdownNow();
  }

  @Test
  void anEmptyCatalogueHoldsNothingBack() throws Exception {
    assertThat(begin(LONG).get(20, TimeUnit.SECONDS)).isEqualTo(Map.of(LOCATIONS, 7L));
  }

  @Test
  void aCatalogueWhoseEntriesAreAllDeletedHoldsNothingBack() throws Exception {
    publish(0, 3);
    admin
        .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(3)))
        .all()
        .get();

    assertThat(begin(LONG).get(20, TimeUnit.SECONDS)).isEqualTo(Map.of(LOCATIONS, 7L));
  }

  @Test
  void recordsAreHeldBackUntilEveryPartitionOfTheCatalogueIsCommittedToItsEnd() throws Exception {
    publish(0, 3);
    publish(1, 2);
    Future<Map<TopicPartition, Long>> offsets = begin(LONG);

    commit(0, 3);
    commit(1, 1);
    staysHeldBack(offsets);

    commit(1, 2);
    assertThat(offsets.get(20, TimeUnit.SECONDS)).isEqualTo(Map.of(LOCATIONS, 7L));
  }

  @Test
  void aPartitionWithoutEntriesIsNotWaitedFor() throws Exception {
    publish(0, 3);
    Future<Map<TopicPartition, Long>> offsets = begin(LONG);

    commit(0, 3);

    assertThat(offsets.get(20, TimeUnit.SECONDS)).isEqualTo(Map.of(LOCATIONS, 7L));
  }

  /** The group is always behind by some entries: a wait for an end that moves would not end. */
  @Test
  void entriesThatComeDuringTheWaitDoNotProlongIt() throws Exception {
    publish(0, SOME);
    Future<Map<TopicPartition, Long>> offsets = begin(LONG);

    AtomicInteger behind = new AtomicInteger();
    await("the entries that were there at first are committed")
        .atMost(LIMIT)
        .until(
            () -> {
              publish(0, SOME);
              commit(0, behind.addAndGet(SOME));
              return offsets.isDone();
            });
    assertThat(offsets.get()).isEqualTo(Map.of(LOCATIONS, 7L));
  }

  @Test
  void whatOtherStartsOfTheSameJobCommittedDoesNotCount() throws Exception {
    publish(0, 3);
    commit(CatalogGroup.ofNewStart(jobGroup()), 0, 3);
    commit(CatalogGroup.ofFormerRelease(jobGroup()), 0, 3);

    Future<Map<TopicPartition, Long>> offsets = begin(LONG);

    staysHeldBack(offsets);
    commit(0, 3);
    assertThat(offsets.get(20, TimeUnit.SECONDS)).isEqualTo(Map.of(LOCATIONS, 7L));
  }

  @Test
  void afterItsTimeoutItGoesOnWithWhatThereIs() throws Exception {
    publish(0, 3);
    Duration timeout = Duration.ofSeconds(2);
    long began = System.nanoTime();

    assertThat(begin(timeout).get(20, TimeUnit.SECONDS)).isEqualTo(Map.of(LOCATIONS, 7L));

    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isBetween(timeout, timeout.plusSeconds(10));
  }

  @Test
  void withoutPartitionsOfItsOwnNothingIsWaitedFor() throws Exception {
    publish(0, 3);

    assertThat(afterCatalog(LONG).getPartitionOffsets(List.of(), NoOffsets.INSTANCE)).isEmpty();
  }

  /** As the source coordinator's thread would. */
  private Future<Map<TopicPartition, Long>> begin(Duration timeout) {
    AfterCatalog afterCatalog = afterCatalog(timeout);
    return coordinator.submit(
        () -> afterCatalog.getPartitionOffsets(List.of(LOCATIONS), NoOffsets.INSTANCE));
  }

  private AfterCatalog afterCatalog(Duration timeout) {
    KafkaOptions kafka =
        new KafkaOptions(
            stack.kafka(),
            jobGroup(),
            "unused.",
            topic,
            "unused.rejected",
            false,
            1,
            (short) 1,
            Map.of());
    return new AfterCatalog(new StartAtSeven(), kafka, group, timeout);
  }

  private String jobGroup() {
    return topic;
  }

  @Test
  void theJobsGroupIsSetToWhereThisStartBeginsSoThatItsLagIsTrue() throws Exception {
    admin
        .alterConsumerGroupOffsets(jobGroup(), Map.of(LOCATIONS, new OffsetAndMetadata(99)))
        .all()
        .get();

    begin(LONG).get(20, TimeUnit.SECONDS);

    assertThat(admin.listConsumerGroupOffsets(jobGroup()).partitionsToOffsetAndMetadata().get())
        .containsEntry(LOCATIONS, new OffsetAndMetadata(7));
  }

  private static void staysHeldBack(Future<?> offsets) {
    await("still held back").during(Duration.ofMillis(800)).until(() -> !offsets.isDone());
  }

  private void commit(int partition, long offset) throws Exception {
    commit(group, partition, offset);
  }

  private void commit(CatalogGroup committing, int partition, long offset) throws Exception {
    admin
        .alterConsumerGroupOffsets(
            committing.id(),
            Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
        .all()
        .get();
  }

  private void publish(int partition, int entries) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", stack.kafka());
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < entries; i++) {
        // One by one: a failure to send fails the test here.
        assertThat(
                producer
                    .send(
                        new ProducerRecord<>(
                            topic, partition, ("key" + i).getBytes(UTF_8), new byte[] {1}))
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .partition())
            .isEqualTo(partition);
      }
    }
  }

  /** A start that is easy to recognise. */
  private static final class StartAtSeven implements OffsetsInitializer {
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

  /** For a start that asks for nothing. */
  private enum NoOffsets implements OffsetsInitializer.PartitionOffsetsRetriever {
    INSTANCE;

    @Override
    public Map<TopicPartition, Long> committedOffsets(Collection<TopicPartition> partitions) {
      return new HashMap<>();
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
      return new HashMap<>();
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
      return new HashMap<>();
    }

    @Override
    public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
        Map<TopicPartition, Long> timestamps) {
      return new HashMap<>();
    }
  }
}
