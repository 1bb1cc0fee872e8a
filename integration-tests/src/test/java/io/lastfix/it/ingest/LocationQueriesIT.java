package io.lastfix.it.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import io.lastfix.sink.ServerWriter;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.QueryPlan;
import io.lastfix.store.query.QueryTimeLimitException;
import io.lastfix.store.query.SightingCursor;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reading back what the sinks' own code stored: months beside days and hours. */
class LocationQueriesIT {
  private static final String DATABASE = "queries";
  private static final String USER = "350000000007919";
  private static final String OTHER_USER = "350000000000006";
  private static final CellId CELL = new CellId(234, 10, 4021, 20_911_362);
  private static final Position POSITION = new Position(-0.1276, 51.5072);

  /** Nobody else is here, and nobody here is elsewhere. */
  private static final CellId BUSY_CELL = new CellId(234, 10, 4021, 7);

  private static final String BUSY_USER = "350000000000014";

  /** More than two of the driver's batches. */
  private static final int BUSY_RECORDS = 350;

  private static final Instant BUSY_BEGIN = Instant.parse("2026-08-01T00:00:00Z");
  private static final QueryOptions OPTIONS = QueryOptions.within(Duration.ofSeconds(10));

  /** While a month was one collection. */
  private static final List<Instant> BY_MONTH =
      Stream.of(
              "2026-09-30T23:59:59.999Z",
              "2026-10-01T00:00:00Z",
              "2026-10-17T08:00:00Z",
              "2026-10-31T23:59:59.999Z",
              "2026-11-01T00:00:00Z",
              "2026-11-20T06:00:00Z",
              "2026-11-20T18:00:00Z")
          .map(Instant::parse)
          .toList();

  /** After the period was made shorter, on a day within a month that is one collection too. */
  private static final List<Instant> BY_DAY =
      Stream.of(
              "2026-11-20T12:00:00Z",
              "2026-11-20T23:59:59.999Z",
              "2026-11-21T00:00:00Z",
              "2026-11-22T12:00:00Z")
          .map(Instant::parse)
          .toList();

  private static final List<Instant> BY_HOUR =
      Stream.of("2026-11-21T13:00:00Z", "2026-11-21T13:59:59.999Z").map(Instant::parse).toList();

  private static final List<Instant> ALL_NEWEST_FIRST =
      Stream.of(BY_MONTH, BY_DAY, BY_HOUR)
          .flatMap(List::stream)
          .sorted(Comparator.reverseOrder())
          .toList();

  private static TestStack stack;
  @AutoClose private static MongoClient mongo;
  private static MongoDatabase database;
  private static HistoryQueries queries;
  private static LastKnownLocationQueries lastKnown;

  @BeforeAll
  static void store() {
    stack = TestStack.sharedMongo();
    mongo = MongoClients.create(stack.mongoUri());
    database = mongo.getDatabase(DATABASE);
    queries = new HistoryQueries(database, "history", OPTIONS);
    lastKnown = new LastKnownLocationQueries(database, "last_known_location", OPTIONS);
    store(PartitionPeriod.MONTH, BY_MONTH);
    store(PartitionPeriod.DAY, BY_DAY);
    store(PartitionPeriod.HOUR, BY_HOUR);
    storeBusyCell();
    // Somebody else's, which must not be taken for a period; nor must the view, history.
    database.getCollection("history_2026_13").insertOne(new Document("user", USER));
    database.getCollection("history_notes").insertOne(new Document("user", USER));
  }

  private static void store(PartitionPeriod period, List<Instant> moments) {
    List<LocatedRecord> records = new ArrayList<>();
    for (Instant moment : moments) {
      records.add(new LocatedRecord(USER, CELL, moment.toEpochMilli(), POSITION));
      records.add(new LocatedRecord(OTHER_USER, CELL, moment.toEpochMilli(), null));
    }
    try (ServerWriter history = ServerWriter.history(stack.mongoUri(), DATABASE, period);
        ServerWriter lastKnown = ServerWriter.lastKnownLocation(stack.mongoUri(), DATABASE)) {
      history.store(records);
      lastKnown.store(records.stream().filter(LocatedRecord::isLocated).toList());
    }
  }

