package io.lastfix.store.query;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Sorts;
import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Queries Last Known Location: where a device was last seen, and which devices were last seen at or
 * near a place.
 *
 * <p>Thread-safe.
 *
 * @param oldest the least timestamp, as in {@link #since}; null: any
 */
public record LastKnownLocationQueries(
    QueryServer server, String collection, @Nullable Instant oldest) {
  /** Maximum limit of a query, since the results are held in memory. */
  public static final int MAX_LIMIT = 100_000;

  /** Distance between opposite points of the earth, in whole metres. */
  public static final double FARTHEST_METERS = Math.floor(Math.PI * SphericalDistance.EARTH_RADIUS);

  /** Queries a database whose client the caller closes. */
  public LastKnownLocationQueries(MongoDatabase database, String collection, QueryOptions options) {
    this(new QueryServer(database, options), collection, null);
  }

  /**
   * Returns the same queries, of which {@link #near}, {@link #within} and {@link #at} leave out
   * older positions.
   *
   * @param oldest the least timestamp of the position that is compared and returned
   */
  public LastKnownLocationQueries since(Instant oldest) {
    return new LastKnownLocationQueries(server, collection, oldest);
  }

  /** Returns where a device was last seen; empty if it was never seen, or only at unknown cells. */
  public Optional<LastKnownLocation> where(String user) {
    try (StatementCursor cursor = server.run(whereStatement(user))) {
      return cursor.hasNext()
          ? Optional.of(SightingDocuments.ofLastKnownLocation(cursor.next()))
          : Optional.empty();
    }
  }

  /** Returns the server's query plan of {@link #where}. */
  public QueryPlan explainWhere(String user) {
    return server.explain(whereStatement(user));
  }

  private Statement whereStatement(String user) {
    return find(new BsonDocument("_id", new BsonString(user)), null, null).withLimit(1);
  }

  /**
   * Selects the devices whose newest position is near a place, the nearest first. If the limit cuts
   * off equally distant devices, the choice between them is undefined. Fast with {@link
   * OptionalIndex#LAST_KNOWN_POSITION} or {@link OptionalIndex#LAST_KNOWN_FIX}.
   *
   * @param which the position that is compared and returned
   * @param radiusMeters more than 0, up to {@link #FARTHEST_METERS}
   * @throws IllegalArgumentException if the radius is out of range
   */
  public PlaceQuery<Neighbour> near(NewestPosition which, Position center, double radiusMeters) {
    if (!(radiusMeters > 0 && radiusMeters <= FARTHEST_METERS)) {
      throw new IllegalArgumentException(
          "radius: expected more than 0 m, up to %d m (half the earth's circumference), found %s"
              .formatted((long) FARTHEST_METERS, radiusMeters));
    }
    SphericalDistance distance = new SphericalDistance(center, which.location(), notTooOld(which));
    return new PlaceQuery<>(
        server,
        List.of(
            new Statement.Aggregation(collection, distance.byIndex(radiusMeters), null, 0),
            new Statement.Aggregation(collection, distance.byReadingAll(radiusMeters), null, 0)),
        which.index(),
        document ->
            new Neighbour(
                SightingDocuments.ofLastKnownLocation(document, which),
                document.getDouble(SphericalDistance.FIELD)),
        Comparator.comparingDouble(Neighbour::distanceMeters)
            .thenComparing(neighbour -> neighbour.sighting().user()),
        false);
  }

  /**
   * Selects the devices whose newest position is in an area, the newest sighting first. Fast with
   * {@link OptionalIndex#LAST_KNOWN_POSITION} or {@link OptionalIndex#LAST_KNOWN_FIX}.
   *
   * @param which the position that is compared and returned
   */
  public PlaceQuery<Sighting> within(NewestPosition which, Polygon polygon) {
    return newestFirst(
        which, notTooOld(which).append(which.location(), polygon.within()), which.index());
  }

  /**
   * Counts the devices whose newest position is in each square of a grid, the most first. Squares
   * without a device are left out.
   *
   * @param which the position that is compared
   * @param area a polygon that contains the grid's area, for the index; null: the whole collection
   *     is read
   */
  public PlaceQuery<GridCount> grid(NewestPosition which, Grid grid, @Nullable Polygon area) {
    BsonDocument exact = grid.matching(which.location());
    Bson group =
        Aggregates.group(
            new BsonDocument("c", grid.column(which.location()))
                .append("r", grid.row(which.location())),
            Accumulators.sum("n", 1L),
            Accumulators.max("newest", "$" + which.field() + ".ts"));
    Bson sort = Aggregates.sort(Sorts.orderBy(Sorts.descending("n"), Sorts.ascending("_id")));
    BsonDocument all = notTooOld(which);
    all.putAll(exact);
    List<Statement> statements = new ArrayList<>();
    if (area != null) {
      BsonDocument indexed = notTooOld(which).append(which.location(), area.within());
      indexed.putAll(exact);
      statements.add(
          new Statement.Aggregation(
              collection, List.of(Aggregates.match(indexed), group, sort), which.index().key(), 0));
    }
    statements.add(
        new Statement.Aggregation(
            collection, List.of(Aggregates.match(all), group, sort), null, 0));
    return new PlaceQuery<>(
        server,
        statements,
        which.index(),
        document -> {
          Document square = document.get("_id", Document.class);
          return new GridCount(
              square.getInteger("c"),
              square.getInteger("r"),
              document.getLong("n"),
              document.getDate("newest").toInstant());
        },
        Comparator.comparingLong(GridCount::devices)
            .reversed()
            .thenComparing(GridCount::row)
            .thenComparing(GridCount::column),
        false);
  }

  /**
   * Selects the devices last seen in a cell, the newest sighting first; also those with a position
   * of their own, if the record names the cell. Fast with {@link OptionalIndex#LAST_KNOWN_CELL}.
   */
  public PlaceQuery<Sighting> at(CellId cell) {
    return newestFirst(
        NewestPosition.OF_ALL,
        notTooOld(NewestPosition.OF_ALL).append("last.cell", new BsonString(cell.toString())),
        OptionalIndex.LAST_KNOWN_CELL);
  }

  private BsonDocument notTooOld(NewestPosition which) {
    return oldest == null
        ? new BsonDocument()
        : new BsonDocument(
            which.field() + ".ts",
            new BsonDocument("$gte", new BsonDateTime(oldest.toEpochMilli())));
  }

  private PlaceQuery<Sighting> newestFirst(
      NewestPosition which, BsonDocument filter, OptionalIndex index) {
    BsonDocument newestFirst =
        new BsonDocument(which.field() + ".ts", new BsonInt32(TimeOrder.NEWEST_FIRST.direction()));
    return new PlaceQuery<>(
        server,
        List.of(find(filter, newestFirst, index.key()), find(filter, newestFirst, null)),
        index,
        document -> SightingDocuments.ofLastKnownLocation(document, which),
        Comparator.comparing(Sighting::timestamp).reversed().thenComparing(Sighting::user),
        index != OptionalIndex.LAST_KNOWN_CELL);
  }

  private Statement.Find find(
      BsonDocument filter, @Nullable BsonDocument sort, @Nullable BsonDocument hint) {
    return new Statement.Find(collection, filter, sort, hint, 0);
  }

  /**
   * Counts the users one by one.
   *
   * @throws QueryTimeLimitException if that takes longer than the time limit of a query
   */
  public long count() {
    return server.count(collection);
  }

  /**
   * Returns the server's estimate of the number of users. After a crash it may be wrong, and on a
   * sharded cluster it counts the documents of a moved chunk on both shards.
   */
  public long estimate() {
    return server.estimatedCount(collection);
  }

  /**
   * The devices in a square of a {@link Grid}.
   *
   * @param column from west, 0 and more
   * @param row from south, 0 and more
   * @param devices how many, 1 or more
   * @param newest the newest timestamp of their positions
   */
  public record GridCount(int column, int row, long devices, Instant newest) {}

  /**
   * A device near a place.
   *
   * @param sighting where it was last seen
   * @param distanceMeters distance from the place in metres, along the surface of a sphere with
   *     MongoDB's radius of the earth
   */
  public record Neighbour(Sighting sighting, double distanceMeters) {}
}
