package io.lastfix.store.query;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bson.Document;

/**
 * A query of Last Known Location for all devices at a place.
 *
 * @param <T> one result
 * @param statements the same query with the index, and without it
 * @param order the statements' own order, with an order among equals
 * @param hasPolygon whether the server can reject the query for its polygon
 */
public record PlaceQuery<T>(
    QueryServer server,
    List<Statement> statements,
    OptionalIndex index,
    Function<Document, T> reader,
    Comparator<T> order,
    boolean hasPolygon) {
  private static final int BAD_VALUE = 2;

  /**
   * Returns the results, up to a limit. Requests one more, to detect whether there are more.
   *
   * @param limit 1 to {@link LastKnownLocationQueries#MAX_LIMIT}
   * @throws IllegalArgumentException if the limit is out of range, or the server finds that edges
   *     of the polygon cross
   */
  public QueryResult<T> run(int limit) {
    List<T> found = new ArrayList<>();
    boolean indexed;
    List<Statement> limited = limited(limit);
    try (StatementCursor cursor = server.runFirstPossible(limited)) {
      indexed = cursor.statement().equals(limited.get(0));
      while (cursor.hasNext()) {
        found.add(reader.apply(cursor.next()));
      }
    } catch (MongoException e) {
      throw hasPolygon ? ofPolygon(e) : e;
    }
    boolean more = found.size() > limit;
    List<T> given = more ? found.subList(0, limit) : found;
    given.sort(order);
    return new QueryResult<>(
        List.copyOf(given), more, indexed ? Optional.empty() : Optional.of(index));
  }

  /** The failure of a query with a polygon, which is the caller's if the polygon is invalid. */
  static RuntimeException ofPolygon(MongoException e) {
    return e.getCode() == BAD_VALUE
        ? new IllegalArgumentException("polygon: MongoDB rejects it: " + reason(e), e)
        : e;
  }

  /** Without the server's name and whole answer, which are in the message of the exception. */
  private static String reason(MongoException e) {
    return e instanceof MongoCommandException refused
        ? refused.getErrorMessage()
        : "it is not one that can be queried";
  }

  /** Returns the server's query plan of {@link #run}. */
  public QueryPlan explain(int limit) {
    try (StatementCursor cursor = server.runFirstPossible(limited(limit))) {
      return server.explain(cursor.statement());
    }
  }

  private List<Statement> limited(int limit) {
    if (limit < 1 || limit > LastKnownLocationQueries.MAX_LIMIT) {
      throw new IllegalArgumentException(
          "limit: expected 1 to %d, found %d".formatted(LastKnownLocationQueries.MAX_LIMIT, limit));
    }
    return statements.stream().map(statement -> statement.withLimit(limit + 1)).toList();
  }

  /**
   * The results of a query, up to a limit.
   *
   * @param found results in the query's order
   * @param more true if there are more results than the limit
   * @param missingIndex the index without which the query read the whole collection; empty if an
   *     index was used
   */
  public record QueryResult<T>(List<T> found, boolean more, Optional<OptionalIndex> missingIndex) {}
}
