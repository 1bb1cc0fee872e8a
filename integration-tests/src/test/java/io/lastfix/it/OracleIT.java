package io.lastfix.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.lastfix.cli.flink.Drain;
import io.lastfix.cli.flink.FlinkRest;
import io.lastfix.cli.flink.FlinkRun;
import io.lastfix.cli.flink.LocationMetrics;
import io.lastfix.cli.kafka.ConsumerLag;
import io.lastfix.it.Scenario.Fact;
import io.lastfix.it.Scenario.Message;
import io.lastfix.it.Scenario.TowerFact;
import io.lastfix.it.Scenario.Version;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.KafkaTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the job's jar on real servers with shuffled, repeated, late and broken input, and compares
 * both collections, document by document, with the {@link Oracle}. Numbers in brackets are the
 * invariants that integration-tests/README.md lists.
 */
class OracleIT {
  private static final long SEED = 20261121;
  private static final int SIGHTINGS = 4_000;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private static Path directory;

  private static TestStack stack;
  private static MongoClient mongo;

  @BeforeAll
  static void startServers() {
    stack = TestStack.start(directory);
    mongo = MongoClients.create(stack.mongoUri());
  }

  @AfterAll
  static void stopServers() {
    if (mongo != null) {
      mongo.close();
    }
    if (stack != null) {
      stack.close();
    }
  }

