package io.lastfix.cli.forget;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.stack.poll.Poll;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.erasure.ClusterShards;
import io.lastfix.store.erasure.ErasureAudit;
import io.lastfix.store.erasure.ErasureListCollection;
import io.lastfix.store.erasure.ErasureListCollection.Added;
import io.lastfix.store.erasure.Orphans;
import io.lastfix.store.erasure.Shard;
import io.lastfix.store.erasure.StoredUser;
import io.lastfix.store.erasure.UserHash;
import io.lastfix.store.erasure.UserHasher;
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
 * Erases one user, in an order that leaves no document behind:
 *
 * <ol>
 *   <li>Adds the user to the erasure list.
 *   <li>Waits until the running jobs follow the list, and have stored the records that they had
 *       accepted before.
 *   <li>Deletes the user's documents.
 *   <li>Checks that no document is left.
 * </ol>
 *
 * <p>Each step may fail; repeating the whole sequence is safe.
 */
final class Erasure {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /**
   * More than one deletion, because a failed job may have sent a write that arrives after the
   * first.
   */
  private static final int DELETIONS = 5;

  private static final Duration BETWEEN_INSPECTIONS = Duration.ofSeconds(1);

  private final LocationJobConfig config;
  private final Optional<WritingJobs> jobs;
  private final Duration limit;
  private final Duration shardLimit;
  private final Consumer<String> progress;

  /**
   * @param jobs those to wait for; empty: none runs, according to the user
   * @param limit for the wait, and for each request to MongoDB
   * @param shardLimit for the wait until each shard has deleted the documents of chunks that were
   *     moved away
   * @param progress receives a line about what the command waits for
   */
  Erasure(
      LocationJobConfig config,
      Optional<WritingJobs> jobs,
      Duration limit,
      Duration shardLimit,
      Consumer<String> progress) {
    this.config = config;
    this.jobs = jobs;
    this.limit = limit;
    this.shardLimit = shardLimit;
    this.progress = progress;
  }

  /**
   * Runs the erasure.
   *
   * @param storedAs the user's stored name
   * @param plain the user's name in messages; the same if there are no pseudonyms
   * @throws IOException naming the step that failed
   */
  ErasureReport run(String storedAs, String plain) throws IOException, InterruptedException {
    String step = "connecting";
    try (MongoClient historyClient = connect(config.historyMongo());
        MongoClient lastKnownLocationClient = connect(config.lastKnownLocationMongo())) {
      MongoDatabase lastKnownLocation =
          majority(lastKnownLocationClient, config.lastKnownLocationMongo());
      StoredUser stored =
          new StoredUser(
              majority(historyClient, config.historyMongo()),
              config.history().collectionPrefix(),
              lastKnownLocation,
              config.lastKnownLocation().collection(),
              limit);

      step = "searching for running jobs";
      if (jobs.isPresent()) {
        jobs.get().requireAny();
        jobs.get().requireNoHistoryJob();
      }

      step = "searching for the user's newest record";
      Instant began = Instant.now();
      List<String> names = names(storedAs, plain);
      Instant until = until(began, stored.newest(names));

      step = "writing the erasure list";
      UserHasher hasher = new UserHasher();
      List<UserHash> hashes = names.stream().map(hasher::hash).toList();
      Added added =
          addAll(
              new ErasureListCollection(
                  lastKnownLocationClient,
                  config.lastKnownLocationMongo().database(),
                  config.erasureList().collection(),
                  limit),
              hashes,
              until);

      step = "writing the audit collection";
      ErasureAudit record =
          new ErasureAudit(
              lastKnownLocation.getCollection(
                  config.erasureList().auditCollection(), BsonDocument.class));
      record.begin(began, hashes, added);

      step = "waiting for the running job";
      Instant waitBegan = Instant.now();
      List<String> waitedFor = awaitJobs(added.version(), new Poll(WritingJobs.POLL, limit));
      Duration waited = Duration.between(waitBegan, Instant.now());

      step = "deleting";
      Map<String, Long> deleted = delete(stored, names, added.until());

      step = "writing the audit collection";
      record.deleted(deleted, waitedFor, waited);

      step = "waiting for the shards";
      Orphans.Result orphans =
          awaitShards(historyClient, lastKnownLocationClient, names, added.until());

      step = "checking for records that arrived meanwhile";
      Optional<Instant> later = stored.newest(names);

      if (orphans.isComplete()) {
        step = "writing the audit collection";
        record.finish(Instant.now());
      }
      return new ErasureReport(
          hashes.get(0).toString(),
          added.until(),
          deleted,
          waitedFor,
          waited.toMillis() / 1000.0,
          orphans.shards(),
          notReached(orphans, later));
    } catch (IOException | MongoException e) {
      throw new IOException(
          "the user is not erased: failed while %s: %s. Running the command again is safe"
              .formatted(step, words(e)),
          e);
    }
  }

