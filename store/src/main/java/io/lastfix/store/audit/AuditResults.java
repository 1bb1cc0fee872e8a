package io.lastfix.store.audit;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.connect.ServerMessages;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/**
 * The last result of each job's audit. It is stored beside History, since the audit and the query
 * of a job's status may run on different machines.
 */
public final class AuditResults {
  /** The name of the collection. */
  public static final String COLLECTION = "audits";

  private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);
  private static final Duration KEEP_LIMIT = Duration.ofSeconds(10);

  private final MongoCollection<Document> collection;
  private final long limitMillis;

  /**
   * Accesses a database whose client the caller closes.
   *
   * @param limit of each operation
   */
  public AuditResults(MongoDatabase database, Duration limit) {
    this.limitMillis = limit.toMillis();
    this.collection =
        database
            .getCollection(COLLECTION)
            .withWriteConcern(
                WriteConcern.MAJORITY.withWTimeout(limitMillis, TimeUnit.MILLISECONDS));
  }

  /**
   * Keeps a result, with a client of its own. An audit needs no right to write; without it, the
   * console does not show the result.
   *
   * @return why it is not kept; empty if it is
   */
  public static Optional<String> tryKeep(MongoOptions server, AuditResult result) {
    MongoOptions mongo = server.withTimeouts(KEEP_LIMIT, KEEP_LIMIT, KEEP_LIMIT);
    try (MongoClient client = MongoClientFactory.create(mongo, 1)) {
      new AuditResults(client.getDatabase(mongo.database()), KEEP_LIMIT).keep(result);
      return Optional.empty();
    } catch (MongoException e) {
      return Optional.of(
          MongoAccessException.isUnauthorized(e)
              ? "the user of mongo.uri may not write the collection %s: grant it the role lastfixAudit, too"
                  .formatted(COLLECTION)
              : "MongoDB did not store it: "
                  + ServerMessages.withoutContents(String.valueOf(e.getMessage())));
    }
  }

  /**
   * Replaces the result of the job's audit before.
   *
   * @throws com.mongodb.MongoException if the server does not answer or refuses it
   */
  public void keep(AuditResult result) {
    var unused =
        collection.replaceOne(Filters.eq("_id", result.job()), result.toDocument(), UPSERT);
  }

  /**
   * Returns the result of a job's last audit; empty if none is kept.
   *
   * @throws com.mongodb.MongoException if the server does not answer or refuses it
   */
  public Optional<AuditResult> last(String job) {
    return Optional.ofNullable(
            collection
                .find(Filters.eq("_id", job))
                .maxTime(limitMillis, TimeUnit.MILLISECONDS)
                .first())
        .map(AuditResult::of);
  }
}
