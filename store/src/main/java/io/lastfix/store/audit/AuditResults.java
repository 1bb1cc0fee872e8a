package io.lastfix.store.audit;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
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
