package io.lastfix.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.query.LocationQueries;
import io.lastfix.query.LocationQueries.HistoryCursor;
import io.lastfix.query.Sighting;
import io.lastfix.sink.PartitionPeriod;
import io.lastfix.sink.ServerWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading back what the sinks' own code stored: months beside days and hours. */
class LocationQueriesIT {
  private static final String DATABASE = "queries";
  private static final String USER = "350000000007919";
  private static final String OTHER_USER = "350000000000006";
  private static final CellId CELL = new CellId(234, 10, 4021, 20_911_362);
  private static final Position POSITION = new Position(-0.1276, 51.5072);
  private static final Instant BEGIN = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("9999-12-31T23:59:59.999Z");

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

  @TempDir private static Path directory;

  private static TestStack stack;
  private static MongoClient mongo;
  private static MongoDatabase database;
  private static LocationQueries queries;

  @BeforeAll
  static void store() {
    stack = TestStack.startMongo(directory);
    mongo = MongoClients.create(stack.mongoUri());
    database = mongo.getDatabase(DATABASE);
    queries =
        new LocationQueries(
            database, database, "last_known_location", "history", Duration.ofSeconds(10));
    store(PartitionPeriod.MONTH, BY_MONTH);
    store(PartitionPeriod.DAY, BY_DAY);
    store(PartitionPeriod.HOUR, BY_HOUR);
    // Somebody else's, which must not be taken for a period.
    database.getCollection("history").insertOne(new Document("user", USER));
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
  void whereGivesTheNewestLocatedSighting() {
    assertThat(queries.where(USER))
        .contains(
            new Sighting(
                USER, Instant.parse("2026-11-22T12:00:00Z"), "234-10-4021-20911362", POSITION));
  }

  @Test
  void whereGivesNothingForADeviceThatWasNeverLocated() {
    assertThat(queries.where(OTHER_USER)).isEmpty();
    assertThat(queries.where("nobody")).isEmpty();
  }

  @Test
  void historyMergesMonthsDaysAndHoursNewestFirst() {
    assertThat(moments(BEGIN, END)).containsExactlyElementsOf(ALL_NEWEST_FIRST);
  }

  @Test
  void historyGivesSightingsOfTheAskedUserOnlyWithoutPositionWhereThereIsNone() {
    try (HistoryCursor cursor = queries.history(OTHER_USER, BEGIN, END)) {
      assertThat(cursor.next())
          .isEqualTo(
              new Sighting(
                  OTHER_USER, Instant.parse("2026-11-22T12:00:00Z"), "234-10-4021-20911362", null));
    }
  }

  @Test
  void everyRangeHoldsItsFirstMomentAndNotItsLast() {
    List<Instant> bounds = new ArrayList<>(ALL_NEWEST_FIRST);
    // A millisecond beside each, so that a bound also falls between two sightings.
    ALL_NEWEST_FIRST.forEach(moment -> bounds.add(moment.plusMillis(1)));
    for (Instant from : bounds) {
      for (Instant to : bounds) {
        assertThat(moments(from, to))
            .as("from %s to %s", from, to)
            .containsExactlyElementsOf(
                ALL_NEWEST_FIRST.stream()
                    .filter(moment -> !moment.isBefore(from) && moment.isBefore(to))
                    .toList());
      }
    }
  }

  @Test
  void aReaderWhoTakesAFewGetsTheNewestOfThem() {
    List<Instant> taken = new ArrayList<>();
    try (HistoryCursor cursor =
        queries.history(USER, BEGIN, Instant.parse("2026-11-21T00:00:00Z"))) {
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
    try (HistoryCursor cursor = queries.history("nobody", BEGIN, END)) {
      assertThat(cursor.hasNext()).isFalse();
      assertThatThrownBy(cursor::next).isInstanceOf(NoSuchElementException.class);
    }
  }

  @Test
  void historyCountIsOverAllPeriodsAndNothingElse() {
    assertThat(queries.historyCount()).isEqualTo(2L * ALL_NEWEST_FIRST.size());
  }

  @Test
  void aUsersTimeRangeReadsJustItsOwnKeysOfTheIndex() {
    // The server's own account of the query as it came in, not of a copy of it made for this test.
    database.runCommand(new Document("profile", 2));
    List<Instant> found =
        moments(Instant.parse("2026-10-01T00:00:00Z"), Instant.parse("2026-10-18T00:00:00Z"));
    database.runCommand(new Document("profile", 0));

    assertThat(found).hasSize(2);
    assertThat(
            database
                .getCollection("system.profile")
                .find(new Document("op", "query").append("ns", DATABASE + ".history_2026_10")))
        .singleElement()
        .satisfies(
            query -> {
              assertThat(query.getString("planSummary")).isEqualTo("IXSCAN { user: 1, ts: 1 }");
              assertThat(query.getInteger("keysExamined")).isEqualTo(2);
              assertThat(query.getInteger("docsExamined")).isEqualTo(2);
              assertThat(query).doesNotContainKey("hasSortStage");
            });
  }

  private static List<Instant> moments(Instant from, Instant to) {
    List<Instant> moments = new ArrayList<>();
    try (HistoryCursor cursor = queries.history(USER, from, to)) {
      while (cursor.hasNext()) {
        moments.add(cursor.next().timestamp());
      }
    }
    return moments;
  }
}