  /** A record a second, by month; all of August. */
  private static void storeBusyCell() {
    List<LocatedRecord> records =
        LongStream.range(0, BUSY_RECORDS)
            .mapToObj(
                second ->
                    new LocatedRecord(
                        BUSY_USER,
                        BUSY_CELL,
                        BUSY_BEGIN.plusSeconds(second).toEpochMilli(),
                        POSITION))
            .toList();
    try (ServerWriter history =
        ServerWriter.history(stack.mongoUri(), DATABASE, PartitionPeriod.MONTH)) {
      history.store(records);
    }
  }

  @Test
  void whereGivesTheNewestLocatedSighting() {
    assertThat(lastKnown.where(USER))
        .contains(
            new LastKnownLocation(
                new Sighting(
                    USER, Instant.parse("2026-11-22T12:00:00Z"), "234-10-4021-20911362", POSITION),
                null));
  }

  @Test
  void whereGivesNothingForADeviceThatWasNeverLocated() {
    assertThat(lastKnown.where(OTHER_USER)).isEmpty();
    assertThat(lastKnown.where("nobody")).isEmpty();
  }

  @Test
  void historyMergesMonthsDaysAndHoursInEitherOrder() {
    List<Instant> oldestFirst = new ArrayList<>(ALL_NEWEST_FIRST);
    Collections.reverse(oldestFirst);

    assertThat(moments(TimeRange.ALL, TimeOrder.NEWEST_FIRST))
        .containsExactlyElementsOf(ALL_NEWEST_FIRST);
    assertThat(moments(TimeRange.ALL, TimeOrder.OLDEST_FIRST))
        .containsExactlyElementsOf(oldestFirst);
  }

