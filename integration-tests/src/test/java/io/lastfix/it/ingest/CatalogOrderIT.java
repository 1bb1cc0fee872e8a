package io.lastfix.it.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.cluster.flink.StopWithSavepoint;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records get the newest place that the catalogue had when they were sent: after a stop, after a
 * crash, with a transactional producer, and with partitions that were added. In each test a tower
 * moves, behind so many other entries that a record would overtake the move.
 */
class CatalogOrderIT {
  private static final int OTHER_CELLS = Chaos.shortOrLong(60_000, 300_000);
  private static final int RECORDS = 30;
  private static final int TOWERS = 4;
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Instant SEEN = Instant.parse("2026-11-20T12:00:00Z");
  private static final String HISTORY = "history_2026_11";
  private static final double OLD_LON = 10;
  private static final double NEW_LON = 20;
  private static final double NOWHERE = -1;

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void afterASavepointNoRecordMeetsAnOvertakenEntry() throws Exception {
    try (LocationRun run = run("resumed")) {
      sendAll(run.producer(), towers(run, null, OLD_LON));
      String first = run.submit();
      sendRecords(run, "before", null);
      awaitPlaces(run, "before", OLD_LON);
      String savepoint =
          new StopWithSavepoint(stack.flink())
              .stop(first, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);

      sendAll(run.producer(), otherCells(run, null));
      sendAll(run.producer(), towers(run, null, NEW_LON));
      sendRecords(run, "after", null);
      String second = run.resume(savepoint);

      awaitPlaces(run, "after", NEW_LON);
      assertLastKnown(run, "after", NEW_LON);
      report("Catalogue changed while the job was stopped", run, second);
    }
  }

  /**
   * Records were sent before the move, while the job was stopped: they too get the newest place.
   */
  @Test
  void anAuditFindsNoFaultWithRecordsThatTheJobReadAfterACatalogueChange() throws Exception {
    Instant now = Instant.now();
    try (LocationRun run = run("audited-after-a-stop")) {
      sendAll(
          run.producer(), published(now.minus(Duration.ofHours(2)), towers(run, null, OLD_LON)));
      String first = run.submit();
      sendAll(
          run.producer(), published(now.minus(Duration.ofHours(1)), records(run, "before", null)));
      awaitPlaces(run, "before", OLD_LON);
      String savepoint =
          new StopWithSavepoint(stack.flink())
              .stop(first, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);

      sendAll(
          run.producer(), published(now.minus(Duration.ofHours(1)), records(run, "after", null)));
      sendAll(run.producer(), towers(run, null, NEW_LON));
      String second = run.resume(savepoint);
      awaitPlaces(run, "after", NEW_LON);
      run.drain(second);

      JsonNode report = audit(run);
      assertThat(report.get("differs").asBoolean()).isFalse();
      assertThat(report.get("undecided").asLong()).isZero();
      assertThat(report.get("laterPlaces").asLong()).isEqualTo(RECORDS);
    }
  }

  @Test
  void afterACrashNoRecordMeetsAnOvertakenEntry() throws Exception {
    try (LocationRun run = run("crashed")) {
      sendAll(run.producer(), towers(run, null, OLD_LON));
      String job = run.submit();
      sendRecords(run, "before", null);
      awaitPlaces(run, "before", OLD_LON);

      ServerProcess taskManager = stack.cluster().taskManagerProcesses().get(0);
      taskManager.kill();
      sendAll(run.producer(), otherCells(run, null));
      sendAll(run.producer(), towers(run, null, NEW_LON));
      sendRecords(run, "after", null);
      taskManager.start();
      run.awaitRestart(job, 0);

      awaitPlaces(run, "after", NEW_LON);
      assertLastKnown(run, "after", NEW_LON);
      report("Catalogue changed while the TaskManager was dead", run, job);
    }
  }

