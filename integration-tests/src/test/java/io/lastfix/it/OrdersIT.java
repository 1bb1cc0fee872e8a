package io.lastfix.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.WriteModel;
import io.lastfix.jobs.LocationJob;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.sink.HistorySink;
import io.lastfix.sink.LastKnownLocationSink;
import io.lastfix.store.history.HistoryDocumentConverter;
import java.io.Serializable;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The final state is a function of the set of records: both collections are equal byte for byte
 * after any order, parallelism and crash, over documents of a former release. The sinks and the
 * server are real; Flink runs in this JVM.
 *
 * <p>Records with one identity are equal here. If they differed in accuracy, altitude or shape,
 * History would keep the first to arrive, and its state would depend on the order.
 */
class OrdersIT {
  private static final int ORDERS = Chaos.shortOrLong(5, 20);
  private static final int DISTINCT = Chaos.shortOrLong(20_000, 100_000);

  /** Some come twice. */
  private static final int RECORDS = DISTINCT + DISTINCT / 20;

  private static final int USERS = 700;
  private static final long NOON = 1_795_176_000_000L;
  private static final String DATABASE = "orders";

  @TempDir private static Path directory;

  private static TestStack stack;
  private static MongoClient mongo;

  @BeforeAll
  static void startServer() {
    stack = TestStack.startMongo(directory);
    mongo = MongoClients.create(stack.mongoUri());
  }

