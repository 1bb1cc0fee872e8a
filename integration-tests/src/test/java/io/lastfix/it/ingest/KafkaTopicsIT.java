package io.lastfix.it.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.parse.RejectedMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a job does about its topics at a real broker before it starts. */
class KafkaTopicsIT {
  private static final List<String> PROFILES = List.of("arcanum", "json");
  private static final int PARTITIONS = 3;
  private static final long LIMIT_SECONDS = 30;

  /** Kafka's own default of max.message.bytes. */
  private static final int DEFAULT_MAX_MESSAGE_BYTES = 1_048_588;

  private static TestStack stack;
  private static Admin admin;

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

  @Test
  void topicsAreMadeOnceHoweverManyCallersRace() throws Exception {
    KafkaOptions options = options("race", true);
    int callers = 6;
    CyclicBarrier together = new CyclicBarrier(callers);
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    List<Integer> sizes = new ArrayList<>();
    try {
      Callable<Integer> caller =
          () -> {
            try (Admin ofItsOwn = Admin.create(options.clientProperties())) {
              together.await(LIMIT_SECONDS, TimeUnit.SECONDS);
              return new KafkaTopics(ofItsOwn, options).ensure(PROFILES);
            }
          };
      List<Future<Integer>> running = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        running.add(threads.submit(caller));
      }
      for (Future<Integer> one : running) {
        sizes.add(one.get(2 * LIMIT_SECONDS, TimeUnit.SECONDS));
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(admin.listTopics().names().get())
        .filteredOn(topic -> topic.startsWith("race."))
        .containsExactlyInAnyOrder(
            "race.location.arcanum", "race.location.json", "race.cells", "race.rejected");
    assertThat(
            admin
                .describeTopics(List.of("race.location.arcanum", "race.cells", "race.rejected"))
                .allTopicNames()
                .get()
                .values())
        .allSatisfy(topic -> assertThat(topic.partitions()).hasSize(PARTITIONS));
    assertThat(sizes).as("what each caller was told").containsOnly(sizes.get(0));
    awaitMaxMessageBytes("race.rejected", sizes.get(0));
  }

  /** Without a retry, so that it fails where a leader is not there yet. */
  @Test
  void everyPartitionOfANewTopicTakesMessagesAtOnce() throws Exception {
    KafkaOptions options = options("atOnce", true);
    ensure(options);
    Properties properties = options.clientProperties();
    properties.put(ProducerConfig.RETRIES_CONFIG, 0);
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (String topic : List.of("atOnce.location.arcanum", "atOnce.cells", "atOnce.rejected")) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
          byte[] some = {1};
          assertThat(
                  producer
                      .send(new ProducerRecord<>(topic, partition, some, some))
                      .get(LIMIT_SECONDS, TimeUnit.SECONDS)
                      .partition())
              .isEqualTo(partition);
        }
      }
    }
  }

  @Test
  void aTopicThatIsThereKeepsItsPartitions() throws Exception {
    KafkaTopics topics = new KafkaTopics(admin, options("kept", true));
    topics.createMissing(List.of("kept.one"), 3);

    topics.createMissing(List.of("kept.one", "kept.other"), 5);

    // A broker learns of a topic a moment after the controller has made it.
    Map<String, TopicDescription> made =
        await("the broker knows both")
            .atMost(Duration.ofSeconds(LIMIT_SECONDS))
            .ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownTopicOrPartitionException)
            .until(
                () -> admin.describeTopics(List.of("kept.one", "kept.other")).allTopicNames().get(),
                topicsByName -> topicsByName.size() == 2);
    assertThat(made.get("kept.one").partitions()).hasSize(3);
    assertThat(made.get("kept.other").partitions()).hasSize(5);
  }

  @Test
  void onlyTheCatalogueIsCompacted() throws Exception {
    ensure(options("compacted", true));

    assertThat(cleanupPolicy("compacted.cells")).isEqualTo("compact");
    assertThat(cleanupPolicy("compacted.location.json")).isEqualTo("delete");
    assertThat(cleanupPolicy("compacted.rejected")).isEqualTo("delete");
  }

  /** A job that is stopped for less must not miss that a cell was taken out. */
  @Test
  void theCatalogueKeepsRemovalsForThirtyDaysAndWhatIsSetAlreadyStays() throws Exception {
    ensure(options("removals", true));
    assertThat(value("removals.cells", TopicConfig.DELETE_RETENTION_MS_CONFIG))
        .isEqualTo(Long.toString(Duration.ofDays(30).toMillis()));

    admin
        .createTopics(
            List.of(
                new NewTopic("kept.cells", 1, (short) 1)
                    .configs(
                        Map.of(
                            TopicConfig.CLEANUP_POLICY_CONFIG, "compact",
                            TopicConfig.DELETE_RETENTION_MS_CONFIG, "1000"))))
        .all()
        .get();
    ensure(options("kept", true));
    assertThat(value("kept.cells", TopicConfig.DELETE_RETENTION_MS_CONFIG)).isEqualTo("1000");
  }

  @Test
  void theCatalogueTakesNoMessageThatIsDatedYearsAhead() throws Exception {
    ensure(options("dated", true));

    try (Producer<byte[], byte[]> producer = producer(DEFAULT_MAX_MESSAGE_BYTES)) {
      assertThatThrownBy(() -> producer.send(cell("dated.cells", Duration.ofDays(3_650))).get())
          .hasCauseInstanceOf(InvalidTimestampException.class);
      assertThat(producer.send(cell("dated.cells", Duration.ofHours(1))).get().offset()).isZero();
    }
  }

  private static ProducerRecord<byte[], byte[]> cell(String topic, Duration ahead) {
    return new ProducerRecord<>(
        topic,
        0,
        Instant.now().plus(ahead).toEpochMilli(),
        "1-2-3-4".getBytes(UTF_8),
        "{\"cell\":\"1-2-3-4\",\"towers\":[]}".getBytes(UTF_8));
  }

  @Test
  void aCatalogueTopicWithAnotherPolicyIsLeftAsItIsAndTheRemedyIsNamed() throws Exception {
    admin.createTopics(List.of(new NewTopic("others.cells", 1, (short) 1))).all().get();

    assertThatThrownBy(() -> ensure(options("others", true)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Topic others.cells has cleanup.policy=delete")
        .hasMessageEndingWith(
            "kafka-configs.sh --bootstrap-server %s --alter --entity-type topics --entity-name others.cells --add-config cleanup.policy=compact"
                .formatted(stack.kafka()));
    assertThat(cleanupPolicy("others.cells")).isEqualTo("delete");
  }

  @Test
  void theRejectedTopicTakesTheLargestMessageOfALocationTopicWithItsHeaders() throws Exception {
    KafkaOptions options = options("sizes", true);
    int before = ensure(options);
    assertThat(before).isGreaterThan(DEFAULT_MAX_MESSAGE_BYTES);
    int raised = 3_000_000;
    setMaxMessageBytes("sizes.location.json", raised);

    int after = ensure(options);

    assertThat(after).isGreaterThan(raised);
    awaitMaxMessageBytes("sizes.rejected", after);
    try (Producer<byte[], byte[]> producer = producer(after)) {
      byte[] largest = largestMessage(producer, "sizes.location.json", raised);
      ProducerRecord<byte[], byte[]> rejected = new ProducerRecord<>("sizes.rejected", largest);
      rejected.headers().add("detail", new byte[32 * 1024]);
      assertThat(producer.send(rejected).get(LIMIT_SECONDS, TimeUnit.SECONDS).hasOffset()).isTrue();
    }
  }

  @Test
  void theRejectedTopicGrowsNoFurtherThanARejectedMessage() throws Exception {
    KafkaOptions options = options("grows", true);
    ensure(options);
    setMaxMessageBytes("grows.location.json", 80_000_000);

    int after = ensure(options);

    assertThat(after).isBetween(RejectedMessage.MAX_BYTES, RejectedMessage.MAX_BYTES + 100_000);
    awaitMaxMessageBytes("grows.rejected", after);
    assertThat(Integer.parseInt(value("grows.rejected", TopicConfig.SEGMENT_BYTES_CONFIG)))
        .as("a message has to fit into a segment")
        .isGreaterThanOrEqualTo(after);
  }

  /** The largest value that the topic takes: what is above it, the broker refuses. */
  private static byte[] largestMessage(Producer<byte[], byte[]> producer, String topic, int limit)
      throws Exception {
    // A batch of one message has about seventy bytes around the value.
    for (int size = limit; size > limit - 200; size -= 10) {
      byte[] value = new byte[size];
      if (isTaken(producer, topic, value)) {
        return value;
      }
    }
    throw new AssertionError("no size near the limit was taken");
  }

  private static boolean isTaken(Producer<byte[], byte[]> producer, String topic, byte[] value)
      throws Exception {
    try {
      producer.send(new ProducerRecord<>(topic, value)).get(LIMIT_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(RecordTooLargeException.class);
      return false;
    }
  }

  @Test
  void aRejectedTopicThatIsLargeEnoughIsLeftAlone() throws Exception {
    KafkaOptions options = options("large", true);
    ensure(options);
    setMaxMessageBytes("large.rejected", 90_000_000);

    assertThat(ensure(options)).isEqualTo(90_000_000);
    assertThat(maxMessageBytes("large.rejected")).isEqualTo(90_000_000);
  }

  @Test
  void whereTopicsMayNotBeMadeAllThatAreMissingAreNamed() throws Exception {
    KafkaOptions forbidden = options("forbidden", false);

    assertThatThrownBy(() -> ensure(forbidden))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Kafka has no topic forbidden.location.arcanum, forbidden.location.json,"
                + " forbidden.cells, forbidden.rejected. Create them, or set kafka.create-topics:"
                + " true. Kafka hides a topic from a user without Describe on it: grant that if the"
                + " topic exists");
    assertThat(admin.listTopics().names().get()).noneMatch(topic -> topic.startsWith("forbidden."));
  }

  @Test
  void whereTopicsMayNotBeChangedARejectedTopicThatIsTooSmallIsNamedWithWhatItNeeds()
      throws Exception {
    ensure(options("small", true));
    setMaxMessageBytes("small.rejected", 1000);

    assertThatThrownBy(() -> ensure(options("small", false)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Topic small.rejected accepts messages of up to 1000 bytes")
        .hasMessageEndingWith("Raise its max.message.bytes, or its segment.bytes");
    assertThat(maxMessageBytes("small.rejected")).isEqualTo(1000);
  }

  @Test
  void theTopicOfLocatedRecordsIsMadeIfItIsMissing() throws Exception {
    KafkaTopics topics = new KafkaTopics(admin, options("published", true));

    topics.ensureLocated("published.located");
    topics.ensureLocated("published.located");

    assertThat(
            admin
                .describeTopics(List.of("published.located"))
                .allTopicNames()
                .get()
                .get("published.located")
                .partitions())
        .hasSize(PARTITIONS);
    assertThat(cleanupPolicy("published.located")).isEqualTo("delete");
  }

  @Test
  void whereTopicsMayNotBeMadeTheMissingTopicOfLocatedRecordsIsNamedWithItsKey() throws Exception {
    KafkaTopics topics = new KafkaTopics(admin, options("unpublished", false));

    assertThatThrownBy(() -> topics.ensureLocated("unpublished.located"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Kafka has no topic unpublished.located (located.topic). Create it, or set"
                + " kafka.create-topics: true. Kafka hides a topic from a user without Describe on"
                + " it: grant that if the topic exists");
    assertThat(admin.listTopics().names().get()).doesNotContain("unpublished.located");
  }

  @Test
  void aCompactedTopicOfLocatedRecordsIsRefusedAndTheRemedyIsNamed() throws Exception {
    admin
        .createTopics(
            List.of(
                new NewTopic("compact.located", 1, (short) 1)
                    .configs(
                        Map.of(
                            TopicConfig.CLEANUP_POLICY_CONFIG,
                            TopicConfig.CLEANUP_POLICY_COMPACT))))
        .all()
        .get();
    KafkaTopics topics = new KafkaTopics(admin, options("compact", true));

    assertThatThrownBy(() -> topics.ensureLocated("compact.located"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "Topic compact.located has cleanup.policy=compact, but every record has to stay")
        .hasMessageEndingWith("--entity-name compact.located --add-config cleanup.policy=delete");
    assertThat(cleanupPolicy("compact.located")).isEqualTo("compact");
  }

  private static int ensure(KafkaOptions options) {
    return new KafkaTopics(admin, options).ensure(PROFILES);
  }

  private static KafkaOptions options(String prefix, boolean createTopics) {
    return new KafkaOptions(
        stack.kafka(),
        prefix,
        prefix + ".location.",
        prefix + ".cells",
        prefix + ".rejected",
        createTopics,
        PARTITIONS,
        (short) -1,
        Map.of());
  }

  private static Producer<byte[], byte[]> producer(int maxRequestBytes) {
    Properties properties = new Properties();
    properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, stack.kafka());
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxRequestBytes);
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static String cleanupPolicy(String topic) throws Exception {
    return value(topic, TopicConfig.CLEANUP_POLICY_CONFIG);
  }

  private static int maxMessageBytes(String topic) throws Exception {
    return Integer.parseInt(value(topic, TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
  }

  /** A broker learns of a change a moment after the controller has taken it. */
  private static void awaitMaxMessageBytes(String topic, int bytes) {
    await("max.message.bytes of " + topic)
        .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
        .until(() -> maxMessageBytes(topic) == bytes);
  }

  private static String value(String topic, String name) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return admin.describeConfigs(List.of(resource)).all().get().get(resource).get(name).value();
  }

  /** And the segments of its log so large, too. */
  private static void setMaxMessageBytes(String topic, int bytes) throws Exception {
    List<AlterConfigOp> changes =
        Stream.of(
                new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(bytes)),
                new ConfigEntry(
                    TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(Math.max(bytes, 1 << 26))))
            .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
            .toList();
    admin
        .incrementalAlterConfigs(
            Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), changes))
        .all()
        .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    awaitMaxMessageBytes(topic, bytes);
  }
}
