package io.lastfix.store.erasure;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import io.lastfix.store.erasure.ErasureListCollection.Added;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;

/**
 * The audit document of an erasure: the operator, the erased user and the result. The command
 * writes it before it deletes anything, so an aborted attempt is on record too:
 *
 * <pre>
 * {_id: ObjectId, at: Date, by: "user@host", userHashes: [BinData], until: Date, version: NumberLong,
 *  deleted: {collection: NumberLong}, jobs: [id], waitedMillis: NumberLong, finished: Date}
 * </pre>
 *
 * <p>The second line is absent until documents were deleted. {@code finished} is absent if shards
 * may still have documents, or a step failed. {@code by} is the user and host that the machine
 * reports, and no proof.
 */
public final class ErasureAudit {
  private final MongoCollection<BsonDocument> collection;
  private final BsonObjectId id = new BsonObjectId();

  /**
   * @param collection the audit collection, with write concern majority
   */
  ErasureAudit(MongoCollection<BsonDocument> collection) {
    this.collection = collection;
  }

  public void begin(Instant at, List<UserHash> users, Added added) {
    var unused =
        collection.insertOne(
            new BsonDocument("_id", id)
                .append("at", date(at))
                .append("by", new BsonString(who()))
                .append("userHashes", new BsonArray(users.stream().map(UserHash::toBson).toList()))
                .append("until", date(added.until()))
                .append("version", new BsonInt64(added.version())));
  }

  /** Records the deletion before the wait for the shards, since the user may abort that wait. */
  public void deleted(Map<String, Long> deleted, List<String> jobs, Duration waited) {
    BsonDocument counts = new BsonDocument();
    deleted.forEach((name, count) -> counts.append(name, new BsonInt64(count)));
    var unused =
        collection.updateOne(
            Filters.eq("_id", id),
            new BsonDocument(
                "$set",
                new BsonDocument("deleted", counts)
                    .append("jobs", new BsonArray(jobs.stream().map(BsonString::new).toList()))
                    .append("waitedMillis", new BsonInt64(waited.toMillis()))));
  }

  public void finish(Instant at) {
    var unused =
        collection.updateOne(
            Filters.eq("_id", id),
            new BsonDocument("$set", new BsonDocument("finished", date(at))));
  }

  private static BsonDateTime date(Instant instant) {
    return new BsonDateTime(instant.toEpochMilli());
  }

  private static String who() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      // The machine's own name does not resolve. Its user is still worth recording.
      host = "unknown host";
    }
    return System.getProperty("user.name") + "@" + host;
  }
}
