package io.lastfix.store.erasure;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.erasure.Erasure.ErasureSteps;
import io.lastfix.store.erasure.ErasureListCollection.Added;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.presence.PresenceCollection;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/**
 * The steps in MongoDB that erase one user. They leave no document behind only in this order:
 *
 * <ol>
 *   <li>{@link #until} and {@link #addToList}.
 *   <li>{@link Erasure} waits until the running jobs follow the list, and have stored the records
 *       that they had accepted before.
 *   <li>{@link #delete}, then {@link #awaitShards}.
 *   <li>{@link #newest}: records that arrived meanwhile.
 * </ol>
 *
 * <p>{@link Erasure} takes them in that order, and writes the {@link #audit} document between them.
 * Each step may fail; repeating the whole sequence is safe. If a server does not answer or rejects
 * a command, a step throws a {@link com.mongodb.MongoException}.
 *
 * @param names the user's names in documents, the stored one first
 * @param limit for each request to MongoDB
 */
public record UserErasure(
    Target target,
    List<String> names,
    Duration limit,
    MongoClient historyClient,
    MongoClient lastKnownLocationClient)
    implements ErasureSteps, AutoCloseable {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /**
   * More than one deletion, because a failed job may have sent a write that arrives after the
   * first.
   */
  private static final int DELETIONS = 5;

  private static final Duration BETWEEN_INSPECTIONS = Duration.ofSeconds(1);

  /**
   * The collections that hold users, and the erasure list.
   *
   * @param historyMongo server and database of History
   * @param lastKnownLocationMongo server and database of Last Known Location, the devices and the
   *     erasure list
   * @param devices collection with the presence of devices
   * @param ofUsers collections of stays, trips and alerts, in the database of History
   */
  public record Target(
      MongoOptions historyMongo,
      HistoryOptions history,
      MongoOptions lastKnownLocationMongo,
      LastKnownLocationOptions lastKnownLocation,
      PresenceCollection devices,
      List<UserResults> ofUsers,
      ErasureListOptions erasureList) {}

  /**
   * Connects to both databases.
   *
   * @param storedAs the user's stored name
   * @param plain the user's name in messages; the same if there are no pseudonyms
   * @param limit for each request to MongoDB
   */
  public static UserErasure connect(Target target, String storedAs, String plain, Duration limit)
      throws MongoAccessException {
    MongoClient history = connect(target.historyMongo(), limit);
    MongoClient lastKnownLocation;
    try {
      lastKnownLocation = connect(target.lastKnownLocationMongo(), limit);
    } catch (MongoAccessException | RuntimeException e) {
      history.close();
      throw e;
    }
    return new UserErasure(target, names(storedAs, plain), limit, history, lastKnownLocation);
  }

  private static MongoClient connect(MongoOptions mongo, Duration limit)
      throws MongoAccessException {
    return MongoClientFactory.connect(bounded(mongo, limit), 1);
  }

  private static MongoOptions bounded(MongoOptions mongo, Duration limit) {
    return mongo.withTimeouts(CONNECT_LIMIT, CONNECT_LIMIT, limit.plus(CONNECT_LIMIT));
  }

  /** Uses write concern majority, whatever the job's: a failover must not undo a deletion. */
  private MongoDatabase majority(MongoClient client, MongoOptions mongo) {
    return client
        .getDatabase(mongo.database())
        .withWriteConcern(
            WriteConcern.MAJORITY
                .withJournal(true)
                .withWTimeout(limit.toMillis(), TimeUnit.MILLISECONDS));
  }

  private MongoDatabase lastKnownLocationDatabase() {
    return majority(lastKnownLocationClient, target.lastKnownLocationMongo());
  }

  private StoredUser stored() {
    return stored(majority(historyClient, target.historyMongo()), lastKnownLocationDatabase());
  }

  private StoredUser stored(MongoDatabase history, MongoDatabase lastKnownLocation) {
    return new StoredUser(
        history,
        target.history().collectionPrefix(),
        lastKnownLocation,
        target.lastKnownLocation().collection(),
        target.devices().name(),
        target.ofUsers(),
        limit);
  }

  /**
   * Both names. Documents from before the job had a key may have the user's own id, and so may
   * records that wait in a savepoint's state. The list needs both, whether or not any are stored.
   */
  static List<String> names(String storedAs, String plain) {
    return plain.equals(storedAs) ? List.of(storedAs) : List.of(storedAs, plain);
  }

  /**
   * Returns the hashes of the user's names, as the erasure list has them; the stored name first.
   */
  @Override
  public List<UserHash> hashes() {
    return names.stream().map(UserHash::of).toList();
  }

  /** Returns the timestamp of the user's newest stored record; empty if there is none. */
  @Override
  public Optional<Instant> newest() {
    return stored().newest(names);
  }

  /**
   * Returns an instant later than any record that the job accepts now, and than all stored ones: an
   * earlier configuration may have accepted records further ahead.
   *
   * @param latestAccepted the latest timestamp that the job accepts now
   */
  @Override
  public Instant until(Instant latestAccepted) {
    return newest().filter(latestAccepted::isBefore).orElse(latestAccepted);
  }

  /** Adds all names of the user to the erasure list; returns the result that covers them all. */
  @Override
  public Added addToList(Instant until) {
    ErasureListCollection list =
        new ErasureListCollection(
            lastKnownLocationClient,
            target.lastKnownLocationMongo().database(),
            target.erasureList().collection(),
            limit);
    List<UserHash> hashes = hashes();
    Added all = list.add(hashes.get(0), until);
    for (UserHash hash : hashes.subList(1, hashes.size())) {
      Added one = list.add(hash, all.until());
      all = new Added(one.version(), one.until().isAfter(all.until()) ? one.until() : all.until());
    }
    return all;
  }

  /** Returns a new audit document, which is not yet written. */
  @Override
  public ErasureAudit audit() {
    return new ErasureAudit(
        lastKnownLocationDatabase()
            .getCollection(target.erasureList().auditCollection(), BsonDocument.class));
  }

  /** Returns how many documents of the user up to that instant are stored. */
  @Override
  public long count(Instant until) {
    return sum(stored(), until);
  }

  /**
   * Deletes the user's documents up to that instant, and returns their number by collection.
   *
   * @throws IOException if new ones appear after each deletion; names the collections
   */
  @Override
  public Map<String, Long> delete(Instant until) throws IOException {
    StoredUser stored = stored();
    Map<String, Long> deleted = new TreeMap<>();
    Map<String, Long> left = Map.of();
    for (int i = 0; i < DELETIONS; i++) {
      stored.delete(names, until).forEach((name, count) -> deleted.merge(name, count, Long::sum));
      left = stored.count(names, until);
      if (left.isEmpty()) {
        return deleted;
      }
    }
    throw new IOException(
        "after %d deletions %s still holds documents of the user: a job of another name may write there"
            .formatted(DELETIONS, String.join(", ", left.keySet())));
  }

  /**
   * Waits until no shard has documents of the user up to that instant. One inspection of a shard
   * counts both collections, because it may have been a donor of either.
   *
   * @param shardLimit for the wait until each shard has deleted the documents of chunks that were
   *     moved away
   * @param progress receives, at each inspection, a line about what is waited for
   * @throws IOException if documents are left or a shard does not answer at the time limit; names
   *     the shards
   */
  @Override
  public Orphans.Result awaitShards(Instant until, Duration shardLimit, Consumer<String> progress)
      throws IOException, InterruptedException {
    MongoOptions history = target.historyMongo();
    MongoOptions lastKnown = target.lastKnownLocationMongo();
    boolean shareDatabase = shareDatabase(history, lastKnown);
    try (ClusterShards ofHistory =
            ClusterShards.connect(
                historyClient,
                bounded(history, limit),
                shareDatabase ? "" : " (of history)",
                shard -> count(shard, until));
        ClusterShards ofLastKnown =
            shareDatabase
                ? ClusterShards.none()
                : ClusterShards.connect(
                    lastKnownLocationClient,
                    bounded(lastKnown, limit),
                    " (of last known location)",
                    shard -> count(shard, until))) {
      List<Shard> shards = new ArrayList<>(ofHistory.shards());
      shards.addAll(ofLastKnown.shards());
      Set<String> notSeen = new LinkedHashSet<>(ofHistory.notSeen());
      notSeen.addAll(ofLastKnown.notSeen());
      return new Orphans(
              InstantSource.system(),
              shardLimit,
              () -> Thread.sleep(BETWEEN_INSPECTIONS.toMillis()),
              progress)
          .await(shards, List.copyOf(notSeen));
    }
  }

  /** Returns whether one connection to each shard reaches both collections. */
  static boolean shareDatabase(MongoOptions one, MongoOptions other) {
    return one.uri().equals(other.uri()) && one.database().equals(other.database());
  }

  private long count(MongoDatabase shard, Instant until) {
    return sum(stored(shard, shard), until);
  }

  private long sum(StoredUser user, Instant until) {
    return user.count(names, until).values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void close() {
    lastKnownLocationClient.close();
    historyClient.close();
  }
}
