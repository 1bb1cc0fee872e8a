package io.lastfix.it.ingest;

import static io.lastfix.store.query.NewestPosition.OF_ALL;
import static io.lastfix.store.query.NewestPosition.OWN;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.lastfix.cli.query.NearCommand;
import io.lastfix.cli.query.WhereCommand;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import io.lastfix.sink.ServerWriter;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.LastKnownLocationQueries.Neighbour;
import io.lastfix.store.query.OptionalIndex;
import io.lastfix.store.query.PlaceQuery;
import io.lastfix.store.query.PlaceQuery.QueryResult;
import io.lastfix.store.query.Polygon;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.SightingCursor;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Queries of records at a cell, with a position of their own, and with both; with the optional
 * indexes, which are there before the first document, and without.
 */
class OwnPositionQueriesIT {
  private static final String INDEXED = "own_position_indexed";
  private static final String PLAIN = "own_position_plain";
  private static final String COLLECTION = "last_known_location";
  private static final QueryOptions OPTIONS = QueryOptions.within(Duration.ofSeconds(10));
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final CellId CELL = new CellId(310, 410, 4021, 7);
  private static final Position TOWER = new Position(-122.4, 37.75);

  /** About 1 km from the tower. */
  private static final Position SPOT = new Position(-122.39, 37.755);

  private static final Position ELSEWHERE = new Position(-121, 37);

  private static TestStack stack;
  @AutoClose private static MongoClient mongo;

  @BeforeAll
  static void store() {
    stack = TestStack.sharedMongo();
    mongo = MongoClients.create(stack.mongoUri());
    for (String name : List.of(INDEXED, PLAIN)) {
      MongoDatabase database = mongo.getDatabase(name);
      if (name.equals(INDEXED)) {
        for (OptionalIndex index :
            List.of(
                OptionalIndex.LAST_KNOWN_POSITION,
                OptionalIndex.LAST_KNOWN_CELL,
                OptionalIndex.LAST_KNOWN_FIX)) {
          database.getCollection(COLLECTION).createIndex(index.key());
        }
      }
      List<LocatedRecord> records = records();
      Collections.shuffle(records, new Random(16));
      try (ServerWriter history =
              ServerWriter.history(stack.mongoUri(), name, PartitionPeriod.MONTH);
          ServerWriter lastKnown = ServerWriter.lastKnownLocation(stack.mongoUri(), name)) {
        history.store(records);
        lastKnown.store(records.stream().filter(LocatedRecord::isLocated).toList());
        lastKnown.store(List.of(atTower("alone", 0)));
      }
    }
  }

  private static List<LocatedRecord> records() {
    return new ArrayList<>(
        List.of(
            atTower("tower", 0),
            own("tracker", 0, null, SPOT, 6.5),
            own("phone", 0, CELL, SPOT, 6.5),
            own("mixed", 0, CELL, SPOT, 20.0),
            own("mixed", -120, null, SPOT, 4.0),
            own("mixed", -660, null, SPOT, 1.0),
            own("mixed", -60, null, SPOT, null),
            new LocatedRecord("mixed", CELL, NOON.plusSeconds(30).toEpochMilli(), null),
            atTower("mixed", 60),
            own("walker", -60, null, ELSEWHERE, 10.0),
            atTower("walker", 0)));
  }

  private static LocatedRecord atTower(String user, int seconds) {
    return new LocatedRecord(user, CELL, NOON.plusSeconds(seconds).toEpochMilli(), TOWER);
  }

  private static LocatedRecord own(
      String user, int seconds, @Nullable CellId cell, Position position, @Nullable Double meters) {
    return new LocatedRecord(
        user,
        Place.of(cell, null, new Fix(position, PositionSource.GNSS, meters, 35.0, null)),
        NOON.plusSeconds(seconds).toEpochMilli(),
        cell == null ? null : TOWER,
        false);
  }

  private static LastKnownLocationQueries lastKnown(String database) {
    return new LastKnownLocationQueries(mongo.getDatabase(database), COLLECTION, OPTIONS);
  }

  private static HistoryQueries history(String database) {
    return new HistoryQueries(mongo.getDatabase(database), "history", OPTIONS);
  }

  private static Sighting towerSighting(String user, int seconds) {
    return new Sighting(user, NOON.plusSeconds(seconds), CELL.toString(), TOWER);
  }

