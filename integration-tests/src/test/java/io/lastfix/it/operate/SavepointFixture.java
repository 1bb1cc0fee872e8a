package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoCollection;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.FlinkRun;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.Scenario.Own;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.Scenario.Version;
import io.lastfix.it.harness.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.bson.Document;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/**
 * A savepoint that a release took, and both collections as its job left them. {@link
 * MakeSavepointFixture} makes one.
 *
 * <p>What this class says of it must stay as it is: the savepoints of all releases hold it.
 */
final class SavepointFixture {
  private static final Instant MOVED = Instant.parse("2026-06-01T00:00:00Z");
  private static final TowerFact MOVED_TOWER =
      tower(
          101,
          new Version(Instant.parse("2026-01-01T00:00:00Z"), -122.41, 37.77),
          new Version(MOVED, -122.42, 37.78));
  private static final TowerFact STILL_TOWER =
      tower(68_719_476_735L, new Version(Instant.parse("2026-01-01T00:00:00Z"), -122.43, 37.79));
  private static final TowerFact LATE_TOWER =
      tower(900, new Version(Instant.parse("2026-01-01T00:00:00Z"), -122.44, 37.80));

  private static final Own SPOT = new Own(-122.41, 37.7705, 6.5, 12.0, "gnss");
  private static final String DOCUMENTS = ".jsonl";

  private final String release;

  private SavepointFixture(String release) {
    this.release = release;
  }

  static SavepointFixture of(String release) {
    return new SavepointFixture(release);
  }

