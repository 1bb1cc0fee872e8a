package io.lastfix.store.counts;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Updates;
import io.lastfix.store.history.HistoryPartition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Numbers of records that History no longer has, because an erasure removed them, would outlive a
 * count of History, which writes only numbers above 0. So all numbers of the range are marked
 * before the count, and those that are still marked after it are removed. The same goes for
 * density, flows, stays and trips that are not found again.
 *
 * <p>The mark is a state that is greater than all others as a text: each write of the stream or of
 * the count takes it away ({@link WindowCount#toUpsert}). A count that fails leaves marks; the
 * numbers are still those that were there, and the next count takes the marks away. Each count has
 * a mark of its own: of two at once, the earlier one does not remove what the later one may still
 * fail to find.
 *
 * <p>Each statement is about a slice of time with a limited number of documents: the server's work
 * for one statement must end within the client's read timeout, however many documents the range
 * has. A process that ends between two slices leaves what a failed count leaves, so it can simply
 * be repeated.
 */
public final class Recount {
  /** With what the state of a number begins that is about to be replaced. */
  private static final String MARK = "recount";

  /** A busy server has changed only 5,000 documents a second. */
  private static final int MAX_DOCUMENTS_OF_STATEMENT = 5_000;

  private final MongoDatabase database;
  private final NumberCollections collections;
  private final List<String> by;
  private final int maxDocumentsOfStatement;
  private final String mark = MARK + '-' + UUID.randomUUID();

  /**
   * Prepares a count.
   *
   * @param by what is counted by; other numbers stay. Empty: all are counted
   */
  public Recount(MongoDatabase database, NumberCollections collections, List<String> by) {
    this(database, collections, by, MAX_DOCUMENTS_OF_STATEMENT);
  }

  /**
   * Prepares a count with another limit.
   *
   * @param maxDocumentsOfStatement 1 or more. Documents of one instant are never divided
   */
  public Recount(
      MongoDatabase database,
      NumberCollections collections,
      List<String> by,
      int maxDocumentsOfStatement) {
    this.database = database;
    this.collections = collections;
    this.by = List.copyOf(by);
    this.maxDocumentsOfStatement = maxDocumentsOfStatement;
  }

  /** Returns whether a document's state says that it is about to be replaced. */
  public static boolean isMark(String state) {
    return state.startsWith(MARK);
  }

  /** Marks the numbers of these periods of History that begin in {@code [from, to)}. */
  public void begin(List<HistoryPartition> partitions, Instant from, Instant to) {
    forEach(
        partitions,
        from,
        to,
        (collection, filter) -> collection.updateMany(filter, Updates.set("state", mark)));
  }

  /** Removes the numbers that are still marked. */
  public void end(List<HistoryPartition> partitions, Instant from, Instant to) {
    forEach(
        partitions,
        from,
        to,
        (collection, filter) ->
            collection.deleteMany(Filters.and(filter, Filters.eq("state", mark))));
  }

  /** Gives the numbers that are still marked another state, instead of removing them. */
  public void keep(List<HistoryPartition> partitions, Instant from, Instant to, String state) {
    forEach(
        partitions,
        from,
        to,
        (collection, filter) ->
            collection.updateMany(
                Filters.and(filter, Filters.eq("state", mark)), Updates.set("state", state)));
  }

  private void forEach(
      List<HistoryPartition> partitions,
      Instant from,
      Instant to,
      BiFunction<MongoCollection<Document>, Bson, Object> action) {
    // Also those of another period, from before history.period was changed: they would be summed up
    // beside the new ones.
    List<HistoryPartition> numbers =
        HistoryPartition.parseAll(
            collections.collectionPrefix(), database.listCollectionNames().into(new ArrayList<>()));
    for (HistoryPartition partition : partitions) {
      Instant first = Collections.max(List.of(partition.start(), from));
      Instant last = Collections.min(List.of(partition.end(), to));
      for (HistoryPartition collection : numbers) {
        forEachSlice(
            database.getCollection(collection.collection()),
            Collections.max(List.of(collection.start(), first)),
            Collections.min(List.of(collection.end(), last)),
            action);
      }
    }
  }

  private void forEachSlice(
      MongoCollection<Document> collection,
      Instant from,
      Instant to,
      BiFunction<MongoCollection<Document>, Bson, Object> action) {
    for (Instant at = from; at.isBefore(to); ) {
      Instant end = endOfSlice(collection, at, to);
      Bson slice = collections.between(at, end);
      var unused =
          action.apply(
              collection, by.isEmpty() ? slice : Filters.and(slice, Filters.in("_id.by", by)));
      at = end;
    }
  }

  /** Returns the time of the first document that is too many; always after {@code from}. */
  private Instant endOfSlice(MongoCollection<Document> collection, Instant from, Instant to) {
    Document next =
        collection
            .find(collections.between(from, to))
            .projection(Projections.include("_id"))
            .sort(collections.byTime())
            .skip(maxDocumentsOfStatement)
            .first();
    if (next == null) {
      return to;
    }
    Instant end = next.get("_id", Document.class).getDate(collections.timeField()).toInstant();
    return end.isAfter(from) ? end : from.plusMillis(1);
  }
}
