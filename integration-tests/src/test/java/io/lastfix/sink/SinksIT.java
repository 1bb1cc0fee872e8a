package io.lastfix.sink;

import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.ValidationOptions;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.sink.BulkServer.BulkException;
import io.lastfix.sink.BulkServer.BulkResult;
import io.lastfix.store.history.PartitionPeriod;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** What both sinks rely on a real server for: races, replays, the order of {@code $max}, errors. */
class SinksIT {
  private static final long SEED = 20261121;
  private static final int CLIENTS = 8;
  private static final long LIMIT_SECONDS = 60;

  /** 2026-11-20T12:00:01.001Z. */
  private static final long TIMESTAMP_MILLIS = 1_795_176_001_001L;

  private static final CellId CELL = new CellId(234, 10, 4021, 20_911_362);
  private static final Position POSITION = new Position(-0.1276, 51.5072);

  /** Its name would be an expression of the server's language. */
  private static final String SHAPE =
      "{\"type\": \"Point\", \"coordinates\": [1.5, 2.5], \"name\": \"$cell\"}";

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;
  @AutoClose private static MongoClient mongo;

  private MongoDatabase database;

  @BeforeAll
  static void startServer() {
    stack = TestStack.startMongo(directory);
    mongo = MongoClients.create(stack.mongoUri());
  }

  @BeforeEach
  void takeDatabaseOfItsOwn(TestInfo test) {
    String name = test.getTestMethod().orElseThrow().getName();
    database = mongo.getDatabase(name.substring(0, Math.min(60, name.length())));
  }