  /** Those that there are savepoints of. */
  static List<String> releases() {
    try (Stream<Path> folders = Files.list(folder())) {
      return folders
          .filter(Files::isDirectory)
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder() {
    return Installation.root().resolve("integration-tests/src/test/resources/savepoints");
  }

  /** Where the savepoint is. */
  Path savepoint() {
    return folder().resolve(release);
  }

  /** The documents of all collections, by their name. */
  Map<String, List<Document>> collections() {
    try (Stream<Path> files = Files.list(savepoint())) {
      Map<String, List<Document>> collections = new TreeMap<>();
      for (Path file : files.filter(it -> it.toString().endsWith(DOCUMENTS)).toList()) {
        collections.put(
            file.getFileName().toString().replace(DOCUMENTS, ""),
            Files.readAllLines(file).stream().map(Document::parse).toList());
      }
      return collections;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the documents of a collection, so that each value has the same BSON type when read. */
  void keep(MongoCollection<Document> collection) throws IOException {
    JsonWriterSettings extended =
        JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();
    List<String> lines =
        collection.find().map(document -> document.toJson(extended)).into(new ArrayList<>());
    Files.write(
        savepoint().resolve(collection.getNamespace().getCollectionName() + DOCUMENTS), lines);
  }

  /** The topics' names, which are in the savepoint, and one partition each. */
  LocationRun run(TestServers servers, Path directory) throws Exception {
    LocationRun run =
        new LocationRun(
            servers,
            directory,
            "savepoint-" + release.replace('.', '-'),
            "kafka.new-topic.partitions=1",
            "locate.max-wait=10 min");
    keepRemovals(run);
    return run;
  }

  /**
   * Lets the catalogue's topic keep removals for a century. With the 30 days that Lastfix sets, a
   * job forgets the cells of a savepoint that is 27 days old, and the test of it would fail then.
   */
  private static void keepRemovals(LocationRun run) throws Exception {
    String century = Long.toString(Duration.ofDays(36_525).toMillis());
    run.admin()
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, run.config().kafka().cellsTopic()),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry(TopicConfig.DELETE_RETENTION_MS_CONFIG, century),
                        AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }

  /** The catalogue that the savepoint's state holds. */
  List<TowerFact> knownTowers() {
    return List.of(MOVED_TOWER, STILL_TOWER);
  }

  /** Unknown when the savepoint was taken. */
  TowerFact lateTower() {
    return LATE_TOWER;
  }

  List<TowerFact> towers() {
    return Stream.concat(knownTowers().stream(), Stream.of(LATE_TOWER)).toList();
  }

  /** As many as there are known ones, of other cells. */
  List<TowerFact> otherTowers() {
    return IntStream.range(0, knownTowers().size())
        .mapToObj(i -> tower(5_000 + i, new Version(Instant.EPOCH, 1.5, 1.5)))
        .toList();
  }

  /** Stored before the savepoint was taken. */
  List<Message> storedMessages() {
    return List.of(
        message("stored-1", MOVED_TOWER, MOVED.plusSeconds(1)),
        message("stored-2", STILL_TOWER, MOVED),
        message(fact("stored-3", MOVED_TOWER, MOVED).beside(SPOT)),
        message(fact("stored-3", MOVED_TOWER, MOVED.plusSeconds(30))),
        message(Fact.at("stored-4", SPOT, MOVED)));
  }

  /** Waiting for their cell when the savepoint was taken, two of one user. */
  List<Message> waitingMessages() {
    return List.of(
        message("waiting-1", LATE_TOWER, MOVED),
        message("waiting-1", LATE_TOWER, MOVED.plusSeconds(60)),
        message("waiting-2", LATE_TOWER, MOVED.plusMillis(1)));
  }

  /** Sent after the savepoint is restored; each of a cell that its state knows. */
  List<Message> messagesAfter() {
    return List.of(
        message("after-1", MOVED_TOWER, MOVED.minusMillis(1)),
        message("after-1", MOVED_TOWER, MOVED),
        message("after-2", STILL_TOWER, MOVED.plusSeconds(5)));
  }

  /** So many messages of other users. */
  List<Message> others(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> message("other-" + i, MOVED_TOWER, MOVED.plusSeconds(i)))
        .toList();
  }

  private static TowerFact tower(long cid, Version... versions) {
    return new TowerFact(310, 1, 7, cid, "LTE", List.of(versions));
  }

  private static Message message(String user, TowerFact tower, Instant ts) {
    return message(fact(user, tower, ts));
  }

  private static Fact fact(String user, TowerFact tower, Instant ts) {
    return new Fact(user, tower.mcc(), tower.mnc(), tower.area(), tower.cid(), null, ts);
  }

  private static Message message(Fact fact) {
    String cell = fact.cell() == null ? "" : "\"cell\":\"%s\",".formatted(fact.cell());
    Own own = fact.own();
    String position =
        own == null
            ? ""
            : "\"position\":{\"lon\":%s,\"lat\":%s,\"accuracy\":%s,\"altitude\":%s,\"source\":\"%s\"},"
                .formatted(own.lon(), own.lat(), own.accuracy(), own.altitude(), own.source());
    return new Message(
        "json",
        "{\"user\":\"%s\",%s%s\"ts\":%d}"
            .formatted(fact.user(), cell, position, fact.ts().toEpochMilli()),
        List.of(fact),
        null);
  }

  /**
   * Starts today's jar from the savepoint, and waits until all its tasks run.
   *
   * @return the job's id
   */
  String restore(LocationRun run, TestServers servers, Path directory) throws Exception {
    List<String> arguments = new ArrayList<>();
    // Without a restart the first failure is the last, and can be told.
    Stream.of(run.settings(), List.of("flink.restart-strategy.type=none"))
        .flatMap(List::stream)
        .forEach(setting -> arguments.addAll(List.of("--set", setting)));
    FlinkRest flink = servers.flink();
    String id =
        new FlinkRun(Installation.serverLibraries("flink"), directory, servers.flinkUrl())
            .submit(Installation.jobJar(), arguments, savepoint().toUri().toString(), Map.of());
    await("the job runs or has failed")
        .atMost(LocationRun.LIMIT)
        .until(() -> flink.areAllTasksRunning(id) || flink.job(id).isOver());
    assertThat(flink.failureOf(id))
        .as(
            "release %s's savepoint cannot be restored: has a uid changed, or a serializer without"
                + " a new version?",
            release)
        .isEmpty();
    return id;
  }
}