  /** The topic then ends with a marker, which no reader of records ever sees. */
  @Test
  void aCatalogueThatEndsWithATransactionsMarkerIsReadToItsEnd() throws Exception {
    try (LocationRun run = run("transactional");
        Producer<byte[], byte[]> producer = transactional(run)) {
      inTransaction(producer, otherCells(run, null));
      inTransaction(producer, towers(run, null, NEW_LON));
      run.submit();
      sendRecords(run, "user", null);

      awaitPlaces(run, "user", NEW_LON);
    }
  }

  @Test
  void withReadCommittedOnlyWhatIsCommittedCountsAndAnOpenTransactionIsNotWaitedFor()
      throws Exception {
    try (LocationRun run = run("committed", "kafka.properties.isolation.level=read_committed");
        Producer<byte[], byte[]> producer = transactional(run)) {
      inTransaction(producer, otherCells(run, null));
      inTransaction(producer, towers(run, null, NEW_LON));
      producer.beginTransaction();
      sendAll(producer, towers(run, null, OLD_LON));
      producer.abortTransaction();
      producer.beginTransaction();
      sendAll(producer, towers(run, null, OLD_LON));
      run.submit();
      sendRecords(run, "user", null);

      awaitPlaces(run, "user", NEW_LON);
      producer.abortTransaction();
    }
  }

  /** Another partitioner, or more partitions, put the newer entries where they are read first. */
  @Test
  void theNewerEntryCountsAlsoWhereAnotherPartitionHasTheOlderOne() throws Exception {
    try (LocationRun run = run("other-partition")) {
      sendAll(run.producer(), otherCells(run, 0));
      sendAll(run.producer(), towers(run, 0, OLD_LON));
      addPartition(run, run.config().kafka().cellsTopic());
      sendAll(run.producer(), towers(run, 1, NEW_LON));
      run.submit();
      sendRecords(run, "user", null);

      awaitPlaces(run, "user", NEW_LON);
      assertLastKnown(run, "user", NEW_LON);
    }
  }

  @Test
  void partitionsThatAreAddedWhileTheJobRunsAreReadFromTheirBeginning() throws Exception {
    try (LocationRun run =
        run(
            "expanded",
            "source.start=latest",
            // 10 s by default, twice.
            "kafka.properties.partition.discovery.interval.ms=1000")) {
      sendAll(run.producer(), towers(run, 0, OLD_LON));
      String job = run.submit();
      String locations = run.config().kafka().locationTopic("json");
      addPartition(run, run.config().kafka().cellsTopic());
      sendAll(run.producer(), towers(run, 1, NEW_LON));
      await("the job has read the catalogue's new partition")
          .atMost(LIMIT)
          .until(() -> run.lagOfCells(run.catalogGroup(job)) == 0);

      addPartition(run, locations);
      sendRecords(run, "user", 1);

      awaitPlaces(run, "user", NEW_LON);
    }
  }

  /** Kafka then has neither the cell's entry nor its removal: only reading all anew tells. */
  @Test
  void aCellIsGoneWhoseRemovalKafkaDeletedWhileTheJobWasStopped() throws Exception {
    createTopicThatKeepsRemovalsForTenSeconds("order-removed.cells");
    try (LocationRun run = run("removed")) {
      sendAll(run.producer(), towers(run, 0, OLD_LON));
      String first = run.submit();
      sendRecords(run, "before", null);
      awaitPlaces(run, "before", OLD_LON);
      String savepoint =
          new StopWithSavepoint(stack.flink())
              .stop(first, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);

      sendAll(run.producer(), List.of(removal(run, "1-1-1-0"), removal(run, "1-1-1-1")));
      awaitCompaction(run, Set.of("1-1-1-2", "1-1-1-3"));
      sendRecords(run, "after", null);
      String second = run.resume(savepoint);

      await("the records after the stop are stored")
          .atMost(LIMIT)
          .until(() -> places(run, HISTORY, "user", "loc", "after").size() == RECORDS);
      assertThat(placesByCell(run, "after"))
          .isEqualTo(
              Map.of(
                  "1-1-1-0", Set.of(NOWHERE),
                  "1-1-1-1", Set.of(NOWHERE),
                  "1-1-1-2", Set.of(OLD_LON),
                  "1-1-1-3", Set.of(OLD_LON)));
      System.out.printf(
          "[fault] Two of %d cells removed, and the removals deleted by Kafka, while the job was"
              + " stopped: no record got their place, %d restarts%n",
          TOWERS, run.restarts(second));
    }
  }

