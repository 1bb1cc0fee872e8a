package io.lastfix.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.sink.ServerWriter;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryShardKey;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.mongodb.source.split.MongoScanSourceSplit;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a read of History gives if the server closes its cursors: a subclass brings the server. A
 * cursor is closed by {@code killCursors}, which a reader cannot tell from the server's own closing
 * of an idle one.
 */
abstract class HistorySplitReaderContract {
  private static final String PARTITION = "history_2026_01_20";
  private static final Instant TIME = Instant.parse("2026-01-20T12:00:01.001Z");
  private static final CellId CELL = CellId.parse("234-10-4021-20911362");

  /** More than two batches of the reader on each of three shards. */
  private static final int RECORDS = 30_000;

  static final int USERS = 999;

  abstract String uri();

  /** Returns the URIs of the servers that have the documents. */
  abstract List<String> servers();

  /** Has each server hold some of the documents. */
  void spread(String namespace, HistoryShardKey key) {
    // A single server holds them all.
  }

  /** Returns the argument of {@code $currentOp} that lists the cursors of the server addressed. */
  abstract Document cursorListing();

  @ParameterizedTest
  @EnumSource(HistoryShardKey.class)
  void aReadWhoseCursorIsClosedAfterEachBatchHasEachDocumentOnce(HistoryShardKey key)
      throws Exception {
    String database = "closed_cursors_" + key;
    store(database, key);
    List<BsonValue> ids = new ArrayList<>();
    int closed = 0;
    HistorySplitReader reader =
        new HistorySplitReader(MongoOptions.defaults(uri(), database), HistoryReading.UNLOCATED);
    try (MongoClient client = MongoClients.create(uri())) {
      reader.handleSplitsChanges(new SplitsAddition<>(List.of(split(database))));
      while (fetch(reader, ids)) {
        closed += closeCursors(client, database);
      }
    } finally {
      reader.close();
    }

    assertThat(closed).as("cursors closed").isGreaterThan(2);
    assertThat(ids).as("documents read").doesNotHaveDuplicates();
    assertThat(ids).as("documents read of %d stored", RECORDS).hasSize(RECORDS);
  }

  /** Each server that has documents finds them in the index's order, so the order costs nothing. */
  @ParameterizedTest
  @EnumSource(HistoryShardKey.class)
  void aReadHasTheOrderOfTheIndexAndNoServerSorts(HistoryShardKey key) throws Exception {
    String database = "order_" + key;
    store(database, key);
    for (String server : servers()) {
      profile(server, database, 2);
    }
    List<BsonValue> ids = new ArrayList<>();
    HistorySplitReader reader =
        new HistorySplitReader(MongoOptions.defaults(uri(), database), HistoryReading.UNLOCATED);
    try {
      reader.handleSplitsChanges(new SplitsAddition<>(List.of(split(database))));
      while (fetch(reader, ids)) {
        assertThat(ids).isNotEmpty();
      }
    } finally {
      reader.close();
    }

    assertThat(ids).hasSize(RECORDS).isSortedAccordingTo(HistorySplitReaderContract::compare);
    for (String server : servers()) {
      profile(server, database, 0);
      assertThat(finds(server, database))
          .as("queries on %s", server)
          .isNotEmpty()
          .allSatisfy(
              query -> {
                assertThat(query.get("command", Document.class).get("sort"))
                    .isEqualTo(new Document("_id", 1));
                assertThat(query.getString("planSummary")).isEqualTo("IXSCAN { _id: 1 }");
                assertThat(query).doesNotContainKey("hasSortStage");
              });
    }
  }

  private static void profile(String server, String database, int level) {
    try (MongoClient client = MongoClients.create(server)) {
      client.getDatabase(database).runCommand(new Document("profile", level));
    }
  }

  /**
   * Returns the queries of History that the server has noted. Without those that it refused since
   * the router knew an older placement of the chunks: it planned nothing, and the router asks
   * again.
   */
  private static List<Document> finds(String server, String database) {
    try (MongoClient client = MongoClients.create(server)) {
      return client
          .getDatabase(database)
          .getCollection("system.profile")
          .find(
              new Document("command.find", PARTITION)
                  .append("errName", new Document("$ne", "StaleConfig")))
          .into(new ArrayList<>());
    }
  }

  private static int compare(BsonValue a, BsonValue b) {
    return Arrays.compareUnsigned(a.asBinary().getData(), b.asBinary().getData());
  }

  private void store(String database, HistoryShardKey key) {
    try (ServerWriter writer =
        ServerWriter.history(
            uri(),
            database,
            TestHistory.of(PartitionPeriod.DAY, key, false),
            ProvisionMode.AUTO,
            InstantSource.fixed(Instant.MAX))) {
      writer.store(
          IntStream.range(0, RECORDS)
              .mapToObj(
                  i ->
                      new LocatedRecord(
                          "user%03d".formatted(i % USERS), CELL, TIME.toEpochMilli() + i, null))
              .toList());
    }
    spread(database + "." + PARTITION, key);
  }

  private static MongoScanSourceSplit split(String database) {
    return HistorySplits.of(
            database,
            List.of(HistoryPartition.parse("history", PARTITION).orElseThrow()),
            TimeRange.ALL,
            List.of())
        .get(0);
  }

  /** Adds the ids of one batch; returns false once the split has ended. */
  private static boolean fetch(HistorySplitReader reader, List<BsonValue> ids) throws IOException {
    RecordsWithSplitIds<BsonDocument> records = reader.fetch();
    while (records.nextSplit() != null) {
      for (BsonDocument document = records.nextRecordFromSplit();
          document != null;
          document = records.nextRecordFromSplit()) {
        ids.add(document.get("_id"));
      }
    }
    return records.finishedSplits().isEmpty();
  }

  /** Closes the open cursors on History, and returns their number. */
  private int closeCursors(MongoClient client, String database) {
    MongoDatabase admin = client.getDatabase("admin");
    Set<Long> open = new HashSet<>();
    for (Document operation :
        admin.aggregate(
            List.of(
                new Document("$currentOp", cursorListing()),
                new Document("$match", new Document("ns", database + "." + PARTITION)),
                new Document("$match", new Document("type", "idleCursor"))))) {
      open.add(operation.get("cursor", Document.class).getLong("cursorId"));
    }
    if (!open.isEmpty()) {
      client
          .getDatabase(database)
          .runCommand(
              new Document("killCursors", PARTITION).append("cursors", new ArrayList<>(open)));
    }
    return open.size();
  }
}
