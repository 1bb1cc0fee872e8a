package io.lastfix.sink;

import com.mongodb.MongoException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.ReadPreference;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ServerDescription;
import io.lastfix.sink.BulkServer.BulkException;
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
 * Waits until the primary's writes are on as many members as the write concern requires, without
 * writing them again. While replication lags, another write would only give the other members more
 * to fetch.
 *
 * <p>An update that matches nothing, with the same write concern, makes the server wait for
 * everything it has written so far. It needs no other right than the sink's own.
 *
 * <p>The meaning of the answer depends on the primary. If its term is the same as before the bulk,
 * the bulk is safe. After an election the new primary may lack it, and a router does not report
 * elections of its shards. In these cases the bulk is written once more after the wait.
 *
 * @param limit time limit of the wait
 */
record WriteConcernWait(MongoClient client, MongoDatabase database, Duration limit) {
  private static final Logger LOG = LoggerFactory.getLogger(WriteConcernWait.class);

  // From https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
  private static final int WRITE_CONCERN_TIMEOUT = 64;

  /**
   * Matches no document: no id is a boolean, and the index on it shows that at once.
   *
   * <p>A router must send it to all shards. It is therefore no equality, since Last Known Location
   * is sharded on the hash of the id. It is no contradiction either, such as less than MinKey: a
   * router may send that to one shard only.
   */
  static final BsonDocument NOTHING =
      new BsonDocument("_id", new BsonDocument("$lt", BsonBoolean.TRUE));

  /** An update without effect, since it inserts nothing. */
  private static final BsonDocument NO_CHANGE =
      new BsonDocument("$setOnInsert", new BsonDocument("none", new BsonInt32(0)));

  private static final BsonDocument HELLO = new BsonDocument("hello", new BsonInt32(1));

  /**
   * Returns true if waiting cannot help: any error but the timeout, which means that the members
   * only took longer.
   */
  static boolean isOver(WriteConcernError unmet) {
    return unmet.getCode() != WRITE_CONCERN_TIMEOUT;
  }

  /**
   * Returns the primary's term as far as the client knows; it may be outdated. Call it before
   * writing a bulk.
   *
   * @return null if there are no terms, or the term is unknown
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
   * Waits. The write concern's own time limit bounds each command.
   *
   * @param collection collection with the write concern
   * @param term term before the writes
   * @param unmet message of the exception
   * @throws BulkException if the write concern is not met in time, or the primary may have changed
   * @throws MongoException if the server rejects a command or does not answer
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
          unmet + "; it is met now, but another member may have become primary", null);
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

  /** Returns the term that the primary itself reports. */
  private @Nullable ObjectId termNow() {
    BsonDocument hello = database.runCommand(HELLO, ReadPreference.primary(), BsonDocument.class);
    return hello.isObjectId("electionId") ? hello.getObjectId("electionId").getValue() : null;
  }
}
