package io.lastfix.sink;

import com.mongodb.MongoException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.ReadPreference;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ServerDescription;
import java.time.Duration;
import java.util.Objects;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until writes that the primary has taken are on as many members as they have to be, without
 * writing them again: while replication lags, that would only give the other members more to fetch.
 *
 * <p>An update that matches nothing has the server wait for all that it has written so far, with
 * the same write concern. It needs no other right than the sink's own.
 *
 * <p>What the answer means depends on the primary. If it is in the same term as before the bulk,
 * the bulk is safe. After an election the new primary may lack it, and a router doesn't tell of the
 * elections of its shards: then the bulk is written once more, after the wait.
 */
final class WriteConcernWait {
  private static final Logger LOG = LoggerFactory.getLogger(WriteConcernWait.class);

  // Of https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
  private static final int WRITE_CONCERN_TIMEOUT = 64;

  /**
   * No document of ours has a boolean as its id, and the index on it tells so at once. A router
   * must send it to all shards, so it is no equality: Last Known Location is sharded on the hash of
   * the id. It is no contradiction either, such as less than MinKey: a router may send that to one.
   */
  static final BsonDocument NOTHING =
      new BsonDocument("_id", new BsonDocument("$lt", BsonBoolean.TRUE));

  /** Of an update that inserts nothing. */
  private static final BsonDocument NO_CHANGE =
      new BsonDocument("$setOnInsert", new BsonDocument("none", new BsonInt32(0)));

  private static final BsonDocument HELLO = new BsonDocument("hello", new BsonInt32(1));

  private final MongoClient client;
  private final MongoDatabase database;
  private final Duration limit;

  /**
   * @param limit after which to give up
   */
  WriteConcernWait(MongoClient client, MongoDatabase database, Duration limit) {
    this.client = client;
    this.database = database;
    this.limit = limit;
  }

  /** Whether it may help to wait: the members only took longer than the limit that was set. */
  static boolean isOver(WriteConcernError unmet) {
    return unmet.getCode() != WRITE_CONCERN_TIMEOUT;
  }

  /**
   * The term of the primary, as far as the client knows; it may be behind. To be asked for before a
   * bulk is written.
   *
   * @return null where there are no terms, or nobody tells
   */
  @Nullable ObjectId term() {
    return client.getClusterDescription().getServerDescriptions().stream()
        .filter(ServerDescription::isPrimary)
        .map(ServerDescription::getElectionId)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /**
   * Waits. Each question to the server is bounded by the write concern's own limit.
   *
   * @param collection with the write concern
   * @param term of before the writes
   * @param unmet the words for it
   * @throws BulkException if it is not met in time, or nobody can know whether it is
   * @throws MongoException if the server refuses or does not answer
   */
  void await(MongoCollection<BsonDocument> collection, @Nullable ObjectId term, String unmet)
      throws BulkException {
    LOG.warn(
        "Writes to collection {} are not on enough members yet, waiting for them: {}",
        collection.getNamespace().getCollectionName(),
        unmet);
    long began = System.nanoTime();
    while (!isMet(collection)) {
      if (System.nanoTime() - began >= limit.toNanos()) {
        throw BulkException.retryable(unmet, null);
      }
    }
    if (term == null || !term.equals(termNow())) {
      throw BulkException.retryable(
          unmet + "; it is met now, but the primary may be another one than before", null);
    }
  }

  private static boolean isMet(MongoCollection<BsonDocument> collection) {
    try {
      var unused = collection.updateMany(NOTHING, NO_CHANGE);
      return true;
    } catch (MongoWriteConcernException e) {
      if (isOver(e.getWriteConcernError())) {
        throw e;
      }
      return false;
    }
  }

  /** The primary's own word. */
  private @Nullable ObjectId termNow() {
    BsonDocument hello = database.runCommand(HELLO, ReadPreference.primary(), BsonDocument.class);
    return hello.isObjectId("electionId") ? hello.getObjectId("electionId").getValue() : null;
  }
}
