package io.lastfix.it.ingest;

import static io.lastfix.store.query.NewestPosition.OF_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import io.lastfix.sink.ServerWriter;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.LastKnownLocationQueries.Neighbour;
import io.lastfix.store.query.OptionalIndex;
import io.lastfix.store.query.PlaceQuery.QueryResult;
import io.lastfix.store.query.Polygon;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.QueryPlan;
import io.lastfix.store.query.QueryTimeLimitException;
import io.lastfix.store.query.SightingCursor;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is near a place, in an area or in a cell: with the indexes and without, the same. */
class LastKnownLocationQueriesIT {
  private static final String INDEXED = "last_known_indexed";
  private static final String PLAIN = "last_known_plain";
  private static final String COLLECTION = "last_known_location";
  private static final QueryOptions OPTIONS = QueryOptions.within(Duration.ofSeconds(10));
  private static final int DEVICES = 400;
  private static final int CELLS = 8;
  private static final Instant BEGIN = Instant.parse("2026-11-20T12:00:00Z");

  /** Of the sphere that MongoDB takes for the earth. */
  private static final double EARTH_RADIUS_METERS = 6_378_100;

  /** What is sent beside: of a getMore the server knows what is left of its query's time. */
  private static final Set<String> NO_STATEMENTS = Set.of("getMore", "killCursors", "endSessions");

  private static TestStack stack;
  @AutoClose private static MongoClient mongo;
  private static List<LocatedRecord> devices;

  @BeforeAll
  static void store() {
    stack = TestStack.sharedMongo();
    mongo = MongoClients.create(stack.mongoUri());
    devices = devices();
    for (String database : List.of(INDEXED, PLAIN)) {
      try (ServerWriter lastKnown = ServerWriter.lastKnownLocation(stack.mongoUri(), database)) {
        lastKnown.store(devices);
      }
    }
    var indexed = mongo.getDatabase(INDEXED).getCollection(COLLECTION);
    indexed.createIndex(OptionalIndex.LAST_KNOWN_POSITION.key());
    indexed.createIndex(OptionalIndex.LAST_KNOWN_CELL.key());
  }

  /** All over the earth, some of them on its edges; each a second after the one before. */
  private static List<LocatedRecord> devices() {
    List<Position> positions =
        new ArrayList<>(
            List.of(
                new Position(0, 0),
                new Position(0, 90),
                new Position(180, 10),
                new Position(-180, 10.001),
                new Position(179.9, -0.1),
                new Position(-179.9, 0.1)));
    Random random = new Random(20261120);
    while (positions.size() < DEVICES) {
      positions.add(
          new Position(
              random.nextDouble(-180, 180), Math.toDegrees(Math.asin(random.nextDouble(-1, 1)))));
    }
    List<LocatedRecord> records = new ArrayList<>();
    for (int i = 0; i < DEVICES; i++) {
      records.add(
          new LocatedRecord(
              "device-%03d".formatted(i),
              cell(i % CELLS),
              BEGIN.plusSeconds(i).toEpochMilli(),
              positions.get(i)));
    }
    return records;
  }

  private static CellId cell(int number) {
    return new CellId(234, 10, 4021, number);
  }

