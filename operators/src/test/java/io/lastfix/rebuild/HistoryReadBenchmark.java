package io.lastfix.rebuild;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertOneModel;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryDocumentConverter;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.bson.BsonDocument;
import org.bson.Document;

/**
 * Measures the read of History by {@code relocate}: how long it takes to find the one record in a
 * hundred that has no position, and the server's own CPU time per document of the period.
 *
 * <p>Run it against a mongod on this machine (it reads {@code /proc/<pid>/stat}): {@code
 * HistoryReadBenchmark mongodb://127.0.0.1:27017/ 1000000 5}. It drops and fills the database
 * {@code lastfix_benchmark}, and prints one line for each round. docs/decisions/jobs.md has the
 * result.
 */
final class HistoryReadBenchmark {
  private static final String DATABASE = "lastfix_benchmark";
  private static final String PARTITION = "history_2026_01_20";
  private static final long START_MILLIS = Instant.parse("2026-01-20T00:00:00Z").toEpochMilli();
  private static final int USERS = 100_000;
  private static final int BATCH = 1_000;

  /** One in so many records has no position. */
  private static final int UNLOCATED = 100;

  /** Linux counts a process's CPU time in hundredths of a second on all our machines. */
  private static final double MICROS_PER_TICK = 10_000;

  private HistoryReadBenchmark() {}

  /** Arguments: URI, documents, rounds. */
  public static void main(String[] args) throws Exception {
    String uri = args[0];
    int documents = Integer.parseInt(args[1]);
    try (MongoClient client = MongoClients.create(uri)) {
      fill(client, documents);
      Path statistics = statistics(client);
      for (int round = 0; round < Integer.parseInt(args[2]); round++) {
        long ticks = cpuTicks(statistics);
        long began = System.nanoTime();
        long found = read(uri);
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf(
            "%,d of %,d documents in %.2f s, %.2f us of mongod's CPU a document%n",
            found,
            documents,
            seconds,
            (cpuTicks(statistics) - ticks) * MICROS_PER_TICK / documents);
      }
    }
  }

  private static void fill(MongoClient client, int documents) {
    client.getDatabase(DATABASE).drop();
    MongoCollection<BsonDocument> partition =
        client.getDatabase(DATABASE).getCollection(PARTITION, BsonDocument.class);
    HistoryDocumentConverter converter = new HistoryDocumentConverter();
    List<BsonDocument> batch = new ArrayList<>();
    for (int i = 0; i < documents; i++) {
      LocatedRecord record =
          new LocatedRecord(
              "35000000%07d".formatted(i % USERS),
              new CellId(234, 10, 4021, i % 2_000),
              START_MILLIS + i * 80L,
              i % UNLOCATED == 0 ? null : new Position(-0.1276, 51.5072));
      batch.add(((InsertOneModel<BsonDocument>) converter.apply(record)).getDocument());
      if (batch.size() == BATCH || i == documents - 1) {
        partition.insertMany(batch);
        batch.clear();
      }
    }
  }

  private static long read(String uri) throws IOException {
    HistorySplitReader reader =
        new HistorySplitReader(MongoOptions.defaults(uri, DATABASE), HistoryReading.UNLOCATED);
    try {
      reader.handleSplitsChanges(
          new SplitsAddition<>(
              List.copyOf(
                  HistorySplits.of(
                      DATABASE,
                      List.of(HistoryPartition.parse("history", PARTITION).orElseThrow()),
                      TimeRange.ALL,
                      List.of()))));
      long found = 0;
      while (true) {
        RecordsWithSplitIds<BsonDocument> records = reader.fetch();
        while (records.nextSplit() != null) {
          while (records.nextRecordFromSplit() != null) {
            found++;
          }
        }
        if (!records.finishedSplits().isEmpty()) {
          return found;
        }
      }
    } finally {
      reader.close();
    }
  }

  private static Path statistics(MongoClient client) {
    int pid =
        client
            .getDatabase("admin")
            .runCommand(new Document("serverStatus", 1))
            .get("pid", Number.class)
            .intValue();
    return Path.of("/proc", Integer.toString(pid), "stat");
  }

  /** Returns the server's user and system time: fields 14 and 15 of proc(5)'s stat. */
  private static long cpuTicks(Path statistics) throws IOException {
    String line = Files.readString(statistics, UTF_8);
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
  }
}
