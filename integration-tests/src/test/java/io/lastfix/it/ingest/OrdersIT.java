package io.lastfix.it.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Sorts;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Own;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.Scenario.Version;
import io.lastfix.it.harness.TestStack;
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
import java.io.Serializable;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.flink.api.common.accumulators.IntMaximum;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The final state is a function of the set of records: both collections are equal byte for byte
 * after any order, parallelism and crash, and hold what the {@link Oracle} says. The sinks and the
 * server are real; Flink runs in this JVM.
 *
 * <p>Some records come twice, once without and once with the position of their cell, in either
 * order: their documents are completed. Of the records with a position of their own, the two differ
 * in accuracy and altitude, which makes them no other record: the greatest stay, in both
 * collections.
 */
class OrdersIT {
  private static final int ORDERS = Chaos.shortOrLong(5, 20);
  private static final int DISTINCT = Chaos.shortOrLong(20_000, 100_000);

  /** The first so many come twice. */
  private static final int TWICE = DISTINCT / 20;

  private static final int RECORDS = DISTINCT + TWICE;

  private static final int USERS = 700;

  /** Few, so that the later fields decide too. */
  private static final int INSTANTS = 60;

  /** From this cell on, towers are far from all positions; the others are near all of them. */
  private static final int FIRST_FAR_CELL = 31;

  private static final int CELLS = 40;
  private static final int RANGE_METERS = 3_000;
  private static final long NOON = 1_795_176_000_000L;
  private static final String DATABASE = "orders";

  private static final Comparator<@Nullable Double> UNKNOWN_FIRST =
      Comparator.nullsFirst(Comparator.naturalOrder());

  private static TestStack stack;
  @AutoClose private static MongoClient mongo;

  @BeforeAll
  static void startServer() {
    stack = TestStack.sharedMongo();
    mongo = MongoClients.create(stack.mongoUri());
  }