  /** As Last Known Location has it. */
  private static Sighting ownSighting(
      String user, int seconds, @Nullable CellId cell, Position position, @Nullable Double meters) {
    return new Sighting(
        user,
        NOON.plusSeconds(seconds),
        cell == null ? null : cell.toString(),
        position,
        PositionSource.GNSS,
        meters,
        null,
        null,
        false,
        null);
  }

  /** As History has it. */
  private static Sighting withAltitude(Sighting own) {
    return new Sighting(
        own.user(),
        own.timestamp(),
        own.cell(),
        own.position(),
        own.source(),
        own.accuracyMeters(),
        35.0,
        own.cell() == null ? null : TOWER,
        false,
        null);
  }

  @Test
  void whereGivesTheNewerTowerAndTheLastFix() {
    LastKnownLocationQueries queries = lastKnown(PLAIN);
    Sighting tracker = ownSighting("tracker", 0, null, SPOT, 6.5);

    assertThat(queries.where("mixed"))
        .contains(
            new LastKnownLocation(
                towerSighting("mixed", 60), ownSighting("mixed", 0, CELL, SPOT, 20.0)));
    assertThat(queries.where("tracker")).contains(new LastKnownLocation(tracker, tracker));
    assertThat(queries.where("tower"))
        .contains(new LastKnownLocation(towerSighting("tower", 0), null));
  }

  @Test
  void whereReadsATowerAlsoBesideAnOlderFix() {
    assertThat(lastKnown(PLAIN).where("alone"))
        .contains(new LastKnownLocation(towerSighting("alone", 0), null));
    assertThat(lastKnown(PLAIN).where("walker"))
        .contains(
            new LastKnownLocation(
                towerSighting("walker", 0), ownSighting("walker", -60, null, ELSEWHERE, 10.0)));
  }

  @Test
  void theMostExactPositionOfTheLastTenMinutesIsFoundInHistory() {
    assertThat(best("mixed", Duration.ofMinutes(10)))
        .isEqualTo(withAltitude(ownSighting("mixed", -120, null, SPOT, 4.0)));
    assertThat(best("mixed", Duration.ofMinutes(2)))
        .isEqualTo(withAltitude(ownSighting("mixed", 0, CELL, SPOT, 20.0)));
    assertThat(best("mixed", Duration.ofSeconds(59))).isEqualTo(towerSighting("mixed", 60));
    assertThat(best("mixed", Duration.ofMinutes(12)))
        .isEqualTo(withAltitude(ownSighting("mixed", -660, null, SPOT, 1.0)));
    assertThat(best("tower", Duration.ofMinutes(10))).isEqualTo(towerSighting("tower", 0));
    // History has nothing of this device.
    assertThat(best("alone", Duration.ofMinutes(10))).isEqualTo(towerSighting("alone", 0));
  }

  private static Sighting best(String user, Duration window) {
    LastKnownLocation known = lastKnown(PLAIN).where(user).orElseThrow();
    TimeRange range = known.before(window);
    try (SightingCursor cursor = history(PLAIN).history(user, range, TimeOrder.NEWEST_FIRST)) {
      return known.mostExact(range, cursor);
    }
  }

  @Test
  void theCommandShowsTheNewerTowerAndTheFixWithItsAccuracy() {
    assertThat(where("mixed").lines())
        .containsExactly(
            "USER   TIME (UTC)            LATITUDE   LONGITUDE    SOURCE  ACCURACY (M)  CELL",
            "mixed  2026-11-20T12:01:00Z  37.750000  -122.400000  cell    -            "
                + " 310-410-4021-7",
            "mixed  2026-11-20T12:00:00Z  37.755000  -122.390000  gnss    20.0         "
                + " 310-410-4021-7");
    assertThat(where("mixed", "--json").strip())
        .isEqualTo(
            "{\"user\":\"mixed\",\"ts\":\"2026-11-20T12:01:00Z\",\"cell\":\"310-410-4021-7\","
                + "\"loc\":{\"lon\":-122.4,\"lat\":37.75},\"src\":\"cell\","
                + "\"fix\":{\"ts\":\"2026-11-20T12:00:00Z\",\"cell\":\"310-410-4021-7\","
                + "\"loc\":{\"lon\":-122.39,\"lat\":37.755},\"src\":\"gnss\",\"acc\":20.0}}");
    assertThat(where("mixed", "--csv").lines()).hasSize(3);
    assertThat(where("mixed", "--geojson"))
        .contains("\"src\":\"cell\"}", "\"src\":\"gnss\",\"acc\":20.0}");
    assertThat(where("tower").lines()).hasSize(2);
    assertThat(where("tracker").lines()).hasSize(2);
  }

