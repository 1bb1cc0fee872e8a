package io.lastfix.store.erasure;

import com.mongodb.MongoException;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.erasure.ErasureListCollection.Added;
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
 *   <li>Removes the device of that name from the topics that keep the newest message of each.
 *   <li>Deletes the user's documents.
 *   <li>Checks that no document is left, also on the shards.
 * </ol>
 *
 * <p>Each step may fail; repeating the whole sequence is safe. If the device is not removed, the
 * others still run, the report names it, and the audit document stays without {@code finished}.
 *
 * @param writers those to wait for; empty: none runs, according to the user
 * @param publications what else the device of that name is removed from
 * @param neverReached the places outside of MongoDB that may hold the user, for the report
 * @param progress receives a line about what the erasure waits for
 */
public record Erasure(
    UserErasure.Target target,
    Optional<Writers> writers,
    Limits limits,
    Publications publications,
    List<String> neverReached,
    Consumer<String> progress) {
  /** The running jobs that write to the collections. */
  public interface Writers {
    /**
     * Checks that there are jobs to wait for, and that the wait can succeed.
     *
     * @throws IOException if not, with the reason
     */
    void requireReady() throws IOException;

    /**
     * Waits until no job stores records of the users on that version of the erasure list.
     *
     * @return the jobs that were waited for, by id
     * @throws IOException if the limit passes, naming the open steps
     */
    List<String> await(long version, Duration limit) throws IOException, InterruptedException;
  }

  /** The topics that keep the newest message of each device. */
  public interface Publications {
    /**
     * Removes a device.
     *
     * @return what is left of it, and why: a step that failed; empty if nothing is
     */
    Optional<String> remove(String device) throws InterruptedException;
  }

  /**
   * The limits of an erasure.
   *
   * @param maxAhead how far the timestamp of an accepted record may be ahead of the clock
   * @param step for the wait for the jobs, and for each request to MongoDB
   * @param shards for the wait until each shard has deleted the documents of chunks that were moved
   *     away
   */
  public record Limits(Duration maxAhead, Duration step, Duration shards) {}

  /**
   * Runs the erasure.
   *
   * @param storedAs the user's stored name
   * @param plain the user's name in messages; the same if there are no pseudonyms
   * @throws IOException naming the step that failed
   */
  public ErasureReport run(String storedAs, String plain) throws IOException, InterruptedException {
    try (UserErasure user = UserErasure.connect(target, storedAs, plain, limits.step())) {
      return run(user, plain);
    } catch (MongoAccessException | MongoException e) {
      throw failure("connecting", e);
    }
  }

  ErasureReport run(ErasureSteps user, String plain) throws IOException, InterruptedException {
    String step = "searching for running jobs";
    try {
      if (writers.isPresent()) {
        writers.get().requireReady();
      }

      step = "searching for the user's newest record";
      Instant began = Instant.now();
      Instant until = user.until(began.plus(limits.maxAhead()));

      step = "writing the erasure list";
      Added added = user.addToList(until);

      step = "writing the audit collection";
      ErasureAudit record = user.audit();
      record.begin(began, user.hashes(), added);

      step = "waiting for the running job";
      Instant waitBegan = Instant.now();
      List<String> waitedFor =
          writers.isPresent() ? writers.get().await(added.version(), limits.step()) : List.of();
      Duration waited = Duration.between(waitBegan, Instant.now());

      // Before the steps that take long: a device that lives on is published again once the last
      // erased timestamp has passed, and this would remove that, too.
      step = "removing the device from Kafka";
      Optional<String> published = publications.remove(plain);

      step = "counting the user's documents";
      long found = user.count(added.until());

      step = "deleting";
      Map<String, Long> deleted = user.delete(added.until());

      step = "writing the audit collection";
      record.deleted(deleted, waitedFor, waited);

      step = "waiting for the shards";
      Orphans.Result orphans = user.awaitShards(added.until(), limits.shards(), progress);

      step = "checking for records that arrived meanwhile";
      Optional<Instant> later = user.newest();

      if (orphans.isComplete() && published.isEmpty()) {
        step = "writing the audit collection";
        record.finish(Instant.now());
      }
      return new ErasureReport(
          plain,
          user.hashes().get(0).toString(),
          added.until(),
          found,
          deleted,
          waitedFor,
          waited.toMillis() / 1000.0,
          orphans.shards(),
          published.stream().toList(),
          notReached(orphans, later));
    } catch (IOException | MongoException e) {
      throw failure(step, e);
    }
  }

  private static IOException failure(String step, Exception cause) {
    return new IOException(
        "the user is not erased: failed while %s: %s. Running the command again is safe"
            .formatted(step, words(cause)),
        cause);
  }

  /** Omits the server's own text, which may quote documents. */
  private static String words(Exception failure) {
    return failure instanceof MongoException mongo
        ? "MongoDB refused, or did not answer (%s, code %d)"
            .formatted(mongo.getClass().getSimpleName(), mongo.getCode())
        : String.valueOf(failure.getMessage());
  }

  private List<String> notReached(Orphans.Result orphans, Optional<Instant> later) {
    List<String> places = new ArrayList<>();
    if (!orphans.notSeen().isEmpty()) {
      places.add(
          ("shards that were not inspected: %s. Chunks that were moved away from them may have"
                  + " left documents of the user there. MongoDB deletes these by %s, unless"
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
    places.addAll(neverReached);
    return places;
  }

  /**
   * The steps of an erasure in MongoDB, so that a test can run {@link Erasure} without a server.
   */
  interface ErasureSteps {
    List<UserHash> hashes();

    Instant until(Instant latestAccepted);

    Added addToList(Instant until);

    ErasureAudit audit();

    long count(Instant until);

    Map<String, Long> delete(Instant until) throws IOException;

    Orphans.Result awaitShards(Instant until, Duration shardLimit, Consumer<String> progress)
        throws IOException, InterruptedException;

    Optional<Instant> newest();
  }
}
