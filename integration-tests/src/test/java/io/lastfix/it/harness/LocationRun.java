package io.lastfix.it.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.drain.Drain;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.FlinkRun;
import io.lastfix.cluster.flink.Ledger;
import io.lastfix.cluster.flink.LocationMetrics;
import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.Scenario.Version;
import io.lastfix.jobs.AnalyticsJob;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.LocationJob;
import io.lastfix.jobs.RulesJob;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.kit.kafka.ConsumerLag;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.function.Consumer;
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

/**
 * One test's share of {@link TestServers}: its own database, topics and jobs, so that several can
 * use the same servers one after the other. Closing it cancels its jobs.
 */
public final class LocationRun implements AutoCloseable {
  public static final Duration LIMIT = Duration.ofMinutes(3);

  /** The tests' clusters have fresh metrics at any time. */
  private static final Duration DRAIN_INTERVAL = Duration.ofMillis(400);

  private final TestServers stack;
  private final Path directory;
  private final List<String> settings;
  private final LocationJobConfig config;
  private final MongoClient mongo;
  private final MongoDatabase database;
  private final Admin admin;
  private final Producer<byte[], byte[]> producer;

  /**
   * Also creates the topics.
   *
   * @param directory where the submitting process keeps its files
   * @param name of the database, the job and the group, and before each topic
   * @param more settings of the job, {@code key=value}, over those of every test
   */
  public LocationRun(TestServers stack, Path directory, String name, String... more)
      throws Exception {
    this.stack = stack;
    this.directory = directory;
    settings = new ArrayList<>();
    settings.addAll(
        List.of(
            "job.name=" + name,
            "mongo.uri=" + stack.mongoUri(),
            "mongo.database=" + name,
            "kafka.bootstrap-servers=" + stack.kafka(),
            "kafka.group-id=" + name,
            "kafka.location-topic-prefix=" + name + ".location.",
            "kafka.cells-topic=" + name + ".cells",
            "kafka.rejected-topic=" + name + ".rejected",
            // Those of a scenario's messages.
            "profiles.names=arcanum,mlp,json,osmand,geojson",
            "checkpoint.interval=1 s",
            // While a killed server starts, a job tries again at once, not after up to a minute.
            "restart.max-backoff=1 s",
            // A drain waits so long for the records whose cell nobody knows.
            "locate.max-wait=2 s"));
    settings.addAll(List.of(more));
    config = LocationJobConfig.load(null, settings, variable -> null);
    mongo = MongoClients.create(stack.mongoUri());
    database = mongo.getDatabase(name);
    admin = Admin.create(config.kafka().clientProperties());
    producer =
        new KafkaProducer<>(
            config.kafka().clientProperties(),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    new KafkaTopics(admin, config.kafka()).ensure(config.profileNames());
  }

  /** A name for a run, made of words. */
  public static String nameFor(String words) {
    return words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  /** What the jobs of this run are told. */
  public LocationJobConfig config() {
    return config;
  }

  /** The settings of {@link #config()}, each {@code key=value}. */
  public List<String> settings() {
    return List.copyOf(settings);
  }

  /** A command's arguments, with these settings. */
  public String[] command(String... arguments) {
    return Stream.concat(
            Arrays.stream(arguments),
            settings.stream().flatMap(setting -> Stream.of("--set", setting)))
        .toArray(String[]::new);
  }

  public MongoDatabase database() {
    return database;
  }

  public Admin admin() {
    return admin;
  }

  public Producer<byte[], byte[]> producer() {
    return producer;
  }

  /** Starts the jar that the build made, and waits until all its tasks run. */
  public String submit(String... more) throws Exception {
    return awaitTasks(submitOnly(null, more));
  }

  /**
   * Starts the job from a savepoint or checkpoint, and waits until all its tasks run.
   *
   * @param more settings, over those of this run
   */
  public String resume(String savepoint, String... more) throws Exception {
    return awaitTasks(submitOnly(savepoint, more));
  }

  /** Starts the job without waiting for its tasks. */
  public String submitOnly(@Nullable String savepoint, String... more) throws Exception {
    return WarmSubmission.submit(
        stack, config.name(), savepoint, LocationJob::main, arguments(more));
  }

  /**
   * Starts the analytics job.
   *
   * @param savepoint a savepoint or checkpoint to go on from
   * @param more settings, over those of this run
   */
  public String submitAnalytics(@Nullable String savepoint, String... more) throws Exception {
    return awaitTasks(submitAnalyticsOnly(savepoint, more));
  }

  /** Starts the analytics job without waiting for its tasks. */
  public String submitAnalyticsOnly(@Nullable String savepoint, String... more) throws Exception {
    return WarmSubmission.submit(
        stack, Jobs.ANALYTICS.nameIn(config), savepoint, AnalyticsJob::main, arguments(more));
  }

  /**
   * Starts the rules job.
   *
   * @param savepoint a savepoint or checkpoint to go on from
   */
  public String submitRules(@Nullable String savepoint) throws Exception {
    return awaitTasks(
        WarmSubmission.submit(
            stack, Jobs.RULES.nameIn(config), savepoint, RulesJob::main, arguments()));
  }

  /**
   * Starts the jar that the build made, and waits until it has stored these messages: then it has
   * the catalogue, and reads what comes.
   *
   * @param towers the catalogue
   */
  public String submitAndStore(List<TowerFact> towers, List<Message> first) throws Exception {
    publish(towers);
    String job = submit();
    send(first);
    drain(job);
    return job;
  }

  /**
   * Starts a job by {@code flink run}, and waits until all its tasks run.
   *
   * @param savepoint a savepoint or checkpoint to go on from
   */
  public String submit(Path jar, @Nullable String savepoint, String... more) throws Exception {
    return awaitTasks(
        new FlinkRun(Installation.serverLibraries("flink"), directory, stack.flinkUrl())
            .submit(jar, List.of(arguments(more)), savepoint, Map.of()));
  }

  /**
   * Starts another job of a jar by {@code flink run}, with this run's settings, and waits until all
   * its tasks run.
   *
   * @param more arguments after the settings
   */
  public String submit(Path jar, Class<?> mainClass, List<String> more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(arguments()));
    arguments.addAll(more);
    return awaitTasks(
        new FlinkRun(Installation.serverLibraries("flink"), directory, stack.flinkUrl())
            .of(mainClass)
            .submit(jar, arguments, null, Map.of()));
  }

  /** The job's arguments. */
  private String[] arguments(String... more) {
    return Stream.concat(settings.stream(), Stream.of(more))
        .flatMap(setting -> Stream.of("--set", setting))
        .toArray(String[]::new);
  }

  private String awaitTasks(String job) {
    FlinkRest flink = stack.flink();
    await("every task of the job runs").atMost(LIMIT).until(() -> flink.areAllTasksRunning(job));
    return job;
  }

  /** Cancels a job without a savepoint, and waits until it has ended. */
  public void cancel(String job) throws IOException {
    stack.flink().cancel(job);
    await("the job has ended").atMost(LIMIT).until(() -> isOver(job));
  }

  /** Whether a job has ended, in whatever way. */
  public boolean isOver(String job) throws IOException {
    return stack.flink().jobs().stream()
        .anyMatch(known -> known.id().equals(job) && known.isOver());
  }

  /** Waits until all that is in Kafka now is stored. */
  public void drain(String job) throws Exception {
    Drain.Input input =
        new Drain.Input(
            config.kafka().groupId(),
            config.kafka().locationTopics(config.profileNames()),
            config.kafka().cellsTopic(),
            CatalogGroup.JOB_PARAMETER);
    new Drain(stack.flink(), new ConsumerLag(admin), input, DRAIN_INTERVAL)
        .await(job, LIMIT, waitingFor -> {});
  }

  public LocationMetrics metrics(String job) throws Exception {
    return LocationMetrics.readAfter(stack.flink(), job, Instant.now());
  }

  /** How often a job was restarted by Flink. */
  public long restarts(String job) throws IOException {
    return stack.flink().restarts(job);
  }

  /** Messages in the location topics that the group has not committed. */
  public long lag() throws IOException {
    return lag(config.kafka().groupId(), config.kafka().locationTopics(config.profileNames()));
  }

  /** Messages in the catalogue that a group has not committed. */
  public long lagOfCells(String catalogGroup) throws IOException {
    return lag(catalogGroup, List.of(config.kafka().cellsTopic()));
  }

  private long lag(String group, List<String> topics) throws IOException {
    ConsumerLag lag = new ConsumerLag(admin);
    return lag.byTopic(group, lag.ranges(topics)).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** The group under which a running job commits the catalogue's offsets. */
  public String catalogGroup(String job) throws IOException {
    return stack.flink().jobParameters(job).getOrDefault(CatalogGroup.JOB_PARAMETER, "");
  }

  /** Waits until a job that has failed runs again. */
  public void awaitRestart(String job, long restartsBefore) {
    awaitRestart(job, restartsBefore, () -> {});
  }

  /**
   * Waits until a job that has failed runs again, with a supervisor of the servers.
   *
   * @param supervisor called before each query of the job's state
   */
  public void awaitRestart(String job, long restartsBefore, Runnable supervisor) {
    FlinkRest flink = stack.flink();
    await("the job runs again")
        .atMost(LIMIT)
        .until(
            () -> {
              supervisor.run();
              return flink.restarts(job) > restartsBefore && flink.areAllTasksRunning(job);
            });
  }

  /** Puts one message for each cell id, with all its towers among these, into the catalogue. */
  public void publish(List<TowerFact> towers) {
    Map<String, List<TowerFact>> byCell =
        towers.stream().collect(Collectors.groupingBy(TowerFact::cell));
    sendAll(byCell.values().stream().map(this::entry).toList());
  }

  private ProducerRecord<byte[], byte[]> entry(List<TowerFact> towersOfCell) {
    String towers =
        towersOfCell.stream()
            .map(
                tower ->
                    "{\"radio\":\"%s\",\"versions\":[%s]}"
                        .formatted(
                            tower.radio(),
                            tower.versions().stream()
                                .map(LocationRun::json)
                                .collect(Collectors.joining(","))))
            .collect(Collectors.joining(","));
    String cell = towersOfCell.get(0).cell();
    return new ProducerRecord<>(
        config.kafka().cellsTopic(),
        cell.getBytes(UTF_8),
        "{\"cell\":\"%s\",\"towers\":[%s]}".formatted(cell, towers).getBytes(UTF_8));
  }

  private static String json(Version version) {
    return "{\"from\":\"%s\",\"lon\":%s,\"lat\":%s%s}"
        .formatted(
            version.from(),
            version.lon(),
            version.lat(),
            version.range() == 0 ? "" : ",\"range\":" + version.range());
  }

  /** Sends messages, and waits until the broker has them all. */
  public void send(List<Message> messages) {
    sendAll(messages.stream().map(this::toSend).toList());
  }

  /** A message, addressed to its profile's topic. */
  ProducerRecord<byte[], byte[]> toSend(Message message) {
    return new ProducerRecord<>(config.kafka().locationTopic(message.profile()), message.bytes());
  }

  private void sendAll(List<ProducerRecord<byte[], byte[]>> records) {
    List<Future<RecordMetadata>> answers = records.stream().map(producer::send).toList();
    producer.flush();
    assertThat(answers).allSatisfy(answer -> assertThat(answer.get().hasOffset()).isTrue());
  }

  /**
   * Both collections hold exactly what the oracle says of the messages sent. Of records with one
   * identity, which may differ in accuracy or altitude, History holds any one.
   */
  public void assertHolds(Oracle oracle, Collection<Message> sent) {
    List<Fact> facts = sent.stream().flatMap(message -> message.facts().stream()).toList();
    Map<String, Fact> records = new HashMap<>();
    Map<String, String> sameRecord = new HashMap<>();
    for (Fact fact : facts) {
      Fact first = records.putIfAbsent(fact.identity(), fact);
      if (first != null && !first.equals(fact)) {
        sameRecord.put(oracle.historyDocument(fact), oracle.historyDocument(first));
      }
    }

    Map<String, Set<String>> history = new TreeMap<>();
    for (String collection : historyCollections()) {
      List<String> documents = new ArrayList<>();
      for (Document document : database.getCollection(collection).find()) {
        document.remove("_id");
        String text = Oracle.comparable(document);
        documents.add(sameRecord.getOrDefault(text, text));
      }
      assertThat(documents).as("%s has each record once", collection).doesNotHaveDuplicates();
      history.put(collection, new TreeSet<>(documents));
    }
    // The next partition is made ahead of time.
    history.values().removeIf(Set::isEmpty);
    Map<String, Set<String>> expected = oracle.history(records.values());
    assertThat(history.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (collection, documents) -> assertSame(collection, history.get(collection), documents));

    Set<String> lastKnown = new TreeSet<>();
    for (Document document :
        database.getCollection(config.lastKnownLocation().collection()).find()) {
      lastKnown.add(Oracle.comparable(document));
    }
    assertSame("last_known_location", lastKnown, oracle.lastKnownLocation(facts));
  }

  /** Names what differs, and only that. */
  public static void assertSame(String collection, Set<String> found, Set<String> expected) {
    Set<String> missing = new TreeSet<>(expected);
    missing.removeAll(found);
    Set<String> extra = new TreeSet<>(found);
    extra.removeAll(expected);
    assertThat(missing).as("documents that %s has not", collection).isEmpty();
    assertThat(extra).as("documents that %s must not have", collection).isEmpty();
  }

  /**
   * Records in = inserted + duplicates + rejected, as one job counts them that was never restarted.
   *
   * @return the records in
   */
  public long assertCountsReconcile(String job, Collection<Message> sent) throws Exception {
    LocationMetrics metrics = metrics(job);
    long rejected = metrics.rejectedByReason().values().stream().mapToLong(Long::longValue).sum();
    long records = sent.stream().mapToLong(Message::records).sum();
    assertThat(metrics.historyInserted() + metrics.historyDuplicates() + rejected)
        .as("inserted + duplicates + rejected = records in")
        .isEqualTo(records);
    assertLedgerBalances(job, records);
    return records;
  }

  /** The job's ledger accounts for that many records, from all its runs. */
  public Ledger assertLedgerBalances(String job, long records) {
    Ledger ledger =
        await("the ledger has all records")
            .atMost(LIMIT)
            .until(
                () -> Ledger.read(stack.flink(), job),
                read -> read.isPresent() && read.get().in() >= records)
            .orElseThrow();
    assertThat(ledger.unaccounted()).as(ledger.text()).isZero();
    assertThat(ledger.in()).as(ledger.text()).isEqualTo(records);
    return ledger;
  }

  /** How many documents History has. */
  public long historyDocuments() {
    return historyCollections().stream()
        .mapToLong(collection -> database.getCollection(collection).countDocuments())
        .sum();
  }

  /** The partitions that there are. */
  public List<String> historyCollections() {
    List<String> names = database.listCollectionNames().into(new ArrayList<>());
    names.removeIf(name -> !name.startsWith(config.history().collectionPrefix() + "_"));
    return names;
  }

  /**
   * The rejected topic holds each message that has to be rejected, untouched, as often as it was
   * sent.
   */
  public void assertRejected(
      Collection<Message> sent, Collection<ConsumerRecord<byte[], byte[]>> found) {
    assertThat(found.stream().map(record -> header(record, "reason") + " " + hex(record)).toList())
        .containsExactlyInAnyOrderElementsOf(
            sent.stream()
                .filter(message -> message.rejectedAs() != null)
                .map(
                    message ->
                        message.rejectedAs() + " " + HexFormat.of().formatHex(message.bytes()))
                .toList());
    assertThat(found)
        .allSatisfy(
            record -> {
              assertThat(header(record, "stage")).isEqualTo("parse");
              assertThat(header(record, "topic")).startsWith(config.kafka().locationTopicPrefix());
              assertThat(header(record, "partition")).matches("\\d+");
              assertThat(header(record, "offset")).matches("\\d+");
              assertThat(header(record, "detail")).isNotBlank();
            });
  }

  /** All of the rejected topic. After a restart of the job it may hold a rejection twice. */
  public List<ConsumerRecord<byte[], byte[]>> rejected() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    forEachRejected(records::add);
    return records;
  }

  /** Passes the rejected messages on one by one: together they may be large. */
  public void forEachRejected(Consumer<ConsumerRecord<byte[], byte[]>> action) {
    forEachMessage(config.kafka().rejectedTopic(), action);
  }

  /** All messages that a topic holds now, each partition's in their order. */
  public void forEachMessage(String topic, Consumer<ConsumerRecord<byte[], byte[]>> action) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            config.kafka().clientProperties(),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      Instant deadline = Instant.now().plus(LIMIT);
      while (partitions.stream()
          .anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
        assertThat(Instant.now()).as("now, while %s is read", topic).isBefore(deadline);
        consumer.poll(Duration.ofMillis(100)).forEach(action);
      }
    }
  }

  /** The rejected topic, what a restart of the job repeated left out. */
  public Collection<ConsumerRecord<byte[], byte[]>> distinctRejected() {
    Map<String, ConsumerRecord<byte[], byte[]>> bySource = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : rejected()) {
      bySource.putIfAbsent(
          Stream.of("topic", "partition", "offset", "reason", "detail")
              .map(name -> header(record, name))
              .collect(Collectors.joining("|")),
          record);
    }
    return bySource.values();
  }

  public static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), UTF_8);
  }

  private static String hex(ConsumerRecord<byte[], byte[]> record) {
    return record.value() == null ? "" : HexFormat.of().formatHex(record.value());
  }

  /** A job that went on running would hold the slots that the next test needs. */
  @Override
  public void close() throws IOException {
    try (mongo;
        admin;
        producer) {
      for (FlinkRest.Job job : stack.flink().jobs()) {
        if (job.isUnfinished(config.name())) {
          cancel(job.id());
        }
      }
    }
  }
}