  private static LastKnownLocationQueries queries(String database) {
    return new LastKnownLocationQueries(mongo.getDatabase(database), COLLECTION, OPTIONS);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 1000",
    "0, 0, 3000000",
    "-122.4, 37.8, 2000000",
    "180, 10, 500000",
    "-179.95, 0, 50000",
    "77, 90, 2500000",
    "12, -90, 4000000",
    "0, 0, 20037391"
  })
  void nearGivesTheSameWithTheIndexAndWithoutTheNearestFirst(
      double lon, double lat, double radius) {
    Position center = new Position(lon, lat);
    List<Neighbour> expected =
        devices.stream()
            .map(record -> new Neighbour(sighting(record), meters(center, position(record))))
            .filter(neighbour -> neighbour.distanceMeters() <= radius)
            .sorted(Comparator.comparingDouble(Neighbour::distanceMeters))
            .toList();

    QueryResult<Neighbour> byIndex = queries(INDEXED).near(OF_ALL, center, radius).run(DEVICES);
    QueryResult<Neighbour> byReadingAll = queries(PLAIN).near(OF_ALL, center, radius).run(DEVICES);

    assertThat(expected).isNotEmpty();
    assertThat(byIndex.missingIndex()).isEmpty();
    assertThat(byReadingAll.missingIndex()).contains(OptionalIndex.LAST_KNOWN_POSITION);
    for (QueryResult<Neighbour> answer : List.of(byIndex, byReadingAll)) {
      assertThat(answer.more()).isFalse();
      assertThat(answer.found())
          .extracting(neighbour -> neighbour.sighting().user())
          .containsExactlyElementsOf(
              expected.stream().map(neighbour -> neighbour.sighting().user()).toList());
      for (int i = 0; i < expected.size(); i++) {
        Neighbour found = answer.found().get(i);
        assertThat(found.sighting()).isEqualTo(expected.get(i).sighting());
        assertThat(found.distanceMeters()).isCloseTo(expected.get(i).distanceMeters(), within(0.1));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {INDEXED, PLAIN})
  void nearGivesNoMoreThanAskedForAndSaysSo(String database) {
    Position center = new Position(0, 0);
    QueryResult<Neighbour> all =
        queries(database)
            .near(OF_ALL, center, LastKnownLocationQueries.FARTHEST_METERS)
            .run(DEVICES);

    QueryResult<Neighbour> some =
        queries(database).near(OF_ALL, center, LastKnownLocationQueries.FARTHEST_METERS).run(5);

    assertThat(some.found()).isEqualTo(all.found().subList(0, 5));
    assertThat(some.more()).isTrue();
    assertThat(
            queries(database)
                .near(OF_ALL, center, LastKnownLocationQueries.FARTHEST_METERS)
                .run(DEVICES)
                .more())
        .isFalse();
  }

  @Test
  void nearWithTheIndexExaminesFewDocumentsAndWithoutItAll() {
    Position center = new Position(0, 0);

    assertThat(queries(INDEXED).near(OF_ALL, center, 1000).explain(5))
        .satisfies(
            plan -> {
              assertThat(plan.stages()).contains("GEO_NEAR_2DSPHERE");
              assertThat(plan.indexes()).containsExactly("last.loc_2dsphere");
              assertThat(plan.documentsExamined()).isLessThan(DEVICES / 4);
            });
    assertThat(queries(PLAIN).near(OF_ALL, center, 1000).explain(5))
        .satisfies(
            plan -> {
              assertThat(plan.stages()).contains("COLLSCAN");
              assertThat(plan.indexes()).isEmpty();
              assertThat(plan.documentsExamined()).isEqualTo(DEVICES);
            });
  }

  @Test
  void aRadiusOfNothingOrMoreThanHalfTheEarthIsRefused() {
    for (double radius : new double[] {0, -1, Double.NaN, 20_037_500}) {
      assertThatThrownBy(() -> queries(PLAIN).near(OF_ALL, new Position(0, 0), radius).run(5))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "radius: expected more than 0 m, up to 20037392 m (half the earth's circumference), found %s",
              radius);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 100_001})
  void aLimitOutOfRangeIsRefused(int limit) {
    assertThatThrownBy(() -> queries(PLAIN).at(cell(0)).run(limit))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limit: expected 1 to 100000, found " + limit);
  }

  @Test
  void withinGivesTheSameWithTheIndexAndWithoutTheLastSeenFirst() {
    // Around the crossing of the equator and the 180th meridian.
    Polygon square =
        Polygon.ofOutline(
            List.of(
                new Position(179, -1),
                new Position(-179, -1),
                new Position(-179, 1),
                new Position(179, 1),
                new Position(179, -1)));

    QueryResult<Sighting> byIndex = queries(INDEXED).within(OF_ALL, square).run(100);
    QueryResult<Sighting> byReadingAll = queries(PLAIN).within(OF_ALL, square).run(100);

    assertThat(byIndex.found()).extracting(Sighting::user).startsWith("device-005", "device-004");
    assertThat(byReadingAll.found()).isEqualTo(byIndex.found());
    assertThat(byIndex.missingIndex()).isEmpty();
    assertThat(byReadingAll.missingIndex()).contains(OptionalIndex.LAST_KNOWN_POSITION);
    assertThat(queries(INDEXED).within(OF_ALL, square).explain(100).indexes())
        .containsExactly("last.loc_2dsphere");
    assertThat(queries(PLAIN).within(OF_ALL, square).explain(100).stages()).contains("COLLSCAN");
  }

  @ParameterizedTest
  @ValueSource(strings = {INDEXED, PLAIN})
  void whoIsInAHoleIsNotWithin(String database) {
    List<Position> outline = square(5);
    Polygon whole = Polygon.ofOutline(outline);
    Polygon holed = new Polygon(List.of(outline, square(1)));

    assertThat(queries(database).within(OF_ALL, whole).run(DEVICES).found())
        .extracting(Sighting::user)
        .contains("device-000");
    assertThat(queries(database).within(OF_ALL, holed).run(DEVICES).found())
        .extracting(Sighting::user)
        .doesNotContain("device-000");
  }

  private static List<Position> square(double halfSide) {
    return List.of(
        new Position(-halfSide, -halfSide),
        new Position(halfSide, -halfSide),
        new Position(halfSide, halfSide),
        new Position(-halfSide, halfSide),
        new Position(-halfSide, -halfSide));
  }

  @ParameterizedTest
  @ValueSource(strings = {INDEXED, PLAIN})
  void aPolygonWhoseEdgesCrossIsRefused(String database) {
    Polygon bow =
        Polygon.ofOutline(
            List.of(
                new Position(0, 0),
                new Position(10, 0),
                new Position(0, 10),
                new Position(10, 10),
                new Position(0, 0)));

    assertThatThrownBy(() -> queries(database).within(OF_ALL, bow).run(100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("polygon: MongoDB rejects it: ")
        .hasMessageContaining("Edges 1 and 3 cross");
  }

  @Test
  void atGivesTheSameWithTheIndexAndWithoutTheLastSeenFirst() {
    List<Sighting> expected =
        devices.stream()
            .filter(record -> record.cell().equals(cell(3)))
            .map(LastKnownLocationQueriesIT::sighting)
            .sorted(Comparator.comparing(Sighting::timestamp).reversed())
            .toList();

    QueryResult<Sighting> byIndex = queries(INDEXED).at(cell(3)).run(10);
    QueryResult<Sighting> byReadingAll = queries(PLAIN).at(cell(3)).run(10);

    assertThat(byIndex)
        .isEqualTo(new QueryResult<>(expected.subList(0, 10), true, Optional.empty()));
    assertThat(byReadingAll)
        .isEqualTo(
            new QueryResult<>(
                expected.subList(0, 10), true, Optional.of(OptionalIndex.LAST_KNOWN_CELL)));
    assertThat(queries(INDEXED).at(cell(3)).run(DEVICES).found()).isEqualTo(expected);
    assertThat(queries(INDEXED).at(cell(3)).explain(10))
        .satisfies(
            plan -> {
              assertThat(plan.indexes()).containsExactly("last.cell_1_last.ts_1");
              assertThat(plan.stages()).doesNotContain("SORT");
              assertThat(plan.keysExamined()).isEqualTo(11);
            });
    assertThat(queries(PLAIN).at(cell(3)).explain(10).documentsExamined()).isEqualTo(DEVICES);
  }

  @Test
  void whereNobodyEverWasNobodyIsFound() {
    assertThat(queries(INDEXED).at(cell(99)).run(10))
        .isEqualTo(new QueryResult<>(List.of(), false, Optional.empty()));
    assertThat(queries("empty").near(OF_ALL, new Position(0, 0), 1000).run(10).found()).isEmpty();
    assertThat(queries("empty").at(cell(0)).run(10).found()).isEmpty();
    assertThat(queries("empty").where("device-000")).isEmpty();
  }

  @Test
  void whereExaminesOneDocument() {
    QueryPlan plan = queries(PLAIN).explainWhere("device-007");

    assertThat(plan.stages()).containsExactly("IDHACK");
    assertThat(plan.indexes()).containsExactly("_id_");
    assertThat(plan.documentsExamined()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {INDEXED, PLAIN})
  void theServerGivesUpEveryQueryWhoseTimeIsOver(String database) {
    LastKnownLocationQueries queries = queries(database);
    MongoDatabase admin = mongo.getDatabase("admin");
    // Every statement that carries a time limit is over it.
    admin.runCommand(
        new Document("configureFailPoint", "maxTimeAlwaysTimeOut").append("mode", "alwaysOn"));
    try {
      Position center = new Position(0, 0);
      Polygon area = Polygon.ofOutline(square(1));
      for (Runnable query :
          List.<Runnable>of(
              () -> queries.where("device-000"),
              () -> queries.near(OF_ALL, center, 1000).run(5),
              () -> queries.within(OF_ALL, area).run(5),
              () -> queries.at(cell(0)).run(5),
              queries::estimate,
              () -> queries.explainWhere("device-000"),
              () -> queries.near(OF_ALL, center, 1000).explain(5))) {
        assertThatThrownBy(query::run)
            .isInstanceOf(QueryTimeLimitException.class)
            .hasMessageStartingWith(
                "MongoDB aborted the query of last_known_location at its time limit of 10 s");
      }
    } finally {
      admin.runCommand(
          new Document("configureFailPoint", "maxTimeAlwaysTimeOut").append("mode", "off"));
    }
  }

  @Test
  void everyQueryCarriesItsTimeLimitAndTheReadPreferenceAndStalenessThatWereAskedFor() {
    List<BsonDocument> sent = new CopyOnWriteArrayList<>();
    String history = "history_of_some";
    try (ServerWriter writer =
        ServerWriter.history(stack.mongoUri(), history, PartitionPeriod.DAY)) {
      writer.store(devices);
    }
    MongoClientSettings settings =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(stack.mongoUri()))
            .addCommandListener(
                new CommandListener() {
                  @Override
                  public void commandStarted(CommandStartedEvent event) {
                    // The driver takes its buffer back when this call ends.
                    sent.add(event.getCommand().clone());
                  }
                })
            .build();
    QueryOptions options =
        new QueryOptions(Duration.ofSeconds(9), "secondaryPreferred", Duration.ofMinutes(2));
    try (MongoClient client = MongoClients.create(settings)) {
      askEverything(
          new LastKnownLocationQueries(client.getDatabase(PLAIN), COLLECTION, options),
          new HistoryQueries(client.getDatabase(history), "history", options));
    }

    List<BsonDocument> statements =
        sent.stream().filter(command -> !NO_STATEMENTS.contains(command.getFirstKey())).toList();
    assertThat(statements)
        .extracting(BsonDocument::getFirstKey)
        .contains("find", "aggregate", "count", "explain", "listCollections");
    assertThat(statements)
        .allSatisfy(
            command -> {
              assertThat(command.getNumber("maxTimeMS").longValue()).isEqualTo(9_000);
              assertThat(command.getDocument("$readPreference"))
                  .isEqualTo(
                      BsonDocument.parse(
                          "{mode: 'secondaryPreferred', maxStalenessSeconds: {$numberLong: '120'}}"));
            });
  }

  private static void askEverything(LastKnownLocationQueries lastKnown, HistoryQueries history) {
    Position center = new Position(0, 0);
    Polygon area = Polygon.ofOutline(square(1));
    lastKnown.where("device-000");
    lastKnown.near(OF_ALL, center, 1000).run(5);
    lastKnown.within(OF_ALL, area).run(5);
    lastKnown.at(cell(0)).run(5);
    lastKnown.estimate();
    lastKnown.explainWhere("device-000");
    lastKnown.near(OF_ALL, center, 1000).explain(5);
    lastKnown.within(OF_ALL, area).explain(5);
    lastKnown.at(cell(0)).explain(5);
    history.count();
    history.partitions(TimeRange.ALL);
    for (SightingCursor cursor :
        List.of(
            history.history("device-000", TimeRange.ALL, TimeOrder.NEWEST_FIRST),
            history.during(cell(0), TimeRange.ALL, TimeOrder.OLDEST_FIRST))) {
      try (cursor) {
        assertThat(cursor.hasNext()).isTrue();
        cursor.explain();
      }
    }
  }

  private static Sighting sighting(LocatedRecord record) {
    return new Sighting(
        record.user(),
        Instant.ofEpochMilli(record.timestampMillis()),
        record.cell().toString(),
        position(record));
  }

  private static Position position(LocatedRecord record) {
    return Objects.requireNonNull(record.position());
  }

  /** By the angle between the two places' vectors: not the formula that the queries use. */
  private static double meters(Position one, Position other) {
    double[] a = vector(one);
    double[] b = vector(other);
    double x = a[1] * b[2] - a[2] * b[1];
    double y = a[2] * b[0] - a[0] * b[2];
    double z = a[0] * b[1] - a[1] * b[0];
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return EARTH_RADIUS_METERS * Math.atan2(Math.sqrt(x * x + y * y + z * z), dot);
  }

  private static double[] vector(Position position) {
    double lon = Math.toRadians(position.lon());
    double lat = Math.toRadians(position.lat());
    return new double[] {
      Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)
    };
  }
}
