package io.lastfix.store.query;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Queries Last Known Location: where a device was last seen, and which devices were last seen at or
 * near a place.
 *
 * <p>Thread-safe.
 */
public final class LastKnownLocationQueries {
  /** Maximum limit of a query, since the results are held in memory. */
  public static final int MAX_LIMIT = 100_000;

  private static final int BAD_VALUE = 2;
  private static final BsonDocument NEWEST_FIRST =
      new BsonDocument("last.ts", new BsonInt32(TimeOrder.NEWEST_FIRST.direction()));

  private final QueryServer server;
  private final String collection;

  /** Queries a database whose client the caller closes. */
  public LastKnownLocationQueries(MongoDatabase database, String collection, QueryOptions options) {
    this.server = new QueryServer(database, options);
    this.collection = collection;
  }

  /** Returns where a device was last seen; empty if it was never seen, or only at unknown cells. */
  public Optional<Sighting> where(String user) {
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
   * Returns the devices last seen near a place, the nearest first. If the limit cuts off equally
   * distant devices, the choice between them is undefined. Fast with {@link
   * OptionalIndex#LAST_KNOWN_POSITION}.
   *
   * @param radiusMeters more than 0, up to {@link SphericalDistance#FARTHEST_METERS}
   * @param limit 1 to {@link #MAX_LIMIT}
   * @throws IllegalArgumentException if a value is out of range
   */
  public QueryResult<Neighbour> near(Position center, double radiusMeters, int limit) {
    return answer(
        near(center, radiusMeters),
        limit,
        OptionalIndex.LAST_KNOWN_POSITION,
        LastKnownLocationQueries::neighbour,
        Comparator.comparingDouble(Neighbour::distanceMeters)
            .thenComparing(neighbour -> neighbour.sighting().user()));
  }

  /** Returns the server's query plan of {@link #near}. */
  public QueryPlan explainNear(Position center, double radiusMeters, int limit) {
    return explain(near(center, radiusMeters), limit);
  }

  private static Neighbour neighbour(Document document) {
    return new Neighbour(
        SightingDocuments.ofLastKnownLocation(document),
        document.getDouble(SphericalDistance.FIELD));
  }

  private List<Statement> near(Position center, double radiusMeters) {
    if (!(radiusMeters > 0 && radiusMeters <= SphericalDistance.FARTHEST_METERS)) {
      throw new IllegalArgumentException(
          "radius: expected more than 0 m, up to %d m (half the earth's circumference), found %s"
              .formatted((long) SphericalDistance.FARTHEST_METERS, radiusMeters));
    }
    SphericalDistance distance = new SphericalDistance(center);
    return List.of(
        new Statement.Aggregation(collection, distance.byIndex(radiusMeters), 0),
        new Statement.Aggregation(collection, distance.byReadingAll(radiusMeters), 0));
  }

  /**
   * Returns the devices last seen in an area, the newest sighting first. Fast with {@link
   * OptionalIndex#LAST_KNOWN_POSITION}.
   *
   * @param limit 1 to {@link #MAX_LIMIT}
   * @throws IllegalArgumentException if the limit is out of range, or the server finds that edges
   *     of the polygon cross
   */
  public QueryResult<Sighting> within(Polygon polygon, int limit) {
    try {
      return newestFirst(within(polygon), limit, OptionalIndex.LAST_KNOWN_POSITION);
    } catch (MongoException e) {
      throw e.getCode() == BAD_VALUE ? refused(e) : e;
    }
  }

  /** Returns the server's query plan of {@link #within}. */
  public QueryPlan explainWithin(Polygon polygon, int limit) {
    return explain(within(polygon), limit);
  }

  private List<Statement> within(Polygon polygon) {
    return indexedOrNot(
        new BsonDocument(
            "last.loc",
            new BsonDocument("$geoWithin", new BsonDocument("$geometry", polygon.toBson()))),
        OptionalIndex.LAST_KNOWN_POSITION);
  }

  private static IllegalArgumentException refused(MongoException e) {
    return new IllegalArgumentException("polygon: MongoDB rejects it: " + e.getMessage(), e);
  }

  /**
   * Returns the devices last seen in a cell, the newest sighting first. Fast with {@link
   * OptionalIndex#LAST_KNOWN_CELL}.
   *
   * @param limit 1 to {@link #MAX_LIMIT}
   * @throws IllegalArgumentException if the limit is out of range
   */
  public QueryResult<Sighting> at(CellId cell, int limit) {
    return newestFirst(at(cell), limit, OptionalIndex.LAST_KNOWN_CELL);
  }

  /** Returns the server's query plan of {@link #at}. */
  public QueryPlan explainAt(CellId cell, int limit) {
    return explain(at(cell), limit);
  }

  private List<Statement> at(CellId cell) {
    return indexedOrNot(
        new BsonDocument("last.cell", new BsonString(cell.toString())),
        OptionalIndex.LAST_KNOWN_CELL);
  }

  private List<Statement> indexedOrNot(BsonDocument filter, OptionalIndex index) {
    return List.of(find(filter, NEWEST_FIRST, index.key()), find(filter, NEWEST_FIRST, null));
  }

  private Statement.Find find(
      BsonDocument filter, @Nullable BsonDocument sort, @Nullable BsonDocument hint) {
    return new Statement.Find(collection, filter, sort, hint, 0);
  }

  private QueryResult<Sighting> newestFirst(
      List<Statement> statements, int limit, OptionalIndex index) {
    return answer(
        statements,
        limit,
        index,
        SightingDocuments::ofLastKnownLocation,
        Comparator.comparing(Sighting::timestamp).reversed().thenComparing(Sighting::user));
  }

  /**
   * Requests one result more than the limit, to detect whether there are more.
   *
   * @param order the statements' own order, with an order among equals
   */
  private <T> QueryResult<T> answer(
      List<Statement> statements,
      int limit,
      OptionalIndex index,
      Function<Document, T> reader,
      Comparator<T> order) {
    List<T> found = new ArrayList<>();
    boolean indexed;
    List<Statement> limited = limited(statements, limit);
    try (StatementCursor cursor = server.runFirstPossible(limited)) {
      indexed = cursor.statement().equals(limited.get(0));
      while (cursor.hasNext()) {
        found.add(reader.apply(cursor.next()));
      }
    }
    boolean more = found.size() > limit;
    List<T> given = more ? found.subList(0, limit) : found;
    given.sort(order);
    return new QueryResult<>(given, more, indexed ? Optional.empty() : Optional.of(index));
  }

  private QueryPlan explain(List<Statement> statements, int limit) {
    List<Statement> limited = limited(statements, limit);
    try (StatementCursor cursor = server.runFirstPossible(limited)) {
      return server.explain(cursor.statement());
    }
  }

  private static List<Statement> limited(List<Statement> statements, int limit) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException(
          "limit: expected 1 to %d, found %d".formatted(MAX_LIMIT, limit));
    }
    return statements.stream().map(statement -> statement.withLimit(limit + 1)).toList();
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
}
