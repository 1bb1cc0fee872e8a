package io.lastfix.cli.forget;

import com.mongodb.MongoException;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.stack.poll.Poll;
import io.lastfix.store.erasure.ErasureAudit;
import io.lastfix.store.erasure.ErasureListCollection.Added;
import io.lastfix.store.erasure.Orphans;
import io.lastfix.store.erasure.UserErasure;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

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
  private static final String APPLICATION_NAME = "lastfix-forget";

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
    try (UserErasure user = UserErasure.connect(target(), storedAs, plain, limit)) {
      step = "searching for running jobs";
      if (jobs.isPresent()) {
        jobs.get().requireAny();
        jobs.get().requireNoHistoryJob();
      }

      step = "searching for the user's newest record";
      Instant began = Instant.now();
      Instant until = user.until(began.plus(config.parse().timestampLimits().maxAhead()));

      step = "writing the erasure list";
      Added added = user.addToList(until);

      step = "writing the audit collection";
      ErasureAudit record = user.audit();
      record.begin(began, user.hashes(), added);

      step = "waiting for the running job";
      Instant waitBegan = Instant.now();
      List<String> waitedFor = awaitJobs(added.version(), new Poll(WritingJobs.POLL, limit));
      Duration waited = Duration.between(waitBegan, Instant.now());

      step = "deleting";
      Map<String, Long> deleted = user.delete(added.until());

      step = "writing the audit collection";
      record.deleted(deleted, waitedFor, waited);

      step = "waiting for the shards";
      Orphans.Result orphans = user.awaitShards(added.until(), shardLimit, progress);

      step = "checking for records that arrived meanwhile";
      Optional<Instant> later = user.newest();

      if (orphans.isComplete()) {
        step = "writing the audit collection";
        record.finish(Instant.now());
      }
      return new ErasureReport(
          user.hashes().get(0).toString(),
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

  private UserErasure.Target target() {
    return new UserErasure.Target(
        config.historyMongo().withApplicationName(APPLICATION_NAME),
        config.history(),
        config.lastKnownLocationMongo().withApplicationName(APPLICATION_NAME),
        config.lastKnownLocation(),
        config.erasureList());
  }

  /** Omits the server's own text, which may quote documents. */
  private static String words(Exception failure) {
    return failure instanceof MongoException mongo
        ? "MongoDB refused, or did not answer (%s, code %d)"
            .formatted(mongo.getClass().getSimpleName(), mongo.getCode())
        : String.valueOf(failure.getMessage());
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

  private List<String> notReached(Orphans.Result orphans, Optional<Instant> later) {
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
    places.addAll(usuallyNotReached());
    return places;
  }

  /** All location topics, since the job may read more profiles than this configuration names. */
  private List<String> usuallyNotReached() {
    return List.of(
        "Kafka's topics, until their retention ends: all whose names begin with %s, and %s"
            .formatted(config.kafka().locationTopicPrefix(), config.kafka().rejectedTopic()),
        "the job's earlier checkpoints and savepoints; a job restored from them does not store"
            + " the user's records again",
        "backups of MongoDB; after a restore, run this again",
        "records that are read again after privacy.pseudonym-key was set, changed or removed:"
            + " the erasure list may lack the user's new name; run this again then, before the"
            + " job starts",
        "other jobs that write to the same collections under another name than " + config.name());
  }
}
