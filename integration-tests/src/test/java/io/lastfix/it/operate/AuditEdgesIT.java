package io.lastfix.it.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.bson.Document;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What an audit and a replay make of topics and collections that no job wrote. */
class AuditEdgesIT {
  private static final DateTimeFormatter MONTH =
      DateTimeFormatter.ofPattern("uuuu_MM").withZone(ZoneOffset.UTC);

  private static TestStack stack;
  private static MongoClient mongo;

  /**
   * Of the day before yesterday. It is also the messages' own time in Kafka, whose retention
   * deletes those that are older than a week at any moment of the test.
   */
  private final Instant noon =
      Instant.now().truncatedTo(ChronoUnit.DAYS).minus(Duration.ofHours(36));

  private String name = "";
  private List<String> settings = List.of();
  private Admin admin;
  private Producer<byte[], byte[]> producer;

  @BeforeAll
  static void connect() {
    stack = TestStack.shared();
    mongo = MongoClients.create(stack.mongoUri());
  }

  @AfterAll
  static void disconnect() {
    if (mongo != null) {
      mongo.close();
    }
  }

  @BeforeEach
  void makeTopicsOfItsOwn(TestInfo test) {
    name = test.getTestMethod().orElseThrow().getName();
    settings =
        List.of(
            "mongo.uri=" + stack.mongoUri(),
            "mongo.database=" + name,
            "kafka.bootstrap-servers=" + stack.kafka(),
            "kafka.group-id=" + name,
            "kafka.location-topic-prefix=" + name + ".location.",
            "kafka.cells-topic=" + name + ".cells",
            "kafka.rejected-topic=" + name + ".rejected",
            "kafka.new-topic.partitions=1",
            "profiles.names=json");
    LocationJobConfig config = LocationJobConfig.load(null, settings, variable -> null);
    admin = Admin.create(config.kafka().clientProperties());
    new KafkaTopics(admin, config.kafka()).ensure(config.profileNames());
    producer =
        new KafkaProducer<>(
            config.kafka().clientProperties(),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @AfterEach
  void closeClients() {
    producer.close();
    admin.close();
  }

  @Test
  void whereNothingIsCommittedNothingIsClean() throws Exception {
    send(locations(), record("a", noon), noon);

    Result result = lastfix("audit").mustExitWith(1);

    assertThat(result.err()).contains("The group " + name + " has committed nothing");
  }

  @Test
  void aCommittedRecordIsMissingAndOneThatIsNotCommittedIsNotDue() throws Exception {
    send(locations(), record("due", noon), noon);
    send(locations(), record("later", noon), noon);
    commit(1);

    JsonNode report = audit(1);

    assertThat(report.get("counts").toString()).isEqualTo("{\"MISSING\":1}");
    assertThat(report.get("discrepancies").get(0).get("user").asText()).isEqualTo("due");
    assertThat(report.get("notDue").asLong()).isEqualTo(1);
    assertThat(report.get("records").asLong()).isEqualTo(2);
  }

  @Test
  void documentsFromBeforeATopicsBeginningAreNotCovered() throws Exception {
    send(locations(), record("a", noon), noon);
    send(locations(), "[]", noon);
    commit(2);
    admin
        .deleteRecords(Map.of(new TopicPartition(locations(), 0), RecordsToDelete.beforeOffset(1)))
        .all()
        .get();
    reject(locations(), 1, "missing-field", "no record in the message", "[]", false);
    store("before", noon);
    store("after", noon.plus(Duration.ofHours(3)));

    JsonNode report = audit(1);

    assertThat(report.get("notCovered").asLong()).isEqualTo(1);
    assertThat(report.get("counts").toString()).isEqualTo("{\"EXTRA\":1}");
    assertThat(report.get("discrepancies").get(0).get("user").asText()).isEqualTo("after");
    assertThat(report.get("rejected").asLong()).isEqualTo(1);
  }

  @Test
  void anEmptiedTopicHidesNothingThatKafkaWouldStillKeep() throws Exception {
    send(locations(), record("a", noon), noon);
    commit(1);
    admin
        .deleteRecords(Map.of(new TopicPartition(locations(), 0), RecordsToDelete.beforeOffset(1)))
        .all()
        .get();
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    store("new", now);
    store("old", now.minus(Duration.ofDays(365)));

    JsonNode report = audit(1);

    assertThat(report.get("counts").toString()).isEqualTo("{\"EXTRA\":1}");
    assertThat(report.get("discrepancies").get(0).get("user").asText()).isEqualTo("new");
    assertThat(report.get("notCovered").asLong()).isEqualTo(1);
  }

  @Test
  void topicsOfOtherProfilesAreNamedBeforeADocumentIsBlamed() throws Exception {
    String notAudited = name + ".location.vendor";
    String empty = name + ".location.empty";
    admin
        .createTopics(
            List.of(new NewTopic(notAudited, 1, (short) 1), new NewTopic(empty, 1, (short) 1)))
        .all()
        .get();
    send(notAudited, record("b", noon), noon);
    storeAsTheJobDoes("b", noon);
    commit(name, notAudited, 1);
    send(locations(), record("a", noon), noon);

    assertThat(lastfix("audit").mustExitWith(1).err())
        .contains("has committed nothing", "no profile in it reads " + notAudited)
        .doesNotContain(empty);

    commit(1);
    storeAsTheJobDoes("a", noon);

    Result audited = lastfix("audit").mustExitWith(1);
    assertThat(audited.out().lines().findFirst())
        .hasValueSatisfying(
            line -> assertThat(line).startsWith("Not audited: " + notAudited + "."));
    assertThat(audited.err())
        .contains(
            "lastfix audit: not audited: %s; of the other topics: 1 in History, but in no message"
                .formatted(notAudited));
    assertThat(audit(1).get("topicsNotAudited").toString()).isEqualTo("[\"" + notAudited + "\"]");
  }

  @Test
  void aRangeReadsTheRecordsAndDocumentsOfItAlone() throws Exception {
    send(locations(), record("a", noon), noon);
    send(locations(), record("earlier", noon.minusMillis(1)), noon);
    send(locations(), record("later", noon.plusMillis(1)), noon);
    commit(3);
    storeAsTheJobDoes("a", noon);
    store("before", noon.minusMillis(1));
    store("inside", noon);
    store("after", noon.plusMillis(1));
    storeUnder(new Binary(new byte[12]), "shorter", noon);
    storeUnder("madeup", "text", noon);
    storeUnder("madeup after", "text after", noon.plusMillis(1));
    storeUnder(new Binary((byte) 1, new byte[20]), "subtype", noon);
    storeUnder(true, "boolean", noon);

    JsonNode report =
        lastfix("audit", "--json", "--from", noon.toString(), "--to", noon.plusMillis(1).toString())
            .mustExitWith(1)
            .json();

    assertThat(report.get("records").asLong()).isEqualTo(1);
    assertThat(report.get("counts").toString()).isEqualTo("{\"EXTRA\":5}");
    assertThat(report.get("discrepancies").findValuesAsText("user"))
        .containsExactlyInAnyOrder("inside", "text", "shorter", "subtype", "boolean");
    assertThat(report.get("history").asLong()).isEqualTo(1);
  }

  @Test
  void aMessageOfTheCatalogueIsDueOnceAnyStartOfTheJobHasReadIt() throws Exception {
    // It takes a cell out, and so is an entry.
    sendAndAwait(cell(noon.minusSeconds(60), null));
    sendAndAwait(cell(noon, "no entry"));
    commitCells(CatalogGroup.ofNewStart(name), 1);
    commitCells(CatalogGroup.ofNewStart(name + "-cells-other"), 2);
    assertThat(audit(0).get("counts").toString()).isEqualTo("{}");

    commitCells(CatalogGroup.ofNewStart(name), 2);
    commitCells(CatalogGroup.ofNewStart(name), 1);
    JsonNode report = audit(1);
    assertThat(report.get("counts").toString()).isEqualTo("{\"ENTRY\":1}");
    assertThat(report.get("discrepancies").get(0).get("where").asText())
        .isEqualTo(name + ".cells, partition 0, offset 1");
  }

  @Test
  void aReplaySendsEachMessageOnceAndLeavesTheCatalogueOut() throws Exception {
    send(locations(), "large", noon);
    reject(locations(), 0, "bad-value", "record 1", null, true);
    reject(locations(), 7, "bad-value", "record 1", "x", false);
    reject(locations(), 7, "bad-value", "record 2", "x", false);
    reject(locations(), 8, "bad-value", "record 1", "x", false);
    reject(locations(), 9, "malformed", "", "y", false);
    reject(name + ".cells", 1, "malformed", "", "z", false);

    JsonNode dry = lastfix("replay-rejected", "--json", "--dry-run").mustExitWith(0).json();
    JsonNode list =
        lastfix("replay-rejected", "--json", "--list", "--reason", "malformed", "--limit", "1")
            .mustExitWith(0)
            .json();
    assertThat(list.get("listed").findValuesAsText("keptAt"))
        .containsExactly(name + ".rejected, partition 0, offset 5");
    assertThat(
            lastfix("replay-rejected", "--json", "--list", "--limit", "2")
                .mustExitWith(0)
                .json()
                .get("listed")
                .findValuesAsText("keptAt"))
        .as("the newest first")
        .containsExactly(
            name + ".rejected, partition 0, offset 5", name + ".rejected, partition 0, offset 4");
    assertThat(values(locations(), 1)).as("after dry runs").containsExactly("large");
    JsonNode summary = lastfix("replay-rejected", "--json").mustExitWith(0).json();

    assertThat(dry.get("sent")).isEqualTo(summary.get("sent"));
    assertThat(summary.get("sent").toString())
        .isEqualTo("{\"%s\":{\"bad-value\":2,\"malformed\":1}}".formatted(locations()));
    assertThat(summary.get("repeated").asLong()).isEqualTo(2);
    assertThat(summary.get("catalog").asLong()).isEqualTo(1);
    assertThat(values(locations(), 4)).containsExactly("large", "large", "x", "y");
  }

  @Test
  void aReplayOfAMessageThatIsGoneFailsAfterAllOthers() throws Exception {
    reject(locations(), 5, "bad-value", "record 1", null, true);
    reject(locations(), 6, "bad-value", "record 1", "x", false);

    Result result = lastfix("replay-rejected", "--json").mustExitWith(1);

    assertThat(result.json().get("gone").get(0).asText())
        .isEqualTo(locations() + ", partition 0, offset 5");
    assertThat(result.err()).contains("1 messages are gone");
    assertThat(values(locations(), 1)).containsExactly("x");
  }

  private String locations() {
    return name + ".location.json";
  }

  private static String record(String user, Instant ts) {
    return "{\"user\":\"%s\",\"cell\":\"1-2-3-4\",\"ts\":\"%s\"}".formatted(user, ts);
  }

  private void send(String topic, String value, Instant published) throws Exception {
    sendAndAwait(
        new ProducerRecord<>(topic, 0, published.toEpochMilli(), null, value.getBytes(UTF_8)));
  }

  /** As the job does. */
  private void reject(
      String topic,
      long offset,
      String reason,
      String detail,
      @Nullable String value,
      boolean isOmitted)
      throws Exception {
    ProducerRecord<byte[], byte[]> rejected =
        new ProducerRecord<>(
            name + ".rejected", null, value == null ? null : value.getBytes(UTF_8));
    Map<String, String> headers =
        Map.of(
            "topic",
            topic,
            "partition",
            "0",
            "offset",
            Long.toString(offset),
            "reason",
            reason,
            "detail",
            detail,
            "records",
            "1",
            isOmitted ? "omitted" : "stage",
            "1");
    headers.forEach((key, text) -> rejected.headers().add(key, text.getBytes(UTF_8)));
    sendAndAwait(rejected);
  }

  private void sendAndAwait(ProducerRecord<byte[], byte[]> message) throws Exception {
    assertThat(producer.send(message).get().hasOffset()).isTrue();
  }

  private void commit(long offset) throws Exception {
    commit(name, locations(), offset);
  }

  private void commitCells(CatalogGroup group, long offset) throws Exception {
    commit(group.id(), name + ".cells", offset);
  }

  private void commit(String group, String topic, long offset) throws Exception {
    admin
        .alterConsumerGroupOffsets(
            group, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(offset)))
        .all()
        .get();
  }

  /** A message of the catalogue; no value: the cell is taken out. */
  private ProducerRecord<byte[], byte[]> cell(Instant published, @Nullable String value) {
    return new ProducerRecord<>(
        name + ".cells",
        0,
        published.toEpochMilli(),
        "1-2-3-4".getBytes(UTF_8),
        value == null ? null : value.getBytes(UTF_8));
  }

  /** A document that no job would make. */
  private void store(String user, Instant ts) {
    store(user, ts, new byte[12]);
  }

  private void storeAsTheJobDoes(String user, Instant ts) throws Exception {
    store(
        user, ts, MessageDigest.getInstance("SHA-256").digest(("1-2-3-4 " + user).getBytes(UTF_8)));
  }

  private void store(String user, Instant ts, byte[] hash) {
    storeUnder(
        new Binary(ByteBuffer.allocate(20).putLong(ts.toEpochMilli()).put(hash, 0, 12).array()),
        user,
        ts);
  }

  private void storeUnder(Object id, String user, Instant ts) {
    mongo
        .getDatabase(name)
        .getCollection("history_" + MONTH.format(ts))
        .insertOne(
            new Document("_id", id)
                .append("user", user)
                .append("ts", Date.from(ts))
                .append("cell", "1-2-3-4")
                .append("radio", null));
  }

  private List<String> values(String topic, int messages) {
    List<String> values = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<byte[], byte[]>(
            LocationJobConfig.load(null, settings, variable -> null).kafka().clientProperties(),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partition = List.of(new TopicPartition(topic, 0));
      consumer.assign(partition);
      consumer.seekToBeginning(partition);
      long end = consumer.endOffsets(partition).get(partition.get(0));
      assertThat(end).as("messages in " + topic).isEqualTo(messages);
      while (consumer.position(partition.get(0)) < end) {
        consumer
            .poll(Duration.ofMillis(100))
            .forEach(message -> values.add(new String(message.value(), UTF_8)));
      }
    }
    return values;
  }

  private JsonNode audit(int exitCode) throws Exception {
    return lastfix("audit", "--json").mustExitWith(exitCode).json();
  }

  private Result lastfix(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    settings.forEach(setting -> all.addAll(List.of("--set", setting)));
    return LastfixInProcess.run(all.toArray(String[]::new));
  }
}