  @AfterAll
  static void stopServer() {
    if (mongo != null) {
      mongo.close();
    }
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  void bothCollectionsAreTheSameBytesInAnyOrderAtAnyParallelismAndAfterAnyCrash() throws Exception {
    Random random = new Random(20261124);
    @Nullable String expected = null;
    for (int order = 0; order < ORDERS; order++) {
      int parallelism = 1 + order % 4;
      int crashes = order % 3;
      Order arrival = Order.random(random, crashes);
      storeDocumentsOfAFormerRelease();

      run(arrival, parallelism);

      String state = state();
      if (expected == null) {
        assertThatTheStateIsRight();
        expected = state;
      }
      assertThat(state)
          .as("%s at parallelism %d, after %d crashes", arrival, parallelism, crashes)
          .isEqualTo(expected);
    }
    System.out.printf(
        "[orders] %,d records in %d orders, parallelism 1 to 4, up to 2 crashes: equal bytes%n",
        RECORDS, ORDERS);
  }

  private static void run(Order arrival, int parallelism) throws Exception {
    LocationJobConfig config =
        LocationJobConfig.load(
            null,
            List.of(
                "mongo.uri=" + stack.mongoUri(),
                "mongo.database=" + DATABASE,
                "job.parallelism=" + parallelism,
                "checkpoint.interval=100 ms",
                "restart.initial-backoff=100 ms"),
            name -> null);
    Configuration flink = LocationJob.flinkConfiguration(config);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(flink);
    var located =
        environment
            .fromSequence(0, RECORDS - 1L)
            .uid("positions")
            .map(arrival)
            .returns(RecordTypes.LOCATED_RECORD)
            .uid("records");
    var byUser = LocationJob.byUser(located);
    byUser
        .sinkTo(
            new HistorySink(
                config.historyMongo(), config.historyBulks(), config.history(), config.provision()))
        .uid("history");
    LocationJob.locatedOnly(byUser)
        .sinkTo(
            new LastKnownLocationSink(
                config.lastKnownLocationMongo(),
                config.lastKnownLocationBulks(),
                config.lastKnownLocation(),
                config.provision()))
        .uid("last-known-location");
    environment.execute();
  }

  /**
   * The order in which the records come: the position times a factor, modulo their number. It fails
   * once at each crash point.
   */
  private static final class Order extends RichMapFunction<Long, LocatedRecord>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long factor;
    private final long offset;
    private final List<Long> crashPoints;

    private Order(long factor, long offset, List<Long> crashPoints) {
      this.factor = factor;
      this.offset = offset;
      this.crashPoints = new ArrayList<>(crashPoints);
    }

    static Order random(Random random, int crashes) {
      long factor = 1L + random.nextInt(RECORDS - 1);
      while (greatestCommonDivisor(factor, RECORDS) != 1) {
        factor++;
      }
      List<Long> crashPoints = new ArrayList<>();
      for (int i = 0; i < crashes; i++) {
        crashPoints.add((long) random.nextInt(RECORDS));
      }
      return new Order(factor, random.nextInt(RECORDS), crashPoints);
    }

    private static long greatestCommonDivisor(long a, long b) {
      return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    @Override
    public LocatedRecord map(Long position) {
      int attempt = getRuntimeContext().getTaskInfo().getAttemptNumber();
      if (attempt < crashPoints.size() && position.equals(crashPoints.get(attempt))) {
        throw new IllegalStateException("a crash of the test, at position " + position);
      }
      return record((int) ((position * factor + offset) % RECORDS) % DISTINCT);
    }

    @Override
    public String toString() {
      return "position * %d + %d, crashes at %s".formatted(factor, offset, crashPoints);
    }
  }

  /** Returns the record of that number: at a known or unknown cell, at a position, or both. */
  private static LocatedRecord record(int number) {
    Random random = new Random(number);
    String user = "user-" + random.nextInt(USERS);
    // Few moments, so that the later fields decide too.
    long timestampMillis = NOON + random.nextInt(400) * 1_000L;
    CellId cell = new CellId(234, 10, 4021, random.nextInt(40));
    @Nullable Position tower =
        cell.cid() % 8 == 0 ? null : new Position(cell.cid() * 0.01, 51 + cell.cid() * 0.01);
    Position own = new Position(random.nextInt(6) * 0.02, 51.5);
    Fix fix =
        new Fix(
            own,
            random.nextBoolean() ? PositionSource.GNSS : PositionSource.NETWORK,
            own.lon() > 0.05 ? own.lon() * 100 : null,
            own.lon() > 0.09 ? 12.5 : null,
            null);
    return switch (kind(number)) {
      case 0 -> new LocatedRecord(user, cell, timestampMillis, tower);
      case 1 -> new LocatedRecord(user, new Place.AtFix(fix), timestampMillis, null, false);
      default ->
          new LocatedRecord(
              user,
              new Place.AtFixAndCell(fix, cell, null),
              timestampMillis,
              tower,
              tower != null && cell.cid() > 30);
    };
  }

  private static int kind(int number) {
    return number % 3;
  }

  /** Stores a tenth of the records at a cell as a former release did. */
  private static void storeDocumentsOfAFormerRelease() {
    MongoDatabase database = mongo.getDatabase(DATABASE);
    database.drop();
    Map<String, BsonDocument> history = new HashMap<>();
    Map<String, BsonDocument> newest = new HashMap<>();
    for (int number = 0; number < DISTINCT; number += 30) {
      LocatedRecord record = record(number);
      WriteModel<BsonDocument> write = new HistoryDocumentConverter().apply(record);
      BsonDocument document = ((InsertOneModel<BsonDocument>) write).getDocument();
      document.remove("src");
      history.put(document.get("_id").toString(), document);
      if (record.isLocated()) {
        BsonDocument last =
            new BsonDocument("ts", new BsonDateTime(record.timestampMillis()))
                .append("cell", document.get("cell"))
                .append("loc", document.get("loc"));
        newest.merge(record.user(), last, OrdersIT::newerOfFormerRelease);
      }
    }
    database
        .getCollection("history_2026_11", BsonDocument.class)
        .insertMany(List.copyOf(history.values()));
    List<BsonDocument> lastKnown = new ArrayList<>();
    newest.forEach(
        (user, last) ->
            lastKnown.add(new BsonDocument("_id", new BsonString(user)).append("last", last)));
    database.getCollection("last_known_location", BsonDocument.class).insertMany(lastKnown);
  }

  /** By (ts, cell); the position follows from the cell. */
  private static BsonDocument newerOfFormerRelease(BsonDocument a, BsonDocument b) {
    int order = a.getDateTime("ts").compareTo(b.getDateTime("ts"));
    if (order == 0) {
      order = a.getString("cell").compareTo(b.getString("cell"));
    }
    return order >= 0 ? a : b;
  }

  /** A digest of all bytes of both collections, in the order of {@code _id}. */
  private static String state() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (String collection : List.of("history_2026_11", "last_known_location")) {
      for (RawBsonDocument document :
          mongo
              .getDatabase(DATABASE)
              .getCollection(collection, RawBsonDocument.class)
              .find()
              .sort(Sorts.ascending("_id"))) {
        digest.update(document.getByteBuffer().asNIO());
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Counts by plain means, so that equal states cannot be equally empty. */
  private static void assertThatTheStateIsRight() {
    Map<String, Long> newest = new HashMap<>();
    Map<String, Long> newestFix = new HashMap<>();
    Map<List<Object>, Boolean> identities = new HashMap<>();
    for (int number = 0; number < DISTINCT; number++) {
      LocatedRecord record = record(number);
      Fix fix = record.fix();
      identities.put(
          fix == null
              ? List.of(record.user(), record.timestampMillis(), String.valueOf(record.cell()))
              : List.of(
                  record.user(),
                  record.timestampMillis(),
                  String.valueOf(record.cell()),
                  fix.source(),
                  fix.position()),
          true);
      if (record.isLocated()) {
        newest.merge(record.user(), record.timestampMillis(), Math::max);
      }
      if (fix != null) {
        newestFix.merge(record.user(), record.timestampMillis(), Math::max);
      }
    }
    MongoDatabase database = mongo.getDatabase(DATABASE);
    assertThat(database.getCollection("history_2026_11").countDocuments())
        .isEqualTo(identities.size());
    Map<String, Long> stored = new HashMap<>();
    Map<String, Long> storedFix = new HashMap<>();
    for (BsonDocument document :
        database.getCollection("last_known_location", BsonDocument.class).find()) {
      String user = document.getString("_id").getValue();
      stored.put(user, document.getDocument("last").getDateTime("ts").getValue());
      if (document.get("fix").isDocument()) {
        storedFix.put(user, document.getDocument("fix").getDateTime("ts").getValue());
      }
    }
    assertThat(stored).isEqualTo(newest);
    assertThat(storedFix).isEqualTo(newestFix);
  }
}
