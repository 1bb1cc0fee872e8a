package io.lastfix.store.erasure;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import io.lastfix.store.counts.NumberCollections;
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
 * Counts and deletes the documents of users up to a timestamp, in both collections, in that of
 * devices, whose time is their last sign of life, and in those of stays, trips and alerts, as
 * {@link UserResults} have it. Every filter but that of stays, trips and alerts contains the whole
 * shard key or its hashed part, so a router queries only the shards that can have matching
 * documents.
 */
public final class StoredUser {
  /** The former fix of a user whose newest record came after the erasure began. */
  private static final Bson NO_FIX = Updates.set("fix", null);

  private static final BsonDocument NONE = new BsonDocument();

  private final MongoDatabase history;
  private final String historyPrefix;
  private final MongoCollection<BsonDocument> lastKnownLocation;
  private final MongoCollection<BsonDocument> devices;
  private final List<UserResults> ofUsers;
  private final Duration limit;
  private final CountOptions limited;

  /**
   * @param history database of History, with write concern majority; the caller closes its client
   * @param lastKnownLocation database of Last Known Location and the devices, likewise
   * @param ofUsers collections of results of users, in the database of History
   * @param limit time limit of one count
   */
  public StoredUser(
      MongoDatabase history,
      String historyPrefix,
      MongoDatabase lastKnownLocation,
      String lastKnownLocationCollection,
      String devicesCollection,
      List<UserResults> ofUsers,
      Duration limit) {
    this.history =
        history.withReadPreference(ReadPreference.primary()).withReadConcern(ReadConcern.MAJORITY);
    this.historyPrefix = historyPrefix;
    MongoDatabase primary =
        lastKnownLocation
            .withReadPreference(ReadPreference.primary())
            .withReadConcern(ReadConcern.MAJORITY);
    this.lastKnownLocation = primary.getCollection(lastKnownLocationCollection, BsonDocument.class);
    this.devices = primary.getCollection(devicesCollection, BsonDocument.class);
    this.ofUsers = List.copyOf(ofUsers);
    this.limit = limit;
    this.limited = new CountOptions().maxTime(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Counts the documents by collection, without collections that have none.
   *
   * @param names user names as stored
   * @throws com.mongodb.MongoException if a server does not answer or rejects the query
   */
  public Map<String, Long> count(Collection<String> names, Instant until) {
    Action count = (collection, filter) -> collection.countDocuments(filter, limited);
    return each(names, until, count, count);
  }

  /**
   * Deletes the documents and returns their number by collection. If the deletion fails, the number
   * deleted so far is unknown.
   *
   * @param names user names as stored
   * @throws com.mongodb.MongoException if a server does not answer or rejects the command
   */
  public Map<String, Long> delete(Collection<String> names, Instant until) {
    return each(
        names,
        until,
        (collection, filter) -> collection.deleteMany(filter).getDeletedCount(),
        (collection, filter) -> collection.updateMany(filter, NO_FIX).getModifiedCount());
  }

  /**
   * Returns the timestamp of the newest record; empty if there is none.
   *
   * @param names user names as stored
   * @throws com.mongodb.MongoException if a server does not answer or rejects the query
   */
  public Optional<Instant> newest(Collection<String> names) {
    List<Instant> times = new ArrayList<>();
    for (String name : names) {
      for (String partition : partitions(historyPrefix)) {
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

  /** In a document that was inserted by hand, the field may be absent or of another type. */
  private static Instant instant(@Nullable BsonValue ts) {
    return ts != null && ts.isDateTime()
        ? Instant.ofEpochMilli(ts.asDateTime().getValue())
        : Instant.MIN;
  }

  private interface Action {
    long applyTo(MongoCollection<BsonDocument> collection, Bson filter);
  }

  /**
   * @param action deletes or counts documents
   * @param onFix removes or counts the fix of a document whose {@code last} is newer
   */
  private Map<String, Long> each(
      Collection<String> names, Instant until, Action action, Action onFix) {
    Map<String, Long> documents = new TreeMap<>();
    Date last = Date.from(until);
    for (String name : names) {
      for (UserResults results : ofUsers) {
        // One that ends later tells of the time before, too.
        Bson isUpTo = results.upTo(until);
        for (String collection : partitions(results.collections().collectionPrefix())) {
          add(
              documents,
              action,
              history.getCollection(collection, BsonDocument.class),
              Filters.and(NumberCollections.ofUser(name), isUpTo));
        }
      }
      for (String partition : partitions(historyPrefix)) {
        add(
            documents,
            action,
            history.getCollection(partition, BsonDocument.class),
            Filters.and(Filters.eq("user", name), Filters.lte("ts", last)));
      }
      Bson ofUser = Filters.eq("_id", name);
      add(documents, action, lastKnownLocation, Filters.and(ofUser, Filters.lte("last.ts", last)));
      add(
          documents,
          onFix,
          lastKnownLocation,
          Filters.and(ofUser, Filters.gt("last.ts", last), Filters.lte("fix.ts", last)));
      add(documents, action, devices, Filters.and(ofUser, Filters.lte("seen", last)));
    }
    return documents;
  }

  private static void add(
      Map<String, Long> documents,
      Action action,
      MongoCollection<BsonDocument> collection,
      Bson filter) {
    long count = action.applyTo(collection, filter);
    if (count > 0) {
      documents.merge(collection.getNamespace().getCollectionName(), count, Long::sum);
    }
  }

  /** Returns the partitions of all periods; a view's name never matches. */
  private List<String> partitions(String prefix) {
    List<String> names = history.listCollectionNames().into(new ArrayList<>());
    names.removeIf(name -> HistoryPartition.parse(prefix, name).isEmpty());
    return names;
  }
}