  @Test
  void bothCollectionsAreTheSameBytesInAnyOrderAtAnyParallelismAndAfterAnyCrash() throws Exception {
    Random random = new Random(20261124);
    @Nullable String expected = null;
    for (int order = 0; order < ORDERS; order++) {
      int parallelism = 1 + order % 4;
      int crashes = order % 3;
      Order arrival = Order.random(random, parallelism, crashes);
      mongo.getDatabase(DATABASE).drop();

      int restarts = run(arrival, parallelism);

      assertThat(restarts).as("restarts in %s", arrival).isEqualTo(crashes);

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

  /** Returns how often Flink has restarted the job. */
  private static int run(Order arrival, int parallelism) throws Exception {
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
    return environment.execute().<Integer>getAccumulatorResult(Order.ATTEMPT);
  }

  /**
   * The order in which the records come: the position times a factor, modulo their number. It fails
   * once at each crash point. These are in ascending order and in one split of the sequence, so
   * that no checkpoint before one crash is behind the next crash point.
   */
  private static final class Order extends RichMapFunction<Long, LocatedRecord>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Accumulator: the number of the attempt that came to the end, 0 for the first. */
    static final String ATTEMPT = "attempt";

    private final long factor;
    private final long offset;
    private final List<Long> crashPoints;

    private Order(long factor, long offset, List<Long> crashPoints) {
      this.factor = factor;
      this.offset = offset;
      this.crashPoints = new ArrayList<>(crashPoints);
    }

    static Order random(Random random, int parallelism, int crashes) {
      long factor = 1L + random.nextInt(RECORDS - 1);
      while (greatestCommonDivisor(factor, RECORDS) != 1) {
        factor++;
      }
      int split = RECORDS / parallelism;
      // Splits differ in size by one; the margin keeps the points inside of one.
      long first = (long) random.nextInt(parallelism) * split + parallelism;
      List<Long> crashPoints =
          LongStream.generate(() -> first + random.nextInt(split - 2 * parallelism))
              .limit(crashes)
              .sorted()
              .boxed()
              .toList();
      return new Order(factor, random.nextInt(RECORDS), crashPoints);
    }

    private static long greatestCommonDivisor(long a, long b) {
      return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    @Override
    public void open(OpenContext context) {
      IntMaximum attempt = new IntMaximum();
      attempt.add(getRuntimeContext().getTaskInfo().getAttemptNumber());
      getRuntimeContext().addAccumulator(ATTEMPT, attempt);
    }

    @Override
    public LocatedRecord map(Long position) {
      int attempt = getRuntimeContext().getTaskInfo().getAttemptNumber();
      if (attempt < crashPoints.size() && position.equals(crashPoints.get(attempt))) {
        throw new IllegalStateException("a crash of the test, at position " + position);
      }
      int arrival = (int) ((position * factor + offset) % RECORDS);
      return record(arrival, arrival >= TWICE);
    }

    @Override
    public String toString() {
      return "position * %d + %d, crashes at %s".formatted(factor, offset, crashPoints);
    }
  }

  /**
   * Returns the record of that number: at a cell, at a position, or both. Those that come twice
   * have two numbers.
   *
   * @param isCellKnown whether the catalogue has its cell, if it ever has
   */
  private static LocatedRecord record(int number, boolean isCellKnown) {
    int identity = number % DISTINCT;
    Random random = new Random(identity);
    Random details = new Random(-1 - number);
    String user = "user-" + random.nextInt(USERS);
    long timestampMillis = NOON + random.nextInt(INSTANTS) * 1_000L;
    CellId cell = new CellId(234, 10, 4021, random.nextInt(CELLS));
    @Nullable Position tower = isCellKnown && isEverKnown(cell.cid()) ? tower(cell.cid()) : null;
    Position own = new Position(random.nextInt(6) * 0.02, 51.5);
    Fix fix =
        new Fix(
            own,
            random.nextBoolean() ? PositionSource.GNSS : PositionSource.NETWORK,
            oneOf(details, null, 5.0, 20.0),
            oneOf(details, null, 12.5, 35.0),
            null);
    return switch (identity % 3) {
      case 0 -> new LocatedRecord(user, cell, timestampMillis, tower);
      case 1 -> new LocatedRecord(user, new Place.AtFix(fix), timestampMillis, null, false);
      default ->
          new LocatedRecord(
              user,
              new Place.AtFixAndCell(fix, cell, null),
              timestampMillis,
              tower,
              tower != null && cell.cid() >= FIRST_FAR_CELL);
    };
  }

  @SafeVarargs
  private static <T> T oneOf(Random random, T... values) {
    return values[random.nextInt(values.length)];
  }

  private static boolean isEverKnown(long cid) {
    return cid % 8 != 0;
  }

  private static Position tower(long cid) {
    return new Position(cid * 0.001, cid < FIRST_FAR_CELL ? 51.5 : 52.5);
  }

  /** The record of that number, as the {@link Oracle} reads it. */
  private static Fact fact(int number) {
    LocatedRecord record = record(number, true);
    Fix fix = record.fix();
    @Nullable Own own =
        fix == null
            ? null
            : new Own(
                fix.position().lon(),
                fix.position().lat(),
                fix.accuracyMeters(),
                fix.altitudeMeters(),
                fix.source().text());
    Instant ts = Instant.ofEpochMilli(record.timestampMillis());
    CellId cell = record.cell();
    return cell == null
        ? Fact.at(record.user(), own, ts)
        : new Fact(record.user(), 234, 10, 4021, cell.cid(), null, ts, own);
  }

  private static List<TowerFact> towers() {
    return IntStream.range(0, CELLS)
        .filter(OrdersIT::isEverKnown)
        .mapToObj(
            cid ->
                new TowerFact(
                    234,
                    10,
                    4021,
                    cid,
                    "LTE",
                    List.of(
                        new Version(
                            Instant.EPOCH, tower(cid).lon(), tower(cid).lat(), RANGE_METERS))))
        .toList();
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

  /** So that equal states cannot be equally wrong. */
  private static void assertThatTheStateIsRight() {
    Oracle oracle = new Oracle(towers());
    List<Fact> facts = IntStream.range(0, RECORDS).mapToObj(OrdersIT::fact).toList();
    Map<String, String> byIdentity = new TreeMap<>();
    greatestDetails(facts)
        .forEach((identity, fact) -> byIdentity.put(identity, oracle.historyDocument(fact)));
    List<String> history = documents("history_2026_11");
    assertThat(history).hasSameSizeAs(byIdentity.values());
    LocationRun.assertSame(
        "history_2026_11", new TreeSet<>(history), new TreeSet<>(byIdentity.values()));
    LocationRun.assertSame(
        "last_known_location",
        new TreeSet<>(documents("last_known_location")),
        oracle.lastKnownLocation(facts));
    assertThatTiesAreDecided(facts);
  }

  /** Returns, of the facts with one identity, that of the greatest accuracy, then altitude. */
  private static Map<String, Fact> greatestDetails(List<Fact> facts) {
    Map<String, Fact> greatest = new TreeMap<>();
    Set<String> withTwins = new TreeSet<>();
    for (Fact fact : facts) {
      Fact other = greatest.putIfAbsent(fact.identity(), fact);
      Own own = fact.own();
      if (other != null && own != null && !own.equals(other.own())) {
        withTwins.add(fact.identity());
        greatest.merge(fact.identity(), fact, OrdersIT::greaterDetails);
      }
    }
    assertThat(withTwins)
        .as("records that came with several details")
        .hasSizeGreaterThan(TWICE / 2);
    return greatest;
  }

  private static Fact greaterDetails(Fact a, Fact b) {
    return Comparator.comparing(Own::accuracy, UNKNOWN_FIRST)
                .thenComparing(Own::altitude, UNKNOWN_FIRST)
                .compare(Objects.requireNonNull(a.own()), Objects.requireNonNull(b.own()))
            >= 0
        ? a
        : b;
  }

  private static List<String> documents(String collection) {
    List<String> documents = new ArrayList<>();
    for (Document document : mongo.getDatabase(DATABASE).getCollection(collection).find()) {
      if (!collection.equals("last_known_location")) {
        document.remove("_id");
      }
      documents.add(Oracle.comparable(document));
    }
    return documents;
  }

  /** Without several records of a user's newest instant, only the timestamp would be tested. */
  private static void assertThatTiesAreDecided(List<Fact> facts) {
    Map<String, Set<String>> newest = new TreeMap<>();
    Map<String, Instant> instants = new TreeMap<>();
    for (Fact fact : facts) {
      instants.merge(fact.user(), fact.ts(), (a, b) -> a.isAfter(b) ? a : b);
    }
    for (Fact fact : facts) {
      if (fact.ts().equals(instants.get(fact.user()))) {
        newest.computeIfAbsent(fact.user(), absent -> new TreeSet<>()).add(fact.identity());
      }
    }
    assertThat(newest.values().stream().filter(identities -> identities.size() > 1).count())
        .as("users with several records of their newest instant")
        .isGreaterThan(USERS / 4);
  }
}
