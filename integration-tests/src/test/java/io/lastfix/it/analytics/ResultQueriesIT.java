package io.lastfix.it.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.lastfix.it.harness.TestStack;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.Completeness;
import io.lastfix.store.query.numbers.ResultQueries;
import io.lastfix.store.query.numbers.ResultQueries.GroupValue;
import io.lastfix.store.query.numbers.ResultQueries.Selection;
import io.lastfix.store.timeline.PlaceKind;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Density, flows, stays and trips on a real server. */
class ResultQueriesIT {
  private static final Duration TIME_LIMIT = Duration.ofSeconds(30);
  private static final Instant NOON = Instant.parse("2026-10-20T12:00:00Z");

  private static TestStack stack;
  @AutoClose private static MongoClient mongo;

  private MongoDatabase database;
  private ResultQueries queries;

  @BeforeAll
  static void startServer() {
    stack = TestStack.sharedMongo();
    mongo = MongoClients.create(stack.mongoUri());
  }

  @BeforeEach
  void useADatabaseOfItsOwn(TestInfo test) {
    database = mongo.getDatabase(test.getTestMethod().orElseThrow().getName());
    queries =
        new ResultQueries(database, ResultQueriesIT::collections, QueryOptions.within(TIME_LIMIT));
  }

  private static NumberCollections collections(NumberKind kind) {
    return kind.isPersonal()
        ? NumberCollections.ofUsers(kind.text(), PartitionPeriod.MONTH)
        : NumberCollections.ofWindows(kind.text(), PartitionPeriod.MONTH);
  }

  private void insert(NumberKind kind, Instant time, Document document) {
    database
        .getCollection(collections(kind).collectionAt(time.toEpochMilli()))
        .insertOne(document.append("state", "closed"));
  }

  private void density(Instant window, String place, int devices) {
    Document id = new Document("w", Date.from(window)).append("by", "cell").append("k", place);
    insert(NumberKind.DENSITY, window, new Document("_id", id).append("n", devices));
  }

  private static Document result(String user, Instant begin) {
    return new Document(
        "_id", new Document("user", user).append("by", "cell").append("begin", Date.from(begin)));
  }

  private void stay(String user, Instant begin, String place, long minutes) {
    Document stay = result(user, begin).append("k", place);
    if (minutes > 0) {
      stay.append("end", Date.from(begin.plus(Duration.ofMinutes(minutes))));
    }
    insert(NumberKind.STAYS, begin, stay);
  }

  private void flow(Instant hour, String from, String to, int moves) {
    Document id =
        new Document("w", Date.from(hour))
            .append("by", "cell")
            .append("from", from)
            .append("to", to);
    insert(
        NumberKind.FLOWS,
        hour,
        moves == 0
            ? new Document("_id", id).append("withheld", true)
            : new Document("_id", id).append("n", moves));
  }

  private static Selection all(NumberKind kind) {
    return new Selection(kind, TimeRange.ALL, PlaceKind.CELL, null, null);
  }

  @Test
  void aResultInTheFutureIsNotTheNewest() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Instant year2100 = Instant.parse("2100-01-01T00:00:00Z");
    for (Instant time : List.of(NOON, now.minusSeconds(60), now.plusSeconds(240), year2100)) {
      density(time, "a", 20);
      flow(time, "a", "b", 20);
      stay("anna", time, "a", 10);
      insert(NumberKind.TRIPS, time, result("anna", time));
    }

    for (NumberKind kind :
        List.of(NumberKind.DENSITY, NumberKind.FLOWS, NumberKind.STAYS, NumberKind.TRIPS)) {
      assertThat(queries.newest(kind)).as(kind.text()).contains(now.minusSeconds(60));
      assertThat(queries.oldest(kind, null)).as(kind.text()).contains(NOON);
    }
    assertThat(queries.newest(NumberKind.STAYS, "anna")).contains(now.minusSeconds(60));
    assertThat(queries.newest(NumberKind.STAYS, "nobody")).isEmpty();
  }

  @Test
  void onlyResultsInTheFutureAreNone() {
    density(Instant.now().plusSeconds(60), "a", 20);

    assertThat(queries.newest(NumberKind.DENSITY)).isEmpty();
  }

  @Test
  void ofOnePlaceAreItsChangesAlone() {
    density(NOON, "a", 20);
    density(NOON.plusSeconds(10), "b", 30);
    density(NOON.plusSeconds(20), "a", 25);
    TimeRange later = new TimeRange(NOON.plusSeconds(10), TimeRange.ALL.to());

    assertThat(
            queries.read(new Selection(NumberKind.DENSITY, later, PlaceKind.CELL, null, "a"), 10))
        .extracting(it -> it.getInteger("n"))
        .containsExactly(25);
    assertThat(queries.levels(NOON.plusSeconds(10), Duration.ofHours(1), PlaceKind.CELL, "a"))
        .extracting(it -> it.getInteger("n"))
        .containsExactly(20);
  }

  @Test
  void movesOfAllHoursAndPeriodsAreAddedUpWithoutWithheldOnes() {
    flow(NOON, "a", "b", 20);
    flow(NOON.plus(Duration.ofHours(1)), "a", "b", 5);
    flow(NOON.plus(Duration.ofDays(30)), "a", "b", 1);
    flow(NOON, "b", "a", 30);
    flow(NOON, "b", "c", 0);

    assertThat(queries.moves(all(NumberKind.FLOWS)))
        .containsExactly(new GroupValue("b -> a", 30), new GroupValue("a -> b", 26));
    assertThat(queries.completeness(all(NumberKind.FLOWS)))
        .isEqualTo(new Completeness(5, 0, 0, 1, Optional.of(NOON.plus(Duration.ofDays(30)))));
  }

  @Test
  void theTimeOfStaysIsThatOfEndedOnes() {
    stay("anna", NOON, "a", 30);
    stay("ben", NOON, "a", 15);
    stay("ben", NOON.plus(Duration.ofHours(1)), "b", 60);
    stay("anna", NOON.plus(Duration.ofHours(1)), "c", 0);

    assertThat(queries.staysByPlace(all(NumberKind.STAYS)))
        .containsExactly(new GroupValue("b", 3_600_000), new GroupValue("a", 2_700_000));
    assertThat(
            queries.staysByPlace(
                new Selection(NumberKind.STAYS, TimeRange.ALL, PlaceKind.CELL, "anna", null)))
        .containsExactly(new GroupValue("a", 1_800_000));
  }

  @Test
  void tripsAreCountedByTheirBegin() {
    Duration hour = Duration.ofHours(1);
    insert(NumberKind.TRIPS, NOON, result("anna", NOON));
    insert(NumberKind.TRIPS, NOON, result("ben", NOON.plus(hour).minusMillis(1)));
    insert(NumberKind.TRIPS, NOON, result("ben", NOON.plus(hour)));

    assertThat(queries.begins(all(NumberKind.TRIPS), hour.toMillis()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(NOON.toEpochMilli(), 2L, NOON.plus(hour).toEpochMilli(), 1L));
  }
}
