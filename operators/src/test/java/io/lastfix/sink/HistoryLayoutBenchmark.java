package io.lastfix.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.InsertOneModel;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Measures the cost of History's {@code _id} and indexes: insert, replay, storage, and one user's
 * time range. Every round measures all layouts in turn, so that a busy machine slows all of them.
 * It prints the medians of the rounds and the server's own CPU time per document, which varies less
 * than a rate.
 *
 * <p>Run it against a mongod on this machine (it reads {@code /proc/<pid>/stat}) without other
 * data: {@code HistoryLayoutBenchmark mongodb://127.0.0.1:27017/?w=1 1000000 3}. It drops and fills
 * the database {@code lastfix_benchmark}. docs/performance/results-mongodb.json has the result.
 */
final class HistoryLayoutBenchmark {
  private static final int USERS = 100_000;
  private static final int CELLS = 2_000;
  private static final int BULK = 1_000;
  private static final int THREADS = 4;
  private static final int QUERIES = 2_000;
  private static final long FIRST_MILLIS = 1_795_176_000_000L;
  private static final long MILLIS_BETWEEN_RECORDS = 10;

  /** One candidate: the definition of {@code _id}, and whether (user, ts) has an index. */
  enum Layout {
    EMBEDDED_ID(false),
    EMBEDDED_ID_AND_INDEX(true),
    TIME_THEN_HASH_AND_INDEX(true),
    HASH_AND_INDEX(true),
    HASHED_USER_THEN_TIME(false),
    HASHED_USER_THEN_TIME_AND_INDEX(true);

    private final boolean indexed;

    Layout(boolean indexed) {
      this.indexed = indexed;
    }

    BsonValue id(Sample sample) {
      return switch (this) {
        case EMBEDDED_ID, EMBEDDED_ID_AND_INDEX ->
            new BsonDocument("u", new BsonString(sample.user()))
                .append("t", new BsonDateTime(sample.ts()))
                .append("c", new BsonString(sample.cell()));
        case TIME_THEN_HASH_AND_INDEX ->
            new BsonBinary(
                ByteBuffer.allocate(20)
                    .putLong(sample.ts())
                    .put(hash(sample.user() + ' ' + sample.cell()), 0, 12)
                    .array());
        case HASH_AND_INDEX ->
            new BsonBinary(
                Arrays.copyOf(hash(sample.user() + ' ' + sample.ts() + ' ' + sample.cell()), 16));
        case HASHED_USER_THEN_TIME, HASHED_USER_THEN_TIME_AND_INDEX ->
            new BsonBinary(hashedUserThenTime(sample.user(), sample.ts(), hash(sample.cell())));
      };
    }

    /** Queries one user's records of a time range, by the layout's index. */
    BsonDocument range(String user, long from, long to) {
      if (indexed) {
        return new BsonDocument("user", new BsonString(user))
            .append("ts", between(new BsonDateTime(from), new BsonDateTime(to)));
      }
      if (this == EMBEDDED_ID) {
        return new BsonDocument("_id", between(userAndTime(user, from), userAndTime(user, to)));
      }
      byte[] lowest = new byte[4];
      return new BsonDocument(
          "_id",
          between(
              new BsonBinary(hashedUserThenTime(user, from, lowest)),
              new BsonBinary(hashedUserThenTime(user, to, lowest))));
    }

    private static BsonDocument userAndTime(String user, long time) {
      return new BsonDocument("u", new BsonString(user)).append("t", new BsonDateTime(time));
    }

    private static byte[] hashedUserThenTime(String user, long time, byte[] cellHash) {
      return ByteBuffer.allocate(20)
          .put(hash(user), 0, 8)
          .putLong(time)
          .put(cellHash, 0, 4)
          .array();
    }

    private static BsonDocument between(BsonValue from, BsonValue to) {
      return new BsonDocument("$gte", from).append("$lt", to);
    }
  }

  /** Record number i: random users, ascending time with a disorder of up to ten seconds. */
  record Sample(String user, long ts, String cell, double lon, double lat) {
    static Sample number(int i) {
      SplittableRandom random = new SplittableRandom(i);
      int cell = random.nextInt(CELLS);
      return new Sample(
          user(random.nextInt(USERS)),
          FIRST_MILLIS + i * MILLIS_BETWEEN_RECORDS - random.nextInt(10_000),
          "234-10-4021-" + (20_000_000 + cell),
          -0.5 + cell / 10_000.0,
          51.3 + cell / 20_000.0);
    }

    static String user(int number) {
      return Long.toString(350_000_000_000_000L + number);
    }
  }

  /** The measurements of one round of one layout. */
  record Measured(
      double insertsPerSecond,
      double insertCpuMicros,
      double replaysPerSecond,
      double replayCpuMicros,
      double storageMegabytes,
      double indexMegabytes,
      double queryMicros,
      double queryCpuMicros) {}

  private final MongoDatabase database;
  private final MongoDatabase admin;
  private final int documents;
  private final ServerCpu server;

  private HistoryLayoutBenchmark(MongoClient client, int documents) {
    this.database = client.getDatabase("lastfix_benchmark");
    this.admin = client.getDatabase("admin");
    this.documents = documents;
    this.server = new ServerCpu(database);
  }

  public static void main(String[] arguments) throws Exception {
    int documents = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    try (MongoClient client = MongoClients.create(arguments[0])) {
      HistoryLayoutBenchmark benchmark = new HistoryLayoutBenchmark(client, documents);
      Map<Layout, List<Measured>> results = new EnumMap<>(Layout.class);
      for (int round = 1; round <= rounds; round++) {
        for (Layout layout : Layout.values()) {
          Measured measured = benchmark.measure(layout);
          System.out.printf("round %d %s %s%n", round, layout, measured);
          results.computeIfAbsent(layout, any -> new ArrayList<>()).add(measured);
        }
      }
      printMedians(results);
    }
  }

  private static void printMedians(Map<Layout, List<Measured>> results) {
    System.out.println(
        "| layout | inserts/s | CPU us | replays/s | CPU us | data MB | index MB | range us | CPU"
            + " us |");
    results.forEach(
        (layout, measured) ->
            System.out.printf(
                "| %s | %.0f | %.1f | %.0f | %.1f | %.0f | %.0f | %.0f | %.0f |%n",
                layout,
                median(measured, Measured::insertsPerSecond),
                median(measured, Measured::insertCpuMicros),
                median(measured, Measured::replaysPerSecond),
                median(measured, Measured::replayCpuMicros),
                median(measured, Measured::storageMegabytes),
                median(measured, Measured::indexMegabytes),
                median(measured, Measured::queryMicros),
                median(measured, Measured::queryCpuMicros)));
  }

  private static double median(List<Measured> measured, ToDoubleFunction<Measured> figure) {
    double[] sorted = measured.stream().mapToDouble(figure).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private Measured measure(Layout layout) throws Exception {
    database.drop();
    String name = "history_2026_11";
    database.createCollection(name);
    MongoCollection<BsonDocument> collection = database.getCollection(name, BsonDocument.class);
    if (layout.indexed) {
      collection.createIndex(
          new BsonDocument("user", new BsonInt32(1)).append("ts", new BsonInt32(1)));
    }

    double cpu = server.micros();
    long nanos = System.nanoTime();
    int duplicates = writeAll(layout, collection, 0, documents);
    double insertSeconds = (System.nanoTime() - nanos) / 1e9;
    double insertCpu = (server.micros() - cpu) / documents;

    int replayed = Math.min(documents, 300_000);
    cpu = server.micros();
    nanos = System.nanoTime();
    int refused = writeAll(layout, collection, documents - replayed, documents);
    double replaySeconds = (System.nanoTime() - nanos) / 1e9;
    double replayCpu = (server.micros() - cpu) / replayed;
    if (refused != replayed) {
      throw new IllegalStateException(refused + " duplicates among " + replayed + " replays");
    }
    if (collection.countDocuments() != documents - duplicates) {
      throw new IllegalStateException("documents are missing");
    }

    admin.runCommand(new BsonDocument("fsync", new BsonInt32(1)));
    var statistics = database.runCommand(new BsonDocument("collStats", new BsonString(name)));

    SplittableRandom random = new SplittableRandom(7);
    long span = documents * MILLIS_BETWEEN_RECORDS;
    double[] latencies = new double[QUERIES];
    long found = 0;
    cpu = server.micros();
    for (int i = 0; i < QUERIES; i++) {
      long from = FIRST_MILLIS + random.nextLong(span / 2);
      BsonDocument range = layout.range(Sample.user(random.nextInt(USERS)), from, from + span / 2);
      nanos = System.nanoTime();
      found += collection.find(range).into(new ArrayList<>()).size();
      latencies[i] = (System.nanoTime() - nanos) / 1e3;
    }
    double queryCpu = (server.micros() - cpu) / QUERIES;
    long expected = (long) QUERIES * documents / USERS / 2;
    if (found < expected * 0.8 || found > expected * 1.2) {
      throw new IllegalStateException("found " + found + ", expected about " + expected);
    }
    Arrays.sort(latencies);
    return new Measured(
        documents / insertSeconds,
        insertCpu,
        replayed / replaySeconds,
        replayCpu,
        statistics.get("storageSize", Number.class).doubleValue() / 1e6,
        statistics.get("totalIndexSize", Number.class).doubleValue() / 1e6,
        latencies[QUERIES / 2],
        queryCpu);
  }

  /** Writes the records; returns how many existed already. */
  private int writeAll(Layout layout, MongoCollection<BsonDocument> collection, int from, int to)
      throws Exception {
    AtomicInteger next = new AtomicInteger(from);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        tasks.add(
            () -> {
              int duplicates = 0;
              for (int first = next.getAndAdd(BULK); first < to; first = next.getAndAdd(BULK)) {
                duplicates += write(layout, collection, first, Math.min(first + BULK, to));
              }
              return duplicates;
            });
      }
      int duplicates = 0;
      for (Future<Integer> task : threads.invokeAll(tasks)) {
        duplicates += task.get();
      }
      return duplicates;
    } finally {
      threads.shutdown();
    }
  }

  private static int write(
      Layout layout, MongoCollection<BsonDocument> collection, int from, int to) {
    List<InsertOneModel<BsonDocument>> bulk = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      Sample sample = Sample.number(i);
      bulk.add(
          new InsertOneModel<>(
              new BsonDocument("_id", layout.id(sample))
                  .append("user", new BsonString(sample.user()))
                  .append("ts", new BsonDateTime(sample.ts()))
                  .append("cell", new BsonString(sample.cell()))
                  .append(
                      "loc",
                      new BsonDocument("lon", new BsonDouble(sample.lon()))
                          .append("lat", new BsonDouble(sample.lat())))));
    }
    try {
      collection.bulkWrite(bulk, new BulkWriteOptions().ordered(false));
      return 0;
    } catch (MongoBulkWriteException e) {
      for (BulkWriteError error : e.getWriteErrors()) {
        if (error.getCategory() != ErrorCategory.DUPLICATE_KEY) {
          throw e;
        }
      }
      return e.getWriteErrors().size();
    }
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