  @Test
  void theCommandShowsTheMostExactPositionAndTheCellBesideIt() {
    assertThat(where("mixed", "--best", "10m", "--json").strip())
        .isEqualTo(
            "{\"user\":\"mixed\",\"ts\":\"2026-11-20T11:58:00Z\",\"cell\":null,"
                + "\"loc\":{\"lon\":-122.39,\"lat\":37.755},\"src\":\"gnss\",\"acc\":4.0,"
                + "\"alt\":35.0}");
    assertThat(where("mixed", "--best", "2m", "--csv").lines().skip(1))
        .containsExactly(
            "mixed,2026-11-20T12:00:00Z,310-410-4021-7,-122.39,37.755,gnss,20.0,35.0,-122.4,37.75,,");
    assertThat(where("tower", "--best", "10m").lines()).hasSize(2);
  }

  private static String where(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        new CommandLine(new WhereCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--mongo-uri", stack.mongoUri(), "--set", "mongo.database=" + PLAIN));

    assertThat(command.execute(all.toArray(String[]::new))).as("exit code; %s", err).isZero();
    assertThat(err.toString()).isEmpty();
    return out.toString();
  }

  @Test
  void nearATowerAreThoseWhoseNewestPositionIsThereAndWithFixNone() {
    assertThat(users(lastKnown(PLAIN).near(OF_ALL, TOWER, 100)))
        .containsExactly("alone", "mixed", "tower", "walker");
    assertThat(users(lastKnown(PLAIN).near(OF_ALL, SPOT, 100))).containsExactly("phone", "tracker");
    assertThat(users(lastKnown(PLAIN).near(OWN, TOWER, 100))).isEmpty();
  }

  private static List<String> users(PlaceQuery<Neighbour> query) {
    return query.run(10).found().stream().map(found -> found.sighting().user()).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {INDEXED, PLAIN})
  void nearAndWithinFindTheLastFixWhateverTheNewestIs(String database) {
    LastKnownLocationQueries queries = lastKnown(database);

    QueryResult<Neighbour> near = queries.near(OWN, SPOT, 100).run(10);
    QueryResult<Sighting> within = queries.within(OWN, square(SPOT)).run(10);

    assertThat(near.found())
        .extracting(Neighbour::sighting)
        .containsExactly(
            ownSighting("mixed", 0, CELL, SPOT, 20.0),
            ownSighting("phone", 0, CELL, SPOT, 6.5),
            ownSighting("tracker", 0, null, SPOT, 6.5));
    assertThat(near.found()).allSatisfy(found -> assertThat(found.distanceMeters()).isLessThan(1));
    assertThat(within.found())
        .containsExactlyElementsOf(near.found().stream().map(Neighbour::sighting).toList());
    for (QueryResult<?> answer : List.of(near, within)) {
      if (database.equals(INDEXED)) {
        assertThat(answer.missingIndex()).isEmpty();
      } else {
        assertThat(answer.missingIndex()).contains(OptionalIndex.LAST_KNOWN_FIX);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {INDEXED, PLAIN})
  void sinceLeavesOutWhatIsOlderThanTheFirstInstantByTheTimeOfThePositionThatIsSearched(
      String database) {
    LastKnownLocationQueries sinceNoon = lastKnown(database).since(NOON);
    LastKnownLocationQueries later = lastKnown(database).since(NOON.plusMillis(1));

    assertThat(users(sinceNoon.near(OF_ALL, TOWER, 100)))
        .containsExactly("alone", "mixed", "tower", "walker");
    assertThat(users(later.near(OF_ALL, TOWER, 100))).containsExactly("mixed");
    assertThat(later.within(OF_ALL, square(TOWER)).run(10).found())
        .containsExactly(towerSighting("mixed", 60));
    assertThat(later.at(CELL).run(10).found()).containsExactly(towerSighting("mixed", 60));
    // The newest of this device is in time, and its fix is not.
    assertThat(users(sinceNoon.near(OWN, SPOT, 100))).containsExactly("mixed", "phone", "tracker");
    assertThat(users(later.near(OWN, SPOT, 100))).isEmpty();
    assertThat(later.within(OWN, square(SPOT)).run(10).found()).isEmpty();
    assertThat(users(sinceNoon.near(OWN, ELSEWHERE, 100))).isEmpty();
    assertThat(users(lastKnown(database).near(OWN, ELSEWHERE, 100))).containsExactly("walker");
  }

  @Test
  void theCommandLeavesOutWhatIsOlderThanItIsToldAndSaysSinceWhen() {
    StringWriter err = new StringWriter();
    CommandLine near = new CommandLine(NearCommand.class).setErr(new PrintWriter(err));

    int exitCode =
        near.execute(
            "--lat=37.75",
            "--lon=-122.4",
            "--newer-than=1s",
            "--mongo-uri",
            stack.mongoUri(),
            "--set",
            "mongo.database=" + PLAIN);

    assertThat(exitCode).as("%s", err).isEqualTo(3);
    assertThat(err.toString()).contains("No device was last seen there since 20");
  }

  private static Polygon square(Position center) {
    List<Position> corners = new ArrayList<>();
    for (int[] corner : new int[][] {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}) {
      corners.add(
          new Position(center.lon() + corner[0] / 1000.0, center.lat() + corner[1] / 1000.0));
    }
    return Polygon.ofOutline(corners);
  }

  @Test
  void theIndexOnTheFixTakesDevicesWithoutOneAndHasNoKeyForThem() {
    assertThat(mongo.getDatabase(INDEXED).getCollection(COLLECTION).countDocuments()).isEqualTo(6);
    assertThat(lastKnown(INDEXED).within(OWN, square(SPOT)).explain(10))
        .satisfies(
            plan -> {
              assertThat(plan.indexes()).containsExactly("fix.loc_2dsphere");
              assertThat(plan.documentsExamined()).isEqualTo(3);
            });
    assertThat(lastKnown(INDEXED).near(OWN, SPOT, 100).explain(10).indexes())
        .containsExactly("fix.loc_2dsphere");
    assertThat(
            mongo
                .getDatabase(INDEXED)
                .runCommand(new Document("validate", COLLECTION))
                .get("keysPerIndex", Document.class)
                .getInteger("fix.loc_2dsphere"))
        .as("keys: of mixed, phone, tracker and walker")
        .isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {INDEXED, PLAIN})
  void atGivesDevicesWithAnOwnPositionWhoseRecordNamesTheCell(String database) {
    assertThat(lastKnown(database).at(CELL).run(10).found())
        .extracting(Sighting::user)
        .containsExactly("mixed", "alone", "phone", "tower", "walker");
  }

  @Test
  void historyAndDuringGiveAllKindsOfRecords() {
    assertThat(readAll(history(PLAIN).history("mixed", TimeRange.ALL, TimeOrder.OLDEST_FIRST)))
        .containsExactly(
            withAltitude(ownSighting("mixed", -660, null, SPOT, 1.0)),
            withAltitude(ownSighting("mixed", -120, null, SPOT, 4.0)),
            withAltitude(ownSighting("mixed", -60, null, SPOT, null)),
            withAltitude(ownSighting("mixed", 0, CELL, SPOT, 20.0)),
            new Sighting("mixed", NOON.plusSeconds(30), CELL.toString(), null),
            towerSighting("mixed", 60));
    assertThat(readAll(history(PLAIN).during(CELL, TimeRange.ALL, TimeOrder.OLDEST_FIRST)))
        .containsExactlyInAnyOrder(
            towerSighting("tower", 0),
            towerSighting("walker", 0),
            withAltitude(ownSighting("phone", 0, CELL, SPOT, 6.5)),
            withAltitude(ownSighting("mixed", 0, CELL, SPOT, 20.0)),
            new Sighting("mixed", NOON.plusSeconds(30), CELL.toString(), null),
            towerSighting("mixed", 60));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void pagesOfAllKindsOfRecordsGiveWhatOneReadingGives(int pageSize) {
    HistoryQueries queries = history(PLAIN);
    List<Sighting> paged = new ArrayList<>();
    SightingCursor page = queries.history("mixed", TimeRange.ALL, TimeOrder.NEWEST_FIRST);
    while (page.hasNext()) {
      for (int i = 0; i < pageSize && page.hasNext(); i++) {
        paged.add(page.next());
      }
      String token = page.token();
      page.close();
      page = queries.history("mixed", token);
    }
    page.close();

    assertThat(paged)
        .containsExactlyElementsOf(
            readAll(queries.history("mixed", TimeRange.ALL, TimeOrder.NEWEST_FIRST)));
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
}
