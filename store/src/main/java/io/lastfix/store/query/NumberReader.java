package io.lastfix.store.query;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Sorts;
import io.lastfix.store.history.HistoryPartition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.Document;
import org.bson.conversions.Bson;

/** Reads collections of numbers, one for each period, each query with a time limit. */
public final class NumberReader {
  private final QueryServer server;

  /**
   * Reads that database.
   *
   * @param options the time limit of each query, and which servers answer
   */
  public NumberReader(MongoDatabase database, QueryOptions options) {
    this.server = new QueryServer(database, options);
  }

  /** Returns the collections that can have numbers of the range, from old to new. */
  public List<String> collections(String prefix, TimeRange range) {
    return HistoryQueries.partitions(server, prefix, range).stream()
        .map(HistoryPartition::collection)
        .toList();
  }

  /**
   * Passes on each document that a pipeline finds in a collection.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public void each(String collection, List<Bson> pipeline, Consumer<Document> target) {
    server.each(new Statement.Aggregation(collection, pipeline, null, 0, true), target);
  }

  /**
   * Passes on each document that a pipeline finds in the collections that can have numbers of the
   * range, from old to new.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public void each(String prefix, TimeRange range, List<Bson> pipeline, Consumer<Document> target) {
    collections(prefix, range).forEach(collection -> each(collection, pipeline, target));
  }

  /**
   * Returns the last document that matches, of the newest collection that has one.
   *
   * @param time the field of the order, which an index serves
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Optional<Document> newest(String prefix, Bson filter, String time) {
    List<String> names = new ArrayList<>(collections(prefix, TimeRange.ALL));
    Collections.reverse(names);
    return first(names, filter, Sorts.descending(time));
  }

  /** Returns the first document that matches, of the oldest collection that has one. */
  public Optional<Document> oldest(String prefix, Bson filter, String time) {
    return first(collections(prefix, TimeRange.ALL), filter, Sorts.ascending(time));
  }

  private Optional<Document> first(List<String> names, Bson filter, Bson order) {
    List<Bson> pipeline =
        List.of(Aggregates.match(filter), Aggregates.sort(order), Aggregates.limit(1));
    Document[] found = new Document[1];
    for (int i = 0; i < names.size() && found[0] == null; i++) {
      each(names.get(i), pipeline, document -> found[0] = document);
    }
    return Optional.ofNullable(found[0]);
  }

  /** Returns the expression that is 1 if a field has that value, else 0. */
  public static Document oneIf(String field, Object value) {
    return new Document("$cond", List.of(new Document("$eq", List.of(field, value)), 1L, 0L));
  }
}
