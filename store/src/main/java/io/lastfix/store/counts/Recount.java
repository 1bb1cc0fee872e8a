package io.lastfix.store.counts;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.lastfix.store.history.HistoryPartition;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import org.bson.conversions.Bson;

/**
 * Numbers of records that History no longer has, because an erasure removed them, would outlive a
 * count of History, which writes only numbers above 0. So all numbers of the range are marked
 * before the count, and those that are still marked after it are removed. The same goes for
 * density, flows, stays and trips that are not found again.
 *
 * <p>The mark is a state that is greater than all others as a text: each write of the stream or of
 * the count takes it away ({@link WindowCountConverter}). A count that fails leaves marks; the
 * numbers are still those that were there, and the next count takes the marks away.
 */
public final class Recount {
  /** State of a number that is about to be replaced. */
  public static final String MARK = "recount";

  private final MongoDatabase database;
  private final NumberCollections collections;
  private final List<String> by;

  /**
   * Prepares a count.
   *
   * @param by what is counted by; other numbers stay. Empty: all are counted
   */
  public Recount(MongoDatabase database, NumberCollections collections, List<String> by) {
    this.database = database;
    this.collections = collections;
    this.by = List.copyOf(by);
  }

  /** Marks the numbers of these periods of History that begin in {@code [from, to)}. */
  public void begin(List<HistoryPartition> partitions, Instant from, Instant to) {
    forEach(
        partitions,
        from,
        to,
        (collection, filter) -> {
          var unused =
              database.getCollection(collection).updateMany(filter, Updates.set("state", MARK));
        });
  }

  /** Removes the numbers that are still marked. */
  public void end(List<HistoryPartition> partitions, Instant from, Instant to) {
    forEach(
        partitions,
        from,
        to,
        (collection, filter) -> {
          var unused =
              database
                  .getCollection(collection)
                  .deleteMany(Filters.and(filter, Filters.eq("state", MARK)));
        });
  }

  private void forEach(
      List<HistoryPartition> partitions,
      Instant from,
      Instant to,
      BiConsumer<String, Bson> action) {
    for (HistoryPartition partition : partitions) {
      Instant first = partition.start().isAfter(from) ? partition.start() : from;
      Instant last = partition.end().isBefore(to) ? partition.end() : to;
      // A partition of another period may lie in several collections of numbers, or in a part of
      // one.
      for (Instant at = first; at.isBefore(last); ) {
        Instant end = Instant.ofEpochMilli(collections.period().endOf(at.toEpochMilli()));
        Instant upTo = end.isBefore(last) ? end : last;
        Bson range = collections.between(at, upTo);
        action.accept(
            collections.collectionAt(at.toEpochMilli()),
            by.isEmpty() ? range : Filters.and(range, Filters.in("_id.by", by)));
        at = end;
      }
    }
  }
}