  @Test
  void historyGivesSightingsOfTheAskedUserOnlyWithoutPositionWhereThereIsNone() {
    try (SightingCursor cursor =
        queries.history(OTHER_USER, TimeRange.ALL, TimeOrder.NEWEST_FIRST)) {
      assertThat(cursor.next())
          .isEqualTo(
              new Sighting(
                  OTHER_USER, Instant.parse("2026-11-22T12:00:00Z"), "234-10-4021-20911362", null));
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyRangeHoldsItsFirstMomentAndNotItsLast(TimeOrder order) {
    List<Instant> bounds = new ArrayList<>(ALL_NEWEST_FIRST);
    // A millisecond beside each, so that a bound also falls between two sightings.
    ALL_NEWEST_FIRST.forEach(moment -> bounds.add(moment.plusMillis(1)));
    for (Instant from : bounds) {
      for (Instant to : bounds) {
        if (from.isBefore(to)) {
          assertThat(moments(new TimeRange(from, to), order))
              .as("from %s to %s", from, to)
              .containsExactlyInAnyOrderElementsOf(
                  ALL_NEWEST_FIRST.stream()
                      .filter(moment -> !moment.isBefore(from) && moment.isBefore(to))
                      .toList());
        }
      }
    }
  }

  @Test
  void aReaderWhoTakesAFewGetsTheNewestOfThem() {
    List<Instant> taken = new ArrayList<>();
    try (SightingCursor cursor =
        queries.history(
            USER,
            new TimeRange(TimeRange.ALL.from(), Instant.parse("2026-11-21T00:00:00Z")),
            TimeOrder.NEWEST_FIRST)) {
      while (taken.size() < 4 && cursor.hasNext()) {
        taken.add(cursor.next().timestamp());
      }
      assertThat(cursor.hasNext()).as("there is more").isTrue();
    }
    assertThat(taken)
        .containsExactly(
            Instant.parse("2026-11-20T23:59:59.999Z"),
            Instant.parse("2026-11-20T18:00:00Z"),
            Instant.parse("2026-11-20T12:00:00Z"),
            Instant.parse("2026-11-20T06:00:00Z"));
  }

  @Test
  void anExhaustedCursorSaysSo() {
    try (SightingCursor cursor = queries.history("nobody", TimeRange.ALL, TimeOrder.NEWEST_FIRST)) {
      assertThat(cursor.hasNext()).isFalse();
      assertThatThrownBy(cursor::next).isInstanceOf(NoSuchElementException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void pagesOfAnySizeGiveWhatOneReadingGives(TimeOrder order) {
    // Both users were there at each moment, so each moment is given twice.
    List<Sighting> unpaged = readAll(queries.during(CELL, TimeRange.ALL, order));
    assertThat(unpaged).hasSize(2 * ALL_NEWEST_FIRST.size()).doesNotHaveDuplicates();

    for (int pageSize = 1; pageSize <= unpaged.size(); pageSize++) {
      assertThat(
              pages(
                  queries.during(CELL, TimeRange.ALL, order),
                  token -> queries.during(CELL, token),
                  pageSize))
          .as("pages of %d", pageSize)
          .containsExactlyElementsOf(unpaged);
    }
    assertThat(
            pages(
                queries.history(USER, TimeRange.ALL, order),
                token -> queries.history(USER, token),
                3))
        .containsExactlyElementsOf(readAll(queries.history(USER, TimeRange.ALL, order)));
  }

  @Test
  void whatIsStoredBetweenTwoPagesAlsoByAnotherPeriodLosesAndRepeatsNothing() {
    String user = "350000000000022";
    Instant first = Instant.parse("2027-01-10T12:00:00Z");
    storeSightings(user, PartitionPeriod.MONTH, first, first.plusSeconds(1), first.plusSeconds(2));
    SightingCursor page = queries.history(user, TimeRange.ALL, TimeOrder.OLDEST_FIRST);
    List<Instant> given =
        new ArrayList<>(List.of(page.next().timestamp(), page.next().timestamp()));
    String token = page.token();
    page.close();

    // A replay of all, and two new ones, one of them late; now by day.
    storeSightings(
        user,
        PartitionPeriod.DAY,
        first.minusSeconds(1),
        first,
        first.plusSeconds(1),
        first.plusSeconds(2),
        first.plusSeconds(3));
    readAll(queries.history(user, token)).forEach(sighting -> given.add(sighting.timestamp()));

    assertThat(given)
        .containsExactly(first, first.plusSeconds(1), first.plusSeconds(2), first.plusSeconds(3));
    database.getCollection("history_2027_01").drop();
    database.getCollection("history_2027_01_10").drop();
  }

  @Test
  void aTokenOfAnotherUserIsRefused() {
    try (SightingCursor cursor = queries.history(USER, TimeRange.ALL, TimeOrder.OLDEST_FIRST)) {
      cursor.next();
      String token = cursor.token();

      assertThatThrownBy(() -> queries.history(OTHER_USER, token))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("from another query");
    }
  }

  @Test
  void countIsOverAllPeriodsAndNothingElse() {
    assertThat(queries.count()).isEqualTo(2L * ALL_NEWEST_FIRST.size() + BUSY_RECORDS);
  }

  @Test
  void aUsersTimeRangeReadsJustItsOwnKeysOfTheIndex() {
    // The server's own account of the query as it came in, not of a copy of it made for this test.
    List<Document> asked =
        profiled(
            () ->
                assertThat(
                        moments(
                            new TimeRange(
                                Instant.parse("2026-10-01T00:00:00Z"),
                                Instant.parse("2026-10-18T00:00:00Z")),
                            TimeOrder.NEWEST_FIRST))
                    .hasSize(2));

    assertThat(asked)
        .singleElement()
        .satisfies(
            query -> {
              assertThat(query.getString("ns")).isEqualTo(DATABASE + ".history_2026_10");
              assertThat(query.getString("planSummary")).isEqualTo("IXSCAN { user: 1, ts: 1 }");
              assertThat(query.getInteger("keysExamined")).isEqualTo(2);
              assertThat(query.getInteger("docsExamined")).isEqualTo(2);
              assertThat(query).doesNotContainKey("hasSortStage");
            });
  }

  @Test
  void whatIsExplainedIsWhatTheServerWasAskedAndOnlyPeriodsOfTheRange() {
    TimeRange range =
        new TimeRange(Instant.parse("2026-11-20T00:00:00Z"), Instant.parse("2026-11-21T00:00:00Z"));
    List<QueryPlan> plans = new ArrayList<>();
    List<Document> asked =
        profiled(
            () -> {
              try (SightingCursor cursor = queries.history(USER, range, TimeOrder.NEWEST_FIRST)) {
                while (cursor.hasNext()) {
                  cursor.next();
                }
                plans.addAll(cursor.explain());
              }
            });

    assertThat(collections(asked)).containsExactly("history_2026_11", "history_2026_11_20");
    assertThat(plans)
        .extracting(QueryPlan::collection)
        .containsExactlyInAnyOrder("history_2026_11", "history_2026_11_20");
    assertThat(plans)
        .allSatisfy(
            plan -> {
              assertThat(plan.stages()).contains("FETCH", "IXSCAN").doesNotContain("SORT");
              assertThat(plan.indexes()).containsExactly("user_1_ts_1");
              assertThat(plan.keysExamined()).isEqualTo(plan.returned()).isEqualTo(2);
              assertThat(plan.shards()).isEmpty();
            });
  }

  /** For a query of twenty records in one partition. */
  private static void assertReadByIdAlone(SightingCursor cursor) {
    assertThat(cursor.explain())
        .singleElement()
        .satisfies(
            plan -> {
              assertThat(plan.indexes()).containsExactly("_id_");
              assertThat(plan.stages()).doesNotContain("SORT");
              assertThat(plan.keysExamined()).isBetween(20L, 21L);
            });
  }

  @ParameterizedTest
  @EnumSource
  void withoutAnIndexOnCellsDuringReadsTheRangeByIdInOrder(TimeOrder order) {
    try (SightingCursor cursor = queries.during(BUSY_CELL, busySeconds(10, 30), order)) {
      List<Instant> found = new ArrayList<>();
      while (cursor.hasNext()) {
        found.add(cursor.next().timestamp());
      }

      List<Instant> expected =
          new ArrayList<>(LongStream.range(10, 30).mapToObj(BUSY_BEGIN::plusSeconds).toList());
      if (order == TimeOrder.NEWEST_FIRST) {
        Collections.reverse(expected);
      }
      assertThat(found).containsExactlyElementsOf(expected);
      assertThat(cursor.partitionsWithoutIndex()).containsExactly("history_2026_08");
      assertReadByIdAlone(cursor);
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutACellDuringGivesAllOfTheRangeInTheOrderOfTheId(TimeOrder order) {
    try (SightingCursor cursor = queries.during(busySeconds(10, 30), order)) {
      List<Instant> found = new ArrayList<>();
      while (cursor.hasNext()) {
        found.add(cursor.next().timestamp());
      }

      assertThat(found)
          .containsExactlyInAnyOrderElementsOf(
              LongStream.range(10, 30).mapToObj(BUSY_BEGIN::plusSeconds).toList())
          .isSortedAccordingTo(
              order == TimeOrder.OLDEST_FIRST
                  ? Comparator.naturalOrder()
                  : Comparator.reverseOrder());
      assertThat(cursor.partitionsWithoutIndex()).as("no other index would help").isEmpty();
      assertReadByIdAlone(cursor);
    }
    List<Sighting> all = readAll(queries.during(TimeRange.ALL, order));
    assertThat(all).containsAll(readAll(queries.during(CELL, TimeRange.ALL, order)));
    assertThat(pages(queries.during(TimeRange.ALL, order), queries::during, 7))
        .containsExactlyElementsOf(all);
  }

  @ParameterizedTest
  @EnumSource
  void withAnIndexOnCellsDuringReadsJustItsKeys(TimeOrder order) {
    String name = "history_2026_11_20";
    List<Sighting> before = readAll(queries.during(CELL, TimeRange.ALL, order));
    database.getCollection(name).createIndex(new Document("cell", 1).append("ts", 1));
    try (SightingCursor cursor = queries.during(CELL, TimeRange.ALL, order)) {
      List<Sighting> after = new ArrayList<>();
      while (cursor.hasNext()) {
        after.add(cursor.next());
      }

      assertThat(after).isEqualTo(before);
      assertThat(cursor.partitionsWithoutIndex()).isNotEmpty().doesNotContain(name);
      assertThat(cursor.explain())
          .filteredOn(plan -> plan.collection().equals(name))
          .singleElement()
          .satisfies(
              plan -> {
                assertThat(plan.indexes()).containsExactly("cell_1_ts_1");
                assertThat(plan.stages()).doesNotContain("SORT");
                assertThat(plan.keysExamined()).isEqualTo(4);
              });
    } finally {
      database.getCollection(name).dropIndex("cell_1_ts_1");
    }
  }

  @Test
  void theHashedShardKeyServesAUsersHistoryToo() {
    String user = "350000000000030";
    Instant moment = Instant.parse("2027-03-10T12:00:00Z");
    storeSightings(user, PartitionPeriod.MONTH, moment, moment.plusSeconds(1));
    var partition = database.getCollection("history_2027_03");
    partition.createIndex(new Document("user", "hashed").append("ts", 1));
    partition.dropIndex("user_1_ts_1");
    TimeRange month =
        new TimeRange(Instant.parse("2027-03-01T00:00:00Z"), Instant.parse("2027-04-01T00:00:00Z"));

    try (SightingCursor cursor = queries.history(user, month, TimeOrder.OLDEST_FIRST)) {
      assertThat(cursor.next().timestamp()).isEqualTo(moment);
      assertThat(cursor.next().timestamp()).isEqualTo(moment.plusSeconds(1));
      assertThat(cursor.partitionsWithoutIndex()).isEmpty();
      assertThat(cursor.explain())
          .singleElement()
          .satisfies(
              plan -> {
                assertThat(plan.indexes()).containsExactly("user_hashed_ts_1");
                assertThat(plan.stages()).doesNotContain("SORT");
              });
    } finally {
      partition.drop();
    }
  }

  @Test
  void theServerGivesUpAQueryThatTakesLongerThanItsLimit() {
    HistoryQueries hurried =
        new HistoryQueries(database, "history", QueryOptions.within(Duration.ofMillis(300)));

    failing(
        "waitInFindBeforeMakingBatch",
        () ->
            assertThatThrownBy(
                    () ->
                        hurried.during(BUSY_CELL, TimeRange.ALL, TimeOrder.OLDEST_FIRST).hasNext())
                .isInstanceOf(QueryTimeLimitException.class)
                .hasMessage(
                    "MongoDB aborted the query of history_2026_08 at its time limit of 300 ms:"
                        + " query a shorter time or a smaller area, or raise the time limit"));
  }

  @Test
  void theServerGivesUpInALaterBatchToo() {
    HistoryQueries hurried =
        new HistoryQueries(database, "history", QueryOptions.within(Duration.ofSeconds(2)));
    try (SightingCursor cursor =
        hurried.history(BUSY_USER, TimeRange.ALL, TimeOrder.OLDEST_FIRST)) {
      assertThat(cursor.next().timestamp()).isEqualTo(BUSY_BEGIN);

      failing(
          "waitAfterPinningCursorBeforeGetMoreBatch",
          () ->
              assertThatThrownBy(
                      () -> {
                        while (cursor.hasNext()) {
                          cursor.next();
                        }
                      })
                  .isInstanceOf(QueryTimeLimitException.class)
                  .hasMessageContaining("query of history_2026_08 at its time limit of 2 s"));
      // What was read until then is known, and a page further on is one call away.
      assertThat(
              readAll(queries.history(BUSY_USER, cursor.token())).stream().map(Sighting::timestamp))
          .contains(BUSY_BEGIN.plusSeconds(BUSY_RECORDS - 1));
    }
  }

  @Test
  void ofAYearOfDaysOnlyThoseAreAskedThatCanHoldTheRange() {
    String year = "queries_year";
    Instant newYear = Instant.parse("2025-01-01T12:00:00Z");
    List<LocatedRecord> daily =
        IntStream.range(0, 365)
            .mapToObj(day -> newYear.plus(Duration.ofDays(day)))
            .map(moment -> new LocatedRecord(USER, CELL, moment.toEpochMilli(), POSITION))
            .toList();
    try (ServerWriter history = ServerWriter.history(stack.mongoUri(), year, PartitionPeriod.DAY)) {
      history.store(daily);
    }
    TimeRange threeDays =
        new TimeRange(Instant.parse("2025-06-10T00:00:00Z"), Instant.parse("2025-06-13T00:00:00Z"));

    try (SightingCursor cursor =
        new HistoryQueries(mongo.getDatabase(year), "history", OPTIONS)
            .history(USER, threeDays, TimeOrder.OLDEST_FIRST)) {
      List<Instant> read = new ArrayList<>();
      while (cursor.hasNext()) {
        read.add(cursor.next().timestamp());
      }
      assertThat(read)
          .containsExactly(
              Instant.parse("2025-06-10T12:00:00Z"),
              Instant.parse("2025-06-11T12:00:00Z"),
              Instant.parse("2025-06-12T12:00:00Z"));
      assertThat(cursor.explain())
          .extracting(QueryPlan::collection)
          .containsExactly("history_2025_06_10", "history_2025_06_11", "history_2025_06_12");
    }
    mongo.getDatabase(year).drop();
  }

  /** Makes mongod wait there, until the query's own time is up. */
  private static void failing(String failPoint, Runnable action) {
    MongoDatabase admin = mongo.getDatabase("admin");
    admin.runCommand(
        new Document("configureFailPoint", failPoint)
            .append("mode", "alwaysOn")
            .append(
                "data",
                new Document("nss", DATABASE + ".history_2026_08")
                    .append("shouldCheckForInterrupt", true)));
    try {
      action.run();
    } finally {
      admin.runCommand(new Document("configureFailPoint", failPoint).append("mode", "off"));
    }
  }

  private static TimeRange busySeconds(long from, long to) {
    return new TimeRange(BUSY_BEGIN.plusSeconds(from), BUSY_BEGIN.plusSeconds(to));
  }

  private static void storeSightings(String user, PartitionPeriod period, Instant... moments) {
    try (ServerWriter history = ServerWriter.history(stack.mongoUri(), DATABASE, period)) {
      history.store(
          Stream.of(moments)
              .map(moment -> new LocatedRecord(user, CELL, moment.toEpochMilli(), POSITION))
              .toList());
    }
  }

  /** The queries that the server got meanwhile, as it tells of them. */
  private static List<Document> profiled(Runnable asking) {
    Instant begin = Instant.now();
    database.runCommand(new Document("profile", 2));
    asking.run();
    database.runCommand(new Document("profile", 0));
    List<Document> asked = new ArrayList<>();
    database
        .getCollection("system.profile")
        .find(
            new Document("op", "query")
                .append("ts", new Document("$gte", Date.from(begin)))
                .append("command.find", new Document("$regex", "^history_")))
        .into(asked);
    return asked;
  }

  private static Set<String> collections(List<Document> asked) {
    Set<String> collections = new TreeSet<>();
    asked.forEach(query -> collections.add(query.getString("ns").substring(DATABASE.length() + 1)));
    return collections;
  }

  private static List<Instant> moments(TimeRange range, TimeOrder order) {
    return readAll(queries.history(USER, range, order)).stream().map(Sighting::timestamp).toList();
  }

  private static List<Sighting> readAll(SightingCursor cursor) {
    List<Sighting> all = new ArrayList<>();
    try (cursor) {
      while (cursor.hasNext()) {
        all.add(cursor.next());
      }
    }
    return all;
  }

  private static List<Sighting> pages(
      SightingCursor first, Function<String, SightingCursor> resume, int pageSize) {
    List<Sighting> all = new ArrayList<>();
    SightingCursor page = first;
    while (page.hasNext()) {
      for (int i = 0; i < pageSize && page.hasNext(); i++) {
        all.add(page.next());
      }
      page.close();
      page = resume.apply(page.token());
    }
    page.close();
    return all;
  }
}