  /** Omits the server's own text, which may quote documents. */
  private static String words(Exception failure) {
    return failure instanceof MongoException mongo
        ? "MongoDB refused, or did not answer (%s, code %d)"
            .formatted(mongo.getClass().getSimpleName(), mongo.getCode())
        : String.valueOf(failure.getMessage());
  }

  private MongoClient connect(MongoOptions mongo) throws IOException {
    return MongoClientFactory.connect(bounded(mongo), 1);
  }

  private MongoOptions bounded(MongoOptions mongo) {
    return mongo
        .withApplicationName("lastfix-forget")
        .withTimeouts(CONNECT_LIMIT, CONNECT_LIMIT, limit.plus(CONNECT_LIMIT));
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

  /**
   * Both names. Documents from before the job had a key may have the user's own id, and so may
   * records that wait in a savepoint's state. The list needs both, whether or not any are stored.
   */
  static List<String> names(String storedAs, String plain) {
    return plain.equals(storedAs) ? List.of(storedAs) : List.of(storedAs, plain);
  }

  private static Added addAll(ErasureListCollection list, List<UserHash> hashes, Instant until) {
    Added all = list.add(hashes.get(0), until);
    for (UserHash hash : hashes.subList(1, hashes.size())) {
      Added one = list.add(hash, all.until());
      all = new Added(one.version(), one.until().isAfter(all.until()) ? one.until() : all.until());
    }
    return all;
  }

  private List<String> awaitJobs(long version, Poll poll) throws IOException, InterruptedException {
    if (jobs.isEmpty()) {
      return List.of();
    }
    List<String> running = jobs.get().running();
    for (String job : running) {
      jobs.get().await(job, version, poll);
    }
    // A rebuild that began meanwhile has read the list with the user in it.
    jobs.get().requireNoHistoryJob();
    return running;
  }

  /**
   * One inspection of a shard counts both collections, because it may have been a donor of either.
   */
  private Orphans.Result awaitShards(
      MongoClient historyClient,
      MongoClient lastKnownLocationClient,
      List<String> names,
      Instant until)
      throws IOException, InterruptedException {
    MongoOptions history = config.historyMongo();
    MongoOptions lastKnown = config.lastKnownLocationMongo();
    boolean shareDatabase = shareDatabase(history, lastKnown);
    try (ClusterShards ofHistory =
            ClusterShards.connect(
                historyClient,
                bounded(history),
                shareDatabase ? "" : " (of history)",
                shard -> count(shard, names, until));
        ClusterShards ofLastKnown =
            shareDatabase
                ? ClusterShards.none()
                : ClusterShards.connect(
                    lastKnownLocationClient,
                    bounded(lastKnown),
                    " (of last known location)",
                    shard -> count(shard, names, until))) {
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

  private long count(MongoDatabase shard, List<String> names, Instant until) {
    return new StoredUser(
            shard,
            config.history().collectionPrefix(),
            shard,
            config.lastKnownLocation().collection(),
            limit)
        .count(names, until).values().stream().mapToLong(Long::longValue).sum();
  }

  private static Map<String, Long> delete(StoredUser stored, List<String> names, Instant until)
      throws IOException {
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
   * An instant later than any record that the job accepts now, and than all stored ones: an earlier
   * configuration may have accepted records further ahead.
   */
  private Instant until(Instant began, Optional<Instant> newest) {
    Instant latest = began.plus(config.parse().timestampLimits().maxAhead());
    return newest.filter(latest::isBefore).orElse(latest);
  }

  private List<String> notReached(Orphans.Result orphans, Optional<Instant> later) {
    List<String> topics = new ArrayList<>(config.kafka().locationTopics(config.profileNames()));
    topics.add(config.kafka().rejectedTopic());
    List<String> places = new ArrayList<>();
    if (!orphans.notSeen().isEmpty()) {
      places.add(
          ("shards that were not inspected: %s; chunks that were moved away from them may have"
                  + " left documents of the user there; MongoDB deletes these by %s, unless"
                  + " orphanCleanupDelaySecs is set to more than %d s")
              .formatted(
                  String.join(", ", orphans.notSeen()),
                  orphans.until(),
                  Orphans.USUAL_DELAY.toSeconds()));
    }
    later.ifPresent(
        newest ->
            places.add(
                "records that arrived meanwhile, up to %s: run this again when the source no longer sends the user"
                    .formatted(newest)));
    places.addAll(usuallyNotReached(topics));
    return places;
  }

  private List<String> usuallyNotReached(List<String> topics) {
    return List.of(
        "Kafka's topics, until their retention ends: " + String.join(", ", topics),
        "the job's earlier checkpoints and savepoints; a job restored from them does not store"
            + " the user's records again",
        "backups of MongoDB; after a restore, run this again",
        "records that are read again after privacy.pseudonym-key was set, changed or removed:"
            + " the erasure list may lack the user's new name; run this again then, before the"
            + " job starts",
        "other jobs that write to the same collections under another name than " + config.name());
  }
}
