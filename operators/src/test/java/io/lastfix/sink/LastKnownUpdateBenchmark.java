package io.lastfix.sink;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.store.history.HistoryDocumentConverter;
import io.lastfix.store.lastknown.LastKnownLocationConverter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Measures what the update of Last Known Location costs the server for records at a cell: the form
 * before records had positions of their own, which set {@code last} only, against the converter's.
 * Every round measures both in turn, in changing order. It prints the server's own CPU time per
 * update.
 *
 * <p>Run it against a mongod on this machine (it reads {@code /proc/<pid>/stat}) without other
 * data: {@code LastKnownUpdateBenchmark mongodb://127.0.0.1:27017/?retryWrites=false 500000 6}. It
 * drops and fills the database {@code lastfix_benchmark}.
 */
final class LastKnownUpdateBenchmark {
  private static final int USERS = 100_000;
  private static final int BULK = 1_000;
  private static final int THREADS = 4;
  private static final long FIRST_MILLIS = 1_795_176_000_000L;

  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);
  private static final LastKnownLocationConverter CONVERTER = new LastKnownLocationConverter();

  /** The candidates. */
  enum Form {
    /** {@code {$max: {last: {ts, cell, loc}}}}. */
    LAST_ONLY,
    /** What {@link LastKnownLocationConverter} writes. */
    LAST_AND_FIX;

    WriteModel<BsonDocument> update(String user, long ts, CellId cell, Position position) {
      return switch (this) {
        case LAST_ONLY ->
            new UpdateOneModel<>(
                new BsonDocument("_id", new BsonString(user)),
                new BsonDocument(
                    "$max",
                    new BsonDocument(
                        "last",
                        new BsonDocument("ts", new BsonDateTime(ts))
                            .append("cell", new BsonString(cell.toString()))
                            .append("loc", HistoryDocumentConverter.location(position)))),
                UPSERT);
        case LAST_AND_FIX -> CONVERTER.apply(new LocationRecord(user, cell, null, ts).at(position));
      };
    }
  }

  private final MongoDatabase database;
  private final int updates;
  private final ServerCpu server;

  private LastKnownUpdateBenchmark(MongoClient client, int updates) {
    this.database = client.getDatabase("lastfix_benchmark");
    this.updates = updates;
    this.server = new ServerCpu(database);
  }

  public static void main(String[] arguments) throws Exception {
    int updates = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    Map<Form, List<double[]>> results = new EnumMap<>(Form.class);
    try (MongoClient client = MongoClients.create(arguments[0])) {
      LastKnownUpdateBenchmark benchmark = new LastKnownUpdateBenchmark(client, updates);
      for (int round = 1; round <= rounds; round++) {
        List<Form> order = new ArrayList<>(List.of(Form.values()));
        if (round % 2 == 0) {
          Collections.reverse(order);
        }
        for (Form form : order) {
          double[] cpuMicros = benchmark.measure(form);
          System.out.printf(
              "round %d %s: newer %.1f us, stale %.1f us%n",
              round, form, cpuMicros[0], cpuMicros[1]);
          results.computeIfAbsent(form, any -> new ArrayList<>()).add(cpuMicros);
        }
      }
    }
    for (int kind = 0; kind < 2; kind++) {
      double before = median(results.get(Form.LAST_ONLY), kind);
      double now = median(results.get(Form.LAST_AND_FIX), kind);
      System.out.printf(
          "%s: %.1f us before, %.1f us now, ratio %.2f%n",
          kind == 0 ? "newer" : "stale", before, now, now / before);
    }
  }

  private static double median(List<double[]> rounds, int kind) {
    double[] sorted = rounds.stream().mapToDouble(round -> round[kind]).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** Returns the server's CPU microseconds of an update that is newer, and of one that is stale. */
  private double[] measure(Form form) throws Exception {
    database.drop();
    MongoCollection<BsonDocument> collection =
        database.getCollection("last_known_location", BsonDocument.class);
    writeAll(form, collection, USERS, FIRST_MILLIS, true);
    double cpu = server.micros();
    writeAll(form, collection, updates, FIRST_MILLIS + 1_000, false);
    double newer = (server.micros() - cpu) / updates;
    if (collection.countDocuments() != USERS) {
      throw new IllegalStateException("users are missing");
    }
    cpu = server.micros();
    writeAll(form, collection, updates, FIRST_MILLIS - 1_000_000_000L, false);
    double stale = (server.micros() - cpu) / updates;
    return new double[] {newer, stale};
  }

  private void writeAll(
      Form form,
      MongoCollection<BsonDocument> collection,
      int count,
      long firstMillis,
      boolean isEachUserOnce)
      throws Exception {
    AtomicInteger next = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        tasks.add(
            () -> {
              for (int first = next.getAndAdd(BULK); first < count; first = next.getAndAdd(BULK)) {
                List<WriteModel<BsonDocument>> bulk = new ArrayList<>(BULK);
                for (int i = first; i < Math.min(first + BULK, count); i++) {
                  SplittableRandom random = new SplittableRandom(i);
                  int user = isEachUserOnce ? i : random.nextInt(USERS);
                  bulk.add(
                      form.update(
                          Long.toString(350_000_000_000_000L + user),
                          firstMillis + i,
                          new CellId(234, 10, 4021, 20_000_000L + random.nextInt(2_000)),
                          new Position(random.nextDouble(-1, 1), random.nextDouble(51, 52))));
                }
                collection.bulkWrite(bulk, new BulkWriteOptions().ordered(false));
              }
              return null;
            });
      }
      for (Future<Void> task : threads.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      threads.shutdown();
    }
  }
}