  @ParameterizedTest(name = "parallelism {0}")
  @ValueSource(ints = {1, 4})
  void bothCollectionsHoldWhatTheOracleSaysAfterShuffledRepeatedLateAndReplayedInput(
      int parallelism) throws Exception {
    Run run = new Run(parallelism);
    Scenario scenario = new Scenario(SEED + parallelism, SIGHTINGS);
    List<TowerFact> towers = new ArrayList<>(scenario.towers());
    List<Message> sent = new ArrayList<>();
    try (Admin admin = Admin.create(run.config.kafka().clientProperties());
        Producer<byte[], byte[]> producer =
            new KafkaProducer<>(
                run.config.kafka().clientProperties(),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      new KafkaTopics(admin, run.config.kafka()).ensure(run.config.profileNames());
      // What an older import left in the topic: overtaken entries, which no record may be joined
      // with.
      publish(producer, run, towers.stream().map(OracleIT::elsewhere).toList());
      publish(producer, run, towers);
      String job = run.submit();

      // (6) Records come in before their cell is known, and wait for it.
      List<Message> firstHalf = scenario.firstHalf();
      sent.addAll(firstHalf);
      send(producer, run, firstHalf);
      await("records wait for the cells that come late")
          .atMost(LIMIT)
          .until(() -> LocationMetrics.readAfter(stack.flink(), job, Instant.now()).waiting() > 0);
      publish(producer, run, scenario.lateTowers());
      towers.addAll(scenario.lateTowers());
      run.drain(admin, job);
      run.assertHolds(new Oracle(towers), sent);

      // (5) A catalogue change: what is stored stays, what comes in gets the version of its own
      // moment.
      List<TowerFact> moved =
          towers.subList(0, 10).stream().map(OracleIT::movedInTheMiddle).toList();
      publish(producer, run, withOthersOfTheSameCells(towers, moved));
      for (int i = 0; i < moved.size(); i++) {
        towers.set(i, moved.get(i));
      }
      run.drain(admin, job);
      List<Message> secondHalf = scenario.secondHalf();
      sent.addAll(secondHalf);
      send(producer, run, secondHalf);
      run.drain(admin, job);
      run.assertHolds(new Oracle(towers), sent);
      run.assertCountsReconcile(job, sent);

      // (2) (3) All of it once more, from the beginning of the topics, by a job that knows nothing
      // of the first.
      stack.flink().cancel(job);
      await("the first job has ended").atMost(LIMIT).until(() -> isOver(job));
      String again = run.submit("source.start=earliest");
      run.drain(admin, again);
      run.assertHolds(new Oracle(towers), sent);
      LocationMetrics replay = LocationMetrics.readAfter(stack.flink(), again, Instant.now());
      long goodRecords = sent.stream().mapToLong(message -> message.facts().size()).sum();
      assertThat(replay.records()).as("records read again").isEqualTo(goodRecords);
      assertThat(replay.historyDuplicates()).as("records that were there").isEqualTo(goodRecords);
      assertThat(replay.historyInserted()).as("documents that the replay added").isZero();
    }
  }

  /**
   * Also after a failure: a job that goes on running would hold the slots that the next one needs.
   */
  @AfterEach
  void cancelEveryJob() throws Exception {
    for (FlinkRest.Job job : stack.flink().jobs()) {
      if (!job.isOver()) {
        stack.flink().cancel(job.id());
        await("the job has ended").atMost(LIMIT).until(() -> isOver(job.id()));
      }
    }
  }

  private static boolean isOver(String job) throws Exception {
    return stack.flink().jobs().stream()
        .anyMatch(known -> known.id().equals(job) && known.isOver());
  }

  /** The same tower with one version far away: an entry that the next one overtakes. */
  private static TowerFact elsewhere(TowerFact tower) {
    return new TowerFact(
        tower.mcc(),
        tower.mnc(),
        tower.area(),
        tower.cid(),
        tower.radio(),
        List.of(new Version(Instant.EPOCH, 0.5, 0.5)));
  }

  /** The same tower with one version more, from the middle of the sightings on. */
  private static TowerFact movedInTheMiddle(TowerFact tower) {
    List<Version> versions =
        new ArrayList<>(
            tower.versions().stream().filter(v -> v.from().isBefore(Scenario.MIDDLE)).toList());
    versions.add(new Version(Scenario.MIDDLE, -121.5, 37.25));
    return new TowerFact(
        tower.mcc(), tower.mnc(), tower.area(), tower.cid(), tower.radio(), versions);
  }

  /** An entry is complete for its cell id: with a moved tower go the others of the same id. */
  private static List<TowerFact> withOthersOfTheSameCells(
      List<TowerFact> towers, List<TowerFact> moved) {
    Set<String> cells = moved.stream().map(TowerFact::cell).collect(Collectors.toSet());
    List<TowerFact> together = new ArrayList<>(moved);
    towers.stream()
        .skip(moved.size())
        .filter(tower -> cells.contains(tower.cell()))
        .forEach(together::add);
    return together;
  }

  /** One message for each cell id, with all its towers among these. */
  private static void publish(Producer<byte[], byte[]> producer, Run run, List<TowerFact> towers) {
    Map<String, List<TowerFact>> byCell =
        towers.stream().collect(Collectors.groupingBy(TowerFact::cell));
    sendAll(producer, byCell.values().stream().map(entry -> entry(run, entry)).toList());
  }

  private static ProducerRecord<byte[], byte[]> entry(Run run, List<TowerFact> towersOfCell) {
    String towers =
        towersOfCell.stream()
            .map(
                tower ->
                    "{\"radio\":\"%s\",\"versions\":[%s]}"
                        .formatted(
                            tower.radio(),
                            tower.versions().stream()
                                .map(OracleIT::json)
                                .collect(Collectors.joining(","))))
            .collect(Collectors.joining(","));
    String cell = towersOfCell.get(0).cell();
    return new ProducerRecord<>(
        run.config.kafka().cellsTopic(),
        cell.getBytes(UTF_8),
        "{\"cell\":\"%s\",\"towers\":[%s]}".formatted(cell, towers).getBytes(UTF_8));
  }

  private static String json(Version version) {
    return "{\"from\":\"%s\",\"lon\":%s,\"lat\":%s}"
        .formatted(version.from(), version.lon(), version.lat());
  }

  private static void send(Producer<byte[], byte[]> producer, Run run, List<Message> messages) {
    sendAll(
        producer,
        messages.stream()
            .map(
                m ->
                    new ProducerRecord<byte[], byte[]>(
                        run.config.kafka().locationTopic(m.profile()), m.bytes()))
            .toList());
  }

  private static void sendAll(
      Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records) {
    List<Future<RecordMetadata>> answers = records.stream().map(producer::send).toList();
    producer.flush();
    assertThat(answers).allSatisfy(answer -> assertThat(answer.get().hasOffset()).isTrue());
  }

  /** One parallelism's own database, topics and jobs. */
  private static final class Run {
    private final List<String> settings;
    private final LocationJobConfig config;
    private final MongoDatabase database;

    Run(int parallelism) {
      String name = "parallelism" + parallelism;
      settings =
          List.of(
              "job.parallelism=" + parallelism,
              "job.name=" + name,
              "mongo.uri=" + stack.mongoUri(),
              "mongo.database=" + name,
              "kafka.bootstrap-servers=" + stack.kafka(),
              "kafka.group-id=" + name,
              "kafka.location-topic-prefix=" + name + ".location.",
              "kafka.cells-topic=" + name + ".cells",
              "kafka.rejected-topic=" + name + ".rejected",
              "checkpoint.interval=1 s",
              "locate.max-wait=10 s");
      config = LocationJobConfig.load(null, settings, variable -> null);
      database = mongo.getDatabase(name);
    }

    String submit(String... more) throws Exception {
      List<String> arguments = new ArrayList<>();
      Stream.concat(settings.stream(), Stream.of(more))
          .forEach(
              setting -> {
                arguments.add("--set");
                arguments.add(setting);
              });
      String id =
          new FlinkRun(TestStack.flinkLib(), directory, stack.flinkUrl())
              .submit(TestStack.jobJar(), arguments, null, Map.of());
      FlinkRest flink = stack.flink();
      await("every task of the job runs").atMost(LIMIT).until(() -> flink.areAllTasksRunning(id));
      return id;
    }

    void drain(Admin admin, String job) throws Exception {
      new Drain(stack.flink(), new ConsumerLag(admin), config).await(job, LIMIT, waitingFor -> {});
    }

    /** (1) (2) (3) (5) (6) */
    void assertHolds(Oracle oracle, Collection<Message> sent) {
      Map<String, Fact> facts = new HashMap<>();
      sent.forEach(message -> message.facts().forEach(fact -> facts.put(fact.identity(), fact)));

      Map<String, Set<String>> history = new TreeMap<>();
      for (String collection : database.listCollectionNames()) {
        if (collection.startsWith("history_")) {
          List<String> documents = new ArrayList<>();
          for (Document document : database.getCollection(collection).find()) {
            document.remove("_id");
            documents.add(Oracle.comparable(document));
          }
          assertThat(documents).as("%s has each record once", collection).doesNotHaveDuplicates();
          history.put(collection, new TreeSet<>(documents));
        }
      }
      Map<String, Set<String>> expected = oracle.history(facts.values());
      assertThat(history.keySet()).isEqualTo(expected.keySet());
      expected.forEach(
          (collection, documents) ->
              assertThat(history.get(collection))
                  .as(collection)
                  .containsExactlyElementsOf(documents));

      Set<String> lastKnown = new TreeSet<>();
      for (Document document : database.getCollection("last_known_location").find()) {
        lastKnown.add(Oracle.comparable(document));
      }
      assertThat(lastKnown)
          .as("last_known_location")
          .containsExactlyElementsOf(oracle.lastKnownLocation(facts.values()));
    }

    /**
     * (1) (4) Records in = History + duplicates + rejected, and each rejected one is in the topic,
     * untouched.
     */
    void assertCountsReconcile(String job, Collection<Message> sent) throws Exception {
      long in = sent.stream().mapToLong(Message::records).sum();
      long documents = 0;
      for (String collection : database.listCollectionNames()) {
        documents +=
            collection.startsWith("history_")
                ? database.getCollection(collection).countDocuments()
                : 0;
      }
      List<ConsumerRecord<byte[], byte[]>> rejected = rejected();
      LocationMetrics metrics = LocationMetrics.readAfter(stack.flink(), job, Instant.now());

      assertThat(metrics.historyInserted()).as("inserted, as the job counts").isEqualTo(documents);
      assertThat(documents + metrics.historyDuplicates() + rejected.size())
          .as("records in")
          .isEqualTo(in);
      assertThat(
              rejected.stream()
                  .map(record -> header(record, "reason") + " " + hex(record.value()))
                  .toList())
          .containsExactlyInAnyOrderElementsOf(
              sent.stream()
                  .filter(message -> message.rejectedAs() != null)
                  .map(message -> message.rejectedAs() + " " + hex(message.bytes()))
                  .toList());
      assertThat(rejected)
          .allSatisfy(
              record -> {
                assertThat(header(record, "stage")).isEqualTo("parse");
                assertThat(header(record, "topic"))
                    .startsWith(config.kafka().locationTopicPrefix());
                assertThat(header(record, "partition")).matches("\\d+");
                assertThat(header(record, "offset")).matches("\\d+");
                assertThat(header(record, "detail")).isNotBlank();
              });
    }

    private List<ConsumerRecord<byte[], byte[]>> rejected() {
      Properties properties = config.kafka().clientProperties();
      try (KafkaConsumer<byte[], byte[]> consumer =
          new KafkaConsumer<>(
              properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
        List<TopicPartition> partitions =
            consumer.partitionsFor(config.kafka().rejectedTopic()).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        while (partitions.stream()
            .anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
          consumer.poll(Duration.ofMillis(100)).forEach(records::add);
        }
        return records;
      }
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
      Header header = record.headers().lastHeader(name);
      return header == null ? "" : text(header.value());
    }

    private static String hex(byte @Nullable [] bytes) {
      return bytes == null ? "" : HexFormat.of().formatHex(bytes);
    }

    private static String text(byte @Nullable [] bytes) {
      return bytes == null ? "" : new String(bytes, UTF_8);
    }
  }
}
