package io.lastfix.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.sink.ServerWriter;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryShardKey;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which members of a replica set answer a read of History, and what a secondary lacks: nothing. */
class SecondaryHistoryIT {
  private static final String DATABASE = "secondary_history";
  private static final String PARTITION = "history_2026_01_20";
  private static final Instant TIME = Instant.parse("2026-01-20T12:00:01.001Z");
  private static final CellId CELL = CellId.parse("234-10-4021-20911362");
  private static final Position POSITION = new Position(-0.1276, 51.5072);
  private static final int RECORDS = 10_000;
  private static final Duration LAG = Duration.ofSeconds(2);

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;
  private static List<String> members;

  @BeforeAll
  static void startServers() {
    stack = TestStack.startMongo(directory, 3);
    String uri = stack.mongoUri();
    members = List.of(uri.substring("mongodb://".length(), uri.indexOf("/?")).split(",", -1));
    store(
        ProvisionMode.AUTO,
        IntStream.range(0, RECORDS).mapToObj(SecondaryHistoryIT::record).toList());
  }

  private static LocatedRecord record(int number) {
    return new LocatedRecord(
        "user%05d".formatted(number), CELL, TIME.toEpochMilli() + number, POSITION);
  }

  private static void store(ProvisionMode provision, List<LocatedRecord> records) {
    try (ServerWriter writer =
        ServerWriter.history(
            stack.mongoUri(),
            DATABASE,
            TestHistory.of(PartitionPeriod.DAY, HistoryShardKey.USER_HASHED, false),
            provision,
            InstantSource.fixed(Instant.MAX))) {
      writer.store(records);
    }
  }

  @Test
  void anAnalysisReadsFromASecondaryAndARebuildFromThePrimary() throws Exception {
    members.forEach(member -> run(member, DATABASE, new Document("profile", 2)));

    assertThat(read(HistoryReading.ALL).size()).as("documents read").isEqualTo(RECORDS);
    assertThat(scans(true)).as("scans on the primary, by an analysis").isZero();
    long onSecondaries = scans(false);
    assertThat(onSecondaries).as("scans on secondaries, by an analysis").isPositive();

    assertThat(read(HistoryReading.LOCATED).size()).as("documents read").isEqualTo(RECORDS);
    assertThat(scans(true)).as("scans on the primary, by a rebuild").isPositive();
    assertThat(scans(false)).as("scans on secondaries, by both").isEqualTo(onSecondaries);
    members.forEach(member -> run(member, DATABASE, new Document("profile", 0)));
  }

  /** Otherwise an analysis of records that were just stored would count too few. */
  @Test
  void aSecondaryThatIsBehindWaitsUntilItHasWhatThePrimaryHad() throws Exception {
    List<String> secondaries = members.stream().filter(member -> !isPrimary(member)).toList();
    secondaries.forEach(member -> setLagging(member, true));
    BsonDocument late;
    try (MongoClient client = MongoClients.create(stack.mongoUri())) {
      var partition =
          client
              .getDatabase(DATABASE)
              .getCollection(PARTITION, BsonDocument.class)
              .withWriteConcern(WriteConcern.W1);
      late = partition.find().first().clone();
      late.put("_id", new BsonBinary(new byte[20]));
      partition.insertOne(late);
      CompletableFuture<Void> catchUp =
          CompletableFuture.runAsync(
              () -> secondaries.forEach(member -> setLagging(member, false)),
              CompletableFuture.delayedExecutor(LAG.toMillis(), TimeUnit.MILLISECONDS));

      boolean isRead = read(HistoryReading.ALL).contains(late.get("_id").toString());
      catchUp.get();
      partition.deleteOne(new Document("_id", late.get("_id")));

      assertThat(isRead).as("whether the last document was read").isTrue();
    }
  }

  @Test
  void theStoredTimeOfARangeIsFromItsFirstToItsLastRecord() {
    List<HistoryPartition> partitions =
        List.of(
            HistoryPartition.parse("history", "history_2026_01_19").orElseThrow(),
            HistoryPartition.parse("history", PARTITION).orElseThrow());
    TimeRange within = new TimeRange(TIME.plusMillis(2), TIME.plusMillis(5));
    TimeRange without = new TimeRange(TIME.minusSeconds(60), TIME);
    try (MongoClient client = MongoClients.create(stack.mongoUri())) {
      HistoryQueries queries =
          new HistoryQueries(
              client.getDatabase(DATABASE), "history", QueryOptions.within(Duration.ofSeconds(30)));

      assertThat(queries.stored(partitions, TimeRange.ALL))
          .hasValue(new TimeRange(TIME, TIME.plusMillis(RECORDS)));
      assertThat(queries.stored(partitions, within)).hasValue(within);
      assertThat(queries.stored(partitions, without)).isEmpty();
      assertThat(queries.stored(List.of(), TimeRange.ALL)).isEmpty();
    }
  }

  private static Set<String> read(HistoryReading<?> reading) throws IOException {
    Set<String> ids = new HashSet<>();
    HistorySplitReader reader =
        new HistorySplitReader(MongoOptions.defaults(stack.mongoUri(), DATABASE), reading);
    try {
      reader.handleSplitsChanges(
          new SplitsAddition<>(
              new ArrayList<>(
                  HistorySplits.of(
                      DATABASE,
                      List.of(HistoryPartition.parse("history", PARTITION).orElseThrow()),
                      TimeRange.ALL,
                      List.of()))));
      while (true) {
        RecordsWithSplitIds<BsonDocument> records = reader.fetch();
        while (records.nextSplit() != null) {
          for (BsonDocument document = records.nextRecordFromSplit();
              document != null;
              document = records.nextRecordFromSplit()) {
            ids.add(document.get("_id").toString());
          }
        }
        if (!records.finishedSplits().isEmpty()) {
          return ids;
        }
      }
    } finally {
      reader.close();
    }
  }

  /** Returns how many reads of a whole split the members of that kind have noted. */
  private static long scans(boolean onPrimary) {
    long scans = 0;
    for (String member : members) {
      if (isPrimary(member) != onPrimary) {
        continue;
      }
      try (MongoClient client = connect(member)) {
        scans +=
            client
                .getDatabase(DATABASE)
                .getCollection("system.profile")
                .countDocuments(
                    new Document("command.find", PARTITION)
                        .append("command.sort", new Document("_id", 1)));
      }
    }
    return scans;
  }

  private static boolean isPrimary(String member) {
    return run(member, "admin", new Document("hello", 1)).getBoolean("isWritablePrimary");
  }

  private static void setLagging(String member, boolean lagging) {
    run(
        member,
        "admin",
        new Document("configureFailPoint", "stopReplProducer")
            .append("mode", lagging ? "alwaysOn" : "off"));
  }

  private static Document run(String member, String database, Document command) {
    try (MongoClient client = connect(member)) {
      return client.getDatabase(database).runCommand(command);
    }
  }

  private static MongoClient connect(String member) {
    return MongoClients.create("mongodb://%s/?directConnection=true".formatted(member));
  }
}