  private static void createTopicThatKeepsRemovalsForTenSeconds(String name) throws Exception {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, stack.kafka()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(name, 1, (short) 1)
                      .configs(
                          Map.of(
                              TopicConfig.CLEANUP_POLICY_CONFIG,
                              TopicConfig.CLEANUP_POLICY_COMPACT,
                              // The shortest for which a restored job reads the catalogue anew.
                              TopicConfig.DELETE_RETENTION_MS_CONFIG,
                              "10000",
                              TopicConfig.SEGMENT_MS_CONFIG,
                              "500",
                              TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
                              "0"))))
          .all()
          .get();
    }
  }

  private static ProducerRecord<byte[], byte[]> removal(LocationRun run, String cell) {
    return new ProducerRecord<>(run.config().kafka().cellsTopic(), 0, cell.getBytes(UTF_8), null);
  }

  /** Adds entries of one more cell, since Kafka compacts no segment that it still writes to. */
  private static void awaitCompaction(LocationRun run, Set<String> left) {
    String other = "1-1-1-9";
    Set<String> expected = new HashSet<>(left);
    expected.add(other);
    await("Kafka has deleted the removals")
        .atMost(LocationRun.LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              sendAll(run.producer(), List.of(entry(run, 0, other, OLD_LON)));
              assertThat(keysInCatalogue(run)).isEqualTo(expected);
            });
  }

  private static Set<String> keysInCatalogue(LocationRun run) {
    TopicPartition partition = new TopicPartition(run.config().kafka().cellsTopic(), 0);
    Set<String> keys = new HashSet<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            run.config().kafka().clientProperties(),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        consumer
            .poll(Duration.ofMillis(100))
            .forEach(record -> keys.add(new String(record.key(), UTF_8)));
      }
    }
    return keys;
  }

  /** The longitudes of those users' records in History, {@link #NOWHERE} for none. */
  private static Map<String, Set<Double>> placesByCell(LocationRun run, String users) {
    Map<String, Set<Double>> places = new TreeMap<>();
    for (Document document : run.database().getCollection(HISTORY).find()) {
      if (document.getString("user").startsWith(users + "-")) {
        Double lon = document.getEmbedded(List.of("loc", "lon"), Double.class);
        places
            .computeIfAbsent(document.getString("cell"), absent -> new HashSet<>())
            .add(lon == null ? NOWHERE : lon);
      }
    }
    return places;
  }

  private static LocationRun run(String name, String... more) throws Exception {
    List<String> settings =
        new ArrayList<>(
            List.of("job.parallelism=2", "profiles.names=json", "kafka.new-topic.partitions=1"));
    settings.addAll(List.of(more));
    return new LocationRun(stack, directory, "order-" + name, settings.toArray(String[]::new));
  }

  private static void addPartition(LocationRun run, String topic) throws Exception {
    run.admin().createPartitions(Map.of(topic, NewPartitions.increaseTo(2))).all().get();
    await("the producer knows the new partition")
        .atMost(LIMIT)
        .until(
            () ->
                run.admin()
                        .describeTopics(List.of(topic))
                        .allTopicNames()
                        .get()
                        .get(topic)
                        .partitions()
                        .size()
                    == 2);
  }

  private static List<ProducerRecord<byte[], byte[]>> otherCells(
      LocationRun run, @Nullable Integer partition) {
    List<ProducerRecord<byte[], byte[]>> entries = new ArrayList<>();
    for (int i = 0; i < OTHER_CELLS; i++) {
      entries.add(entry(run, partition, "1-1-1-" + (1_000 + i), 0));
    }
    return entries;
  }

  private static List<ProducerRecord<byte[], byte[]>> towers(
      LocationRun run, @Nullable Integer partition, double lon) {
    List<ProducerRecord<byte[], byte[]>> entries = new ArrayList<>();
    for (int i = 0; i < TOWERS; i++) {
      entries.add(entry(run, partition, "1-1-1-" + i, lon));
    }
    return entries;
  }

  private static ProducerRecord<byte[], byte[]> entry(
      LocationRun run, @Nullable Integer partition, String cell, double lon) {
    String value = "{\"cell\":\"%s\",\"radio\":\"LTE\",\"lon\":%s,\"lat\":50}".formatted(cell, lon);
    return new ProducerRecord<>(
        run.config().kafka().cellsTopic(), partition, cell.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  /** Returns the messages with that time as Kafka's timestamp. */
  private static List<ProducerRecord<byte[], byte[]>> published(
      Instant when, List<ProducerRecord<byte[], byte[]>> messages) {
    return messages.stream()
        .map(
            message ->
                new ProducerRecord<>(
                    message.topic(),
                    message.partition(),
                    when.toEpochMilli(),
                    message.key(),
                    message.value()))
        .toList();
  }

  private static JsonNode audit(LocationRun run) throws Exception {
    return LastfixInProcess.run(run, "audit", "--json").mustExitWith(0).json();
  }

  private static void sendRecords(LocationRun run, String users, @Nullable Integer partition)
      throws Exception {
    sendAll(run.producer(), records(run, users, partition));
  }

  /** One record of each of {@link #RECORDS} users. */
  private static List<ProducerRecord<byte[], byte[]>> records(
      LocationRun run, String users, @Nullable Integer partition) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      String value =
          "{\"user\":\"%s-%d\",\"cell\":\"1-1-1-%d\",\"ts\":%d}"
              .formatted(users, i, i % TOWERS, SEEN.toEpochMilli() + i);
      records.add(
          new ProducerRecord<>(
              run.config().kafka().locationTopic("json"), partition, null, value.getBytes(UTF_8)));
    }
    return records;
  }

  private static void sendAll(
      Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records)
      throws ExecutionException, InterruptedException {
    List<Future<RecordMetadata>> answers = new ArrayList<>();
    records.forEach(record -> answers.add(producer.send(record)));
    producer.flush();
    for (Future<RecordMetadata> answer : answers) {
      assertThat(answer.get().hasOffset()).isTrue();
    }
  }

  private static void inTransaction(
      Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records)
      throws ExecutionException, InterruptedException {
    producer.beginTransaction();
    sendAll(producer, records);
    producer.commitTransaction();
  }

  private static Producer<byte[], byte[]> transactional(LocationRun run) {
    Properties properties = new Properties();
    properties.setProperty(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, stack.kafka());
    properties.setProperty(ProducerConfig.TRANSACTIONAL_ID_CONFIG, run.config().name());
    Producer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  private static void awaitPlaces(LocationRun run, String users, double lon) {
    await("the records of " + users + " are stored")
        .atMost(LIMIT)
        .until(() -> places(run, HISTORY, "user", "loc", users).size() == RECORDS);
    assertThat(places(run, HISTORY, "user", "loc", users)).containsOnly(lon);
  }

  private static void assertLastKnown(LocationRun run, String users, double lon) {
    await("the users are in Last Known Location")
        .atMost(LIMIT)
        .until(
            () -> places(run, "last_known_location", "_id", "last.loc", users).size() == RECORDS);
    assertThat(places(run, "last_known_location", "_id", "last.loc", users)).containsOnly(lon);
  }

  /** The longitudes that are stored for those users; null where there is none. */
  private static List<@Nullable Double> places(
      LocationRun run, String collection, String user, String place, String users) {
    List<@Nullable Double> places = new ArrayList<>();
    for (Document document : run.database().getCollection(collection).find()) {
      if (document.getString(user).startsWith(users + "-")) {
        places.add(document.getEmbedded(List.of((place + ".lon").split("\\.")), Double.class));
      }
    }
    return places;
  }

  private static void report(String fault, LocationRun run, String job) throws Exception {
    System.out.printf(
        "[fault] %s: %,d entries before the move, %d records, all with the new place, %d"
            + " restarts%n",
        fault, OTHER_CELLS, RECORDS, run.restarts(job));
  }
}
