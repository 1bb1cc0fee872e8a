package io.lastfix.store.erasure;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import io.lastfix.store.history.HistoryPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * What both collections hold of users up to a moment: counts it, deletes it. Every filter has the
 * whole shard key, or all of it that is hashed, so a router asks the shards that can have it.
 */
public final class StoredUser {
  private static final BsonDocument NONE = new BsonDocument();

  private final MongoDatabase history;
  private final String historyPrefix;
  private final MongoCollection<BsonDocument> lastKnownLocation;
  private final Duration limit;
  private final CountOptions limited;

  /**
   * @param history whose client writes to the majority; closed by the caller
   * @param lastKnownLocation the same for its server
   * @param limit for one count
   */
  public StoredUser(
      MongoDatabase history,
      String historyPrefix,
      MongoDatabase lastKnownLocation,
      String lastKnownLocationCollection,
      Duration limit) {
    this.history =
        history.withReadPreference(ReadPreference.primary()).withReadConcern(ReadConcern.MAJORITY);
    this.historyPrefix = historyPrefix;
    this.lastKnownLocation =
        lastKnownLocation
            .withReadPreference(ReadPreference.primary())
            .withReadConcern(ReadConcern.MAJORITY)
            .getCollection(lastKnownLocationCollection, BsonDocument.class);
    this.limit = limit;
    this.limited = new CountOptions().maxTime(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * How many documents there are, by collection; one without any is left out.
   *
   * @param names as stored
   * @throws com.mongodb.MongoException if a server does not answer, or refuses
   */
  public Map<String, Long> count(Collection<String> names, Instant until) {
    return each(names, until, (collection, filter) -> collection.countDocuments(filter, limited));
  }

  /**
   * Deletes them, and says how many there were. What was deleted when it fails is not said.
   *
   * @param names as stored
   * @throws com.mongodb.MongoException if a server does not answer, or refuses
   */
  public Map<String, Long> delete(Collection<String> names, Instant until) {
    return each(
        names, until, (collection, filter) -> collection.deleteMany(filter).getDeletedCount());
  }

  /**
   * The time of the newest record; empty if there is none.
   *
   * @param names as stored
   * @throws com.mongodb.MongoException if a server does not answer, or refuses
   */
  public Optional<Instant> newest(Collection<String> names) {
    List<Instant> times = new ArrayList<>();
    for (String name : names) {
      for (String partition : partitions()) {
        history
            .getCollection(partition, BsonDocument.class)
            .find(Filters.eq("user", name))
            .sort(Sorts.descending("ts"))
            .limit(1)
            .maxTime(limit.toMillis(), TimeUnit.MILLISECONDS)
            .map(document -> instant(document.get("ts")))
            .into(times);
      }
      lastKnownLocation
          .find(Filters.eq("_id", name))
          .maxTime(limit.toMillis(), TimeUnit.MILLISECONDS)
          .map(document -> instant(document.getDocument("last", NONE).get("ts")))
          .into(times);
    }
    return times.stream().max(Comparator.naturalOrder());
  }

  /** Of a document that somebody put in by hand it may be of any type, and none. */
  private static Instant instant(@Nullable BsonValue ts) {
    return ts != null && ts.isDateTime()
        ? Instant.ofEpochMilli(ts.asDateTime().getValue())
        : Instant.MIN;
  }

  private interface Action {
    long applyTo(MongoCollection<BsonDocument> collection, Bson filter);
  }

  private Map<String, Long> each(Collection<String> names, Instant until, Action action) {
    Map<String, Long> documents = new TreeMap<>();
    Date last = Date.from(until);
    for (String name : names) {
      for (String partition : partitions()) {
        add(
            documents,
            partition,
            action.applyTo(
                history.getCollection(partition, BsonDocument.class),
                Filters.and(Filters.eq("user", name), Filters.lte("ts", last))));
      }
      add(
          documents,
          lastKnownLocation.getNamespace().getCollectionName(),
          action.applyTo(
              lastKnownLocation,
              Filters.and(Filters.eq("_id", name), Filters.lte("last.ts", last))));
    }
    return documents;
  }

  private static void add(Map<String, Long> documents, String collection, long count) {
    if (count > 0) {
      documents.merge(collection, count, Long::sum);
    }
  }

  /** All there are, of whatever period; a view has no such name. */
  private List<String> partitions() {
    List<String> names = history.listCollectionNames().into(new ArrayList<>());
    names.removeIf(name -> HistoryPartition.parse(historyPrefix, name).isEmpty());
    return names;
  }
}