  @Test
  void racingFirstInsertsOfTheSameUsersNeverLoseTheNewest() throws Exception {
    Random random = new Random(SEED);
    int rounds = 20;
    int usersPerRound = 100;
    Map<String, LocatedRecord> newest = new HashMap<>();
    List<List<List<LocatedRecord>>> byClient = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      List<List<LocatedRecord>> bulks = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        List<LocatedRecord> bulk = new ArrayList<>();
        for (int user = 0; user < usersPerRound; user++) {
          LocatedRecord record =
              new LocatedRecord(
                  "round-%d-user-%d".formatted(round, user),
                  // Of different lengths, so that the texts' order is not that of the numbers.
                  new CellId(234, 10, 4021, 5 + random.nextInt(20)),
                  TIMESTAMP_MILLIS + random.nextInt(4),
                  POSITION);
          bulk.add(record);
          newest.merge(record.user(), record, SinksIT::newer);
        }
        Collections.shuffle(bulk, random);
        bulks.add(bulk);
      }
      byClient.add(bulks);
    }

    CyclicBarrier together = new CyclicBarrier(CLIENTS);
    onEveryClient(
        client -> {
          try (ServerWriter writer = lastKnownLocation()) {
            for (List<LocatedRecord> bulk : byClient.get(client)) {
              together.await(LIMIT_SECONDS, TimeUnit.SECONDS);
              writer.store(bulk);
            }
          }
        });

    assertThat(storedLastKnownLocations())
        .containsExactlyInAnyOrderElementsOf(
            newest.values().stream().map(SinksIT::expectedLastKnownLocation).toList());
  }

  /** The rule of Last Known Location, by plain means: the greatest (ts, cell). */
  /** The server writes each retryable write into {@code config.transactions}, and counts that. */
  @Test
  void theServerKeepsNoBookOfTheSinksWritesWhateverTheUriSays() {
    String uri = stack.mongoUri() + (stack.mongoUri().contains("?") ? "&" : "?");
    List<LocatedRecord> records =
        IntStream.range(0, 100)
            .mapToObj(i -> new LocatedRecord("user-" + i, CELL, TIMESTAMP_MILLIS + i, POSITION))
            .toList();
    long before = booksWritten();
    try (ServerWriter history =
            ServerWriter.history(
                uri + "retryWrites=true", database.getName(), PartitionPeriod.MONTH);
        ServerWriter lastKnown =
            ServerWriter.lastKnownLocation(uri + "retryWrites=true", database.getName())) {
      history.store(records);
      lastKnown.store(records);
    }

    assertThat(booksWritten()).as("documents of retryable writes").isEqualTo(before);
    mongo.getDatabase(database.getName()).getCollection("other").insertOne(new Document());
    assertThat(booksWritten())
        .as("the meter sees one of a client of its own")
        .isGreaterThan(before);
  }

  private static long booksWritten() {
    return mongo
        .getDatabase("admin")
        .runCommand(new Document("serverStatus", 1))
        .get("transactions", Document.class)
        .getLong("transactionsCollectionWriteCount");
  }

  private static LocatedRecord newer(LocatedRecord a, LocatedRecord b) {
    int byTime = Long.compare(a.timestampMillis(), b.timestampMillis());
    int order = byTime == 0 ? a.cell().toString().compareTo(b.cell().toString()) : byTime;
    return order >= 0 ? a : b;
  }

  @Test
  void manyWritersOfTheSameNewPeriodsStoreEachRecordOnceInCollectionsThatWereProvisionedFirst()
      throws Exception {
    long day = 86_400_000L;
    List<LocatedRecord> records = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      records.add(
          new LocatedRecord("user-" + i % 50, CELL, TIMESTAMP_MILLIS + i % 4 * day + i, POSITION));
    }

    CyclicBarrier together = new CyclicBarrier(CLIENTS);
    List<BulkResult> results = Collections.synchronizedList(new ArrayList<>());
    onEveryClient(
        client -> {
          try (ServerWriter writer = history(PartitionPeriod.DAY)) {
            together.await(LIMIT_SECONDS, TimeUnit.SECONDS);
            results.add(writer.store(records));
          }
        });

    List<String> periods =
        List.of(
            "history_2026_11_20", "history_2026_11_21", "history_2026_11_22", "history_2026_11_23");
    List<String> names = database.listCollectionNames().into(new ArrayList<>());
    names.removeIf(name -> !name.startsWith("history_"));
    assertThat(names).containsExactlyInAnyOrderElementsOf(periods);
    List<String> stored = new ArrayList<>();
    for (String period : periods) {
      database
          .getCollection(period)
          .find()
          .forEach(found -> stored.add(found.getString("user") + " " + found.getDate("ts")));
      assertThat(database.getCollection(period).listIndexes().map(index -> index.get("key")))
          .as("indexes of %s", period)
          .containsExactlyInAnyOrder(
              new Document("_id", 1), new Document("user", 1).append("ts", 1));
      assertThat(oplogUpToFirstInsert(period))
          .as("what the server did to %s, in order", period)
          .containsExactly("create", "createIndexes", "insert");
    }
    assertThat(stored).hasSize(records.size());
    assertThat(results.stream().mapToInt(BulkResult::inserted).sum())
        .as("inserted, by the writers' own counts")
        .isEqualTo(records.size());
    assertThat(results.stream().mapToInt(BulkResult::duplicates).sum())
        .as("duplicates, by the writers' own counts")
        .isEqualTo((CLIENTS - 1) * records.size());
  }

  /**
   * The replica set's own record. An insert that made the collection would stand before {@code
   * createIndexes}, and an index that came late would read {@code startIndexBuild}.
   */
  private List<String> oplogUpToFirstInsert(String collection) {
    List<String> done = new ArrayList<>();
    String namespace = database.getName() + "." + collection;
    for (Document entry :
        mongo
            .getDatabase("local")
            .getCollection("oplog.rs")
            .find()
            .sort(new Document("$natural", 1))) {
      Document operation = entry.get("o", Document.class);
      String name = operation.keySet().stream().findFirst().orElse("");
      if (entry.getString("op").equals("c") && name.equals("applyOps")) {
        // Newer servers write a batch of inserts as one entry.
        if (operation.getList("applyOps", Document.class).stream()
            .anyMatch(inner -> namespace.equals(inner.getString("ns")))) {
          done.add("insert");
          return done;
        }
      } else if (entry.getString("op").equals("c")
          && entry.getString("ns").equals(database.getName() + ".$cmd")
          && collection.equals(operation.get(name))) {
        done.add(name);
      } else if (entry.getString("op").equals("i") && entry.getString("ns").equals(namespace)) {
        done.add("insert");
        return done;
      }
    }
    return done;
  }

  @Test
  void replaysOfHistoryChangeNothingAndCountAsDuplicates() {
    List<LocatedRecord> records =
        IntStream.range(0, 300)
            .mapToObj(i -> new LocatedRecord("user-" + i % 7, CELL, TIMESTAMP_MILLIS + i, POSITION))
            .toList();
    // The same identities at another place: a catalogue change must not rewrite what is stored.
    List<LocatedRecord> movedSince =
        records.stream()
            .map(
                r -> new LocatedRecord(r.user(), r.cell(), r.timestampMillis(), new Position(1, 2)))
            .toList();
    try (ServerWriter writer = history(PartitionPeriod.MONTH)) {
      assertThat(writer.store(records)).isEqualTo(new BulkResult(300, 0, 0, 0, List.of()));
      List<Document> before = documents("history_2026_11");

      assertThat(writer.store(records)).isEqualTo(new BulkResult(0, 0, 0, 300, List.of()));
      assertThat(writer.store(movedSince)).isEqualTo(new BulkResult(0, 0, 0, 300, List.of()));

      assertThat(documents("history_2026_11")).isEqualTo(before).hasSize(300);
    }
  }

  /**
   * A record's wait ended, it was stored without a position, and then came again: after a crash, or
   * from the rejected topic. Last Known Location takes the position, so History has to have it.
   */
  @Test
  void aReplayThatIsLocatedCompletesTheDocumentThatWasStoredWithoutAPosition() {
    List<LocatedRecord> unlocated =
        IntStream.range(0, 300)
            .mapToObj(i -> new LocatedRecord("user-" + i % 7, CELL, TIMESTAMP_MILLIS + i, null))
            .toList();
    List<LocatedRecord> located =
        unlocated.stream()
            .map(r -> new LocatedRecord(r.user(), r.cell(), r.timestampMillis(), POSITION))
            .toList();
    List<LocatedRecord> movedSince =
        unlocated.stream()
            .map(
                r -> new LocatedRecord(r.user(), r.cell(), r.timestampMillis(), new Position(1, 2)))
            .toList();
    try (ServerWriter writer = history(PartitionPeriod.MONTH)) {
      assertThat(writer.store(unlocated)).isEqualTo(new BulkResult(300, 0, 0, 0, List.of()));

      assertThat(writer.store(located)).isEqualTo(new BulkResult(0, 0, 0, 300, List.of()));
      List<Document> completed = documents("history_2026_11");
      assertThat(completed)
          .hasSize(300)
          .allSatisfy(
              document -> {
                assertThat(document.keySet())
                    .containsExactly("_id", "user", "ts", "cell", "loc", "src");
                assertThat(document.get("loc", Document.class))
                    .isEqualTo(new Document("lon", POSITION.lon()).append("lat", POSITION.lat()));
              });

      writer.store(movedSince);
      writer.store(unlocated);
      assertThat(documents("history_2026_11")).isEqualTo(completed);
    }
  }

  /**
   * One record, reported several times, with other details each time. The user, too, would be an
   * expression of the server's language.
   */
  @Test
  void ofRecordsThatDifferInDetailsTheGreatestStayInAnyOrder() {
    String user = "$user";
    List<LocatedRecord> twins = new ArrayList<>();
    for (@Nullable Position tower : new @Nullable Position[] {null, POSITION}) {
      twins.add(withDetails(user, null, null, null, tower));
      twins.add(withDetails(user, null, 12.5, null, tower));
      twins.add(withDetails(user, 8.0, null, null, tower));
      twins.add(withDetails(user, 8.0, null, SHAPE, tower));
      twins.add(withDetails(user, 8.0, -3.0, null, tower));
    }
    String greatest = null;
    for (int order = 0; order < 30; order++) {
      database.drop();
      Collections.shuffle(twins, new Random(order));
      try (ServerWriter writer = history(PartitionPeriod.MONTH)) {
        for (LocatedRecord twin : twins) {
          writer.store(List.of(twin));
        }
        writer.store(twins);
      }
      assertThat(documents("history_2026_11"))
          .singleElement()
          .satisfies(
              document -> {
                assertThat(document.keySet())
                    .containsExactly(
                        "_id", "user", "ts", "cell", "loc", "src", "acc", "alt", "cellLoc");
                assertThat(document).containsEntry("acc", 8.0).containsEntry("alt", -3.0);
                assertThat(document).containsEntry("user", user);
              });
      String json = documents("history_2026_11").get(0).toJson();
      greatest = greatest == null ? json : greatest;
      assertThat(json).isEqualTo(greatest);
    }
  }

  private static LocatedRecord withDetails(
      String user,
      @Nullable Double accuracy,
      @Nullable Double altitude,
      @Nullable String shape,
      @Nullable Position tower) {
    Fix fix = new Fix(new Position(-0.12, 51.515), PositionSource.MLP, accuracy, altitude, shape);
    return new LocatedRecord(
        user, new Place.AtFixAndCell(fix, CELL, null), TIMESTAMP_MILLIS, tower, false);
  }

  /** The catalogue may have moved the cell between the two. */
  @Test
  void whetherAPositionIsFarIsSaidOfTheStoredPositionOfTheCell() {
    Position away = new Position(2.35, 48.85);
    LocatedRecord far = withDetails("a", 5.0, null, away, true);
    LocatedRecord near = withDetails("a", 8.0, null, POSITION, false);
    LocatedRecord first = withDetails("b", 5.0, null, POSITION, false);
    LocatedRecord later = withDetails("b", 8.0, null, away, true);
    LocatedRecord exact = withDetails("c", 5.0, null, away, true);
    LocatedRecord coarse = withDetails("c", 300_000.0, null, away, false);
    try (ServerWriter writer = history(PartitionPeriod.MONTH)) {
      writer.store(List.of(far, first, exact));
      writer.store(List.of(near, later, coarse));

      assertThat(documents("history_2026_11"))
          .hasSize(3)
          .allSatisfy(
              document -> {
                Document cell = document.get("cellLoc", Document.class);
                assertThat(cell.getDouble("lon"))
                    .isEqualTo(document.get("user").equals("b") ? POSITION.lon() : away.lon());
                assertThat(document.containsKey("far")).isEqualTo(document.get("user").equals("a"));
                assertThat(document.getDouble("acc")).isGreaterThan(5);
              });
    }
  }

  private static LocatedRecord withDetails(
      String user, Double accuracy, @Nullable String shape, Position tower, boolean isFar) {
    Fix fix = new Fix(new Position(-0.12, 51.515), PositionSource.MLP, accuracy, null, shape);
    return new LocatedRecord(
        user, new Place.AtFixAndCell(fix, CELL, null), TIMESTAMP_MILLIS, tower, isFar);
  }

  @Test
  void aShapeOfARecordThatCameBeforeStaysIfNothingElseIsKnown() {
    LocatedRecord bare = withDetails("350000000007919", null, null, null, POSITION);
    LocatedRecord shaped = withDetails("350000000007919", null, null, SHAPE, null);
    try (ServerWriter writer = history(PartitionPeriod.MONTH)) {
      writer.store(List.of(bare));
      writer.store(List.of(shaped));
      writer.store(List.of(bare));

      assertThat(documents("history_2026_11"))
          .singleElement()
          .satisfies(
              document -> {
                assertThat(document.keySet())
                    .containsExactly("_id", "user", "ts", "cell", "loc", "src", "shape", "cellLoc");
                assertThat(document).containsEntry("shape", Document.parse(SHAPE));
              });
    }
  }

  @Test
  void aBulkOfOldAndNewRecordsStoresTheNewOnesAndCountsTheOthers() {
    List<LocatedRecord> records =
        IntStream.range(0, 100)
            .mapToObj(i -> new LocatedRecord("user", CELL, TIMESTAMP_MILLIS + i, POSITION))
            .toList();
    try (ServerWriter writer = history(PartitionPeriod.MONTH)) {
      writer.store(records.subList(20, 50));

      assertThat(writer.store(records)).isEqualTo(new BulkResult(70, 0, 0, 30, List.of()));
      assertThat(documents("history_2026_11")).hasSize(100);
    }
  }

  @Test
  void twoRecordsOfOneMomentInDifferentCellsAreBothKept() {
    CellId otherCell = new CellId(234, 10, CellId.NO_AREA, 20_911_362);
    try (ServerWriter writer = history(PartitionPeriod.MONTH)) {
      writer.store(
          List.of(
              new LocatedRecord("user", CELL, TIMESTAMP_MILLIS, POSITION),
              new LocatedRecord("user", otherCell, TIMESTAMP_MILLIS, POSITION)));
    }

    assertThat(documents("history_2026_11"))
        .extracting(found -> found.getString("cell"))
        .containsExactlyInAnyOrder("234-10-4021-20911362", "234-10--20911362");
  }

  @Test
  void documentsHaveTheContractsFieldsInTheContractsOrder() {
    try (ServerWriter history = history(PartitionPeriod.MONTH);
        ServerWriter lastKnown = lastKnownLocation()) {
      LocatedRecord located = new LocatedRecord("located", CELL, TIMESTAMP_MILLIS, POSITION);
      history.store(List.of(located, new LocatedRecord("unlocated", CELL, TIMESTAMP_MILLIS, null)));
      lastKnown.store(List.of(located));
    }

    assertThat(withoutId("history_2026_11", "located"))
        .isEqualTo(
            "{'user': 'located', 'ts': {'$date': '2026-11-20T12:00:01.001Z'},"
                + " 'cell': '234-10-4021-20911362', 'loc': {'lon': -0.1276, 'lat': 51.5072},"
                + " 'src': 'cell'}");
    assertThat(withoutId("history_2026_11", "unlocated"))
        .isEqualTo(
            "{'user': 'unlocated', 'ts': {'$date': '2026-11-20T12:00:01.001Z'},"
                + " 'cell': '234-10-4021-20911362', 'radio': null}");
    assertThat(documents("history_2026_11"))
        .allSatisfy(
            found -> {
              assertThat(found.keySet()).first().isEqualTo("_id");
              assertThat(found.get("_id", Binary.class).getData()).hasSize(20);
            });
    assertThat(documents("last_known_location"))
        .extracting(found -> found.toJson().replace('"', '\''))
        .containsExactly(
            "{'_id': 'located', 'fix': null, 'last': {'ts': {'$date': '2026-11-20T12:00:01.001Z'},"
                + " 'cell': '234-10-4021-20911362', 'loc': {'lon': -0.1276, 'lat': 51.5072},"
                + " 'src': 'cell', 'acc': null}}");
  }

  private String withoutId(String collection, String user) {
    Document found = database.getCollection(collection).find(eq("user", user)).first();
    assertThat(found).isNotNull();
    found.remove("_id");
    return found.toJson().replace('"', '\'');
  }

  @Test
  void ourOrderOfRecordsIsTheServersOrderOfMax() {
    Random random = new Random(SEED);
    int pairs = 3_000;
    List<LocatedRecord> firsts = new ArrayList<>();
    List<LocatedRecord> seconds = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    int secondIsNewer = 0;
    for (int i = 0; i < pairs; i++) {
      LocatedRecord first = anyRecord("user-" + i, random);
      LocatedRecord second = anyRecord("user-" + i, random);
      firsts.add(first);
      seconds.add(second);
      boolean newer = LocatedRecordOrder.INSTANCE.compare(second, first) > 0;
      secondIsNewer += newer ? 1 : 0;
      expected.add(expectedLastKnownLocation(newer ? second : first));
    }

    try (ServerWriter writer = lastKnownLocation()) {
      assertThat(writer.store(firsts)).isEqualTo(new BulkResult(pairs, 0, 0, 0, List.of()));
      assertThat(writer.store(seconds))
          .as("updated where ours says newer, stale where it does not")
          .isEqualTo(new BulkResult(0, secondIsNewer, pairs - secondIsNewer, 0, List.of()));
    }

    assertThat(storedLastKnownLocations()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(secondIsNewer).as("pairs where the second is newer").isBetween(pairs / 4, pairs);
  }

  /** Few different values of each part, so that ties reach down to the last one. */
  private static LocatedRecord anyRecord(String user, Random random) {
    long[] timestamps = {TIMESTAMP_MILLIS, TIMESTAMP_MILLIS + 1, -1, 0, 253_402_300_799_999L};
    int[] codes = {1, 2, 10, 99, 100};
    int[] areas = {CellId.NO_AREA, 0, 1, 9, 10, 4021, CellId.MAX_AREA};
    long[] cids = {0, 9, 10, 99, 20_911_362, CellId.MAX_CID};
    double[] degrees = {0, -0.0, 1, -1, 1.5, -1.5, 10, -10, 89.999999, -89.999999, 1e-300};
    boolean sameMoment = random.nextInt(3) > 0;
    CellId cell =
        random.nextInt(3) > 0
            ? CELL
            : new CellId(
                codes[random.nextInt(codes.length)],
                codes[random.nextInt(codes.length)],
                areas[random.nextInt(areas.length)],
                cids[random.nextInt(cids.length)]);
    return new LocatedRecord(
        user,
        cell,
        sameMoment ? TIMESTAMP_MILLIS : timestamps[random.nextInt(timestamps.length)],
        new Position(
            degrees[random.nextInt(degrees.length)], degrees[random.nextInt(degrees.length)]));
  }

  @Test
  void aRefusedDocumentFailsWithTheServersWordsAndWithoutItsContents() throws Exception {
    database.createCollection(
        "history_2026_11",
        new CreateCollectionOptions()
            .validationOptions(
                new ValidationOptions().validator(new Document("refusedByTest", true))));
    try (ServerWriter writer = history(PartitionPeriod.MONTH)) {
      BulkResult result =
          writer.write(
              "history_2026_11",
              List.of(new LocatedRecord("350000000007919", CELL, TIMESTAMP_MILLIS, POSITION)));

      assertThat(result.inserted()).isZero();
      assertThat(result.failures())
          .singleElement()
          .satisfies(
              failure -> {
                assertThat(failure.kind()).isEqualTo(BulkResult.Kind.FATAL);
                assertThat(failure.code()).isEqualTo(121);
                assertThat(failure.message())
                    .contains("Document failed validation")
                    .doesNotContain("350000000007919", "20911362", "51.5072");
              });
    }
  }

  @Test
  void aDuplicateInAnIndexThatSomebodyAddedIsNoReplay() throws Exception {
    LocatedRecord first = new LocatedRecord("350000000007919", CELL, TIMESTAMP_MILLIS, POSITION);
    LocatedRecord second =
        new LocatedRecord("350000000007919", CELL, TIMESTAMP_MILLIS + 1, POSITION);
    try (ServerWriter writer = history(PartitionPeriod.MONTH)) {
      writer.store(List.of(first));
      // The writer has looked at the collection already.
      database
          .getCollection("history_2026_11")
          .createIndex(
              new Document("user", 1), new IndexOptions().unique(true).name("one_per_user"));

      BulkResult result = writer.write("history_2026_11", List.of(first, second));

      assertThat(result.failures())
          .singleElement()
          .satisfies(
              failure -> {
                assertThat(failure.index()).isEqualTo(1);
                assertThat(failure.kind()).isEqualTo(BulkResult.Kind.FATAL);
                assertThat(failure.message())
                    .contains("E11000", "one_per_user")
                    .doesNotContain("350000000007919");
              });
      assertThat(result.duplicates()).as("the replay beside it").isEqualTo(1);
    }
  }

  @Test
  void aCollectionThatCannotBeProvisionedFailsTheBulkForGoodAndSaysWhatIsFound() {
    database.createCollection("somewhere");
    database.createView("history_2026_11", "somewhere", List.of());
    try (ServerWriter writer = history(PartitionPeriod.MONTH)) {
      assertThatThrownBy(
              () ->
                  writer.write(
                      "history_2026_11",
                      List.of(
                          new LocatedRecord("350000000007919", CELL, TIMESTAMP_MILLIS, POSITION))))
          .isInstanceOfSatisfying(BulkException.class, e -> assertThat(e.isRetryable()).isFalse())
          .hasMessageContaining("kind: expected collection, found view")
          .message()
          .doesNotContain("350000000007919");
    }
  }

  private interface ClientTask {
    void run(int client) throws Exception;
  }

  private static void onEveryClient(ClientTask task) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        int number = client;
        running.add(
            threads.submit(
                () -> {
                  task.run(number);
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private ServerWriter history(PartitionPeriod period) {
    return ServerWriter.history(stack.mongoUri(), database.getName(), period);
  }

  private ServerWriter lastKnownLocation() {
    return ServerWriter.lastKnownLocation(stack.mongoUri(), database.getName());
  }

  private List<Document> documents(String collection) {
    return database
        .getCollection(collection)
        .find()
        .sort(new Document("_id", 1))
        .into(new ArrayList<>());
  }

  private List<String> storedLastKnownLocations() {
    return documents("last_known_location").stream().map(Document::toJson).toList();
  }

  private static String expectedLastKnownLocation(LocatedRecord record) {
    Position position = record.position();
    assertThat(position).isNotNull();
    return new Document("_id", record.user())
        .append("fix", null)
        .append(
            "last",
            new Document("ts", Date.from(Instant.ofEpochMilli(record.timestampMillis())))
                .append("cell", record.cell().toString())
                .append("loc", new Document("lon", position.lon()).append("lat", position.lat()))
                .append("src", "cell")
                .append("acc", null))
        .toJson();
  }
}
