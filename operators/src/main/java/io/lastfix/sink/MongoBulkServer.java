package io.lastfix.sink;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.WriteModel;
import io.lastfix.sink.BulkServer.BulkException;
import io.lastfix.sink.BulkServer.BulkResult;
import io.lastfix.sink.BulkServer.BulkResult.Kind;
import io.lastfix.sink.BulkServer.BulkResult.WriteFailure;
import io.lastfix.store.connect.ServerMessages;
import io.lastfix.store.connect.WriteErrorClassifier;
import io.lastfix.store.provision.ProvisionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Sends unordered bulks to MongoDB: a failed write does not stop the others, and a router sends to
 * all shards at once.
 *
 * <p>It classifies the errors of the writes one by one ({@link WriteErrorClassifier}). The meaning
 * of a duplicate key depends on the collection, see {@link DuplicateKeys}.
 */
final class MongoBulkServer<T> implements BulkServer<T> {
  /** The meaning of E11000 on {@code _id}. */
  enum DuplicateKeys {
    /** An insert whose document already exists: a replay. */
    ARE_STORED,
    /** An upsert that lost the race to insert and must now update. */
    LOST_A_RACE
  }

  private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

  private static final String INDEX = " index: ";

  private final MongoClient client;
  private final MongoDatabase database;
  private final CollectionProvisioner provisioner;
  private final Function<T, WriteModel<BsonDocument>> converter;
  private final DuplicateKeys duplicateKeys;
  private final WriteConcernWait concern;
  private final Function<T, List<WriteModel<BsonDocument>>> completions;

  /** Has one entry for each period seen. */
  private final Set<String> provisioned = ConcurrentHashMap.newKeySet();

  /**
   * @param client closed with this
   * @param converter a pure function, since several threads call it, and again for a retry
   * @param completions a pure function too: returns the writes that complete the stored document of
   *     a record
   * @param concernLimit how long to wait for the write concern of the writes
   */
  MongoBulkServer(
      MongoClient client,
      MongoDatabase database,
      CollectionProvisioner provisioner,
      Function<T, WriteModel<BsonDocument>> converter,
      DuplicateKeys duplicateKeys,
      Function<T, List<WriteModel<BsonDocument>>> completions,
      Duration concernLimit) {
    this.client = client;
    this.database = database;
    this.provisioner = provisioner;
    this.converter = converter;
    this.duplicateKeys = duplicateKeys;
    this.completions = completions;
    this.concern = new WriteConcernWait(client, database, concernLimit);
  }

  @Override
  public boolean isReady(String collection) {
    return provisioned.contains(collection) && !provisioner.mayBeGone(collection);
  }

  @Override
  public void prepare(String collection) throws BulkException {
    try {
      provisioner.provision(collection);
      provisioned.add(collection);
    } catch (MongoException e) {
      throw failed(e);
    } catch (ProvisionException e) {
      throw BulkException.fatal(e.getMessage(), null);
    }
  }

  @Override
  public BulkResult write(String collection, List<T> records) throws BulkException {
    List<WriteModel<BsonDocument>> writes = records.stream().map(converter).toList();
    MongoCollection<BsonDocument> target = database.getCollection(collection, BsonDocument.class);
    List<BulkWriteError> errors = new ArrayList<>();
    BulkResult result = send(target, writes, errors);
    if (result.duplicates() > 0 && !result.failsTheJob()) {
      complete(target, records, errors);
    }
    return result;
  }

  /**
   * Sends a bulk, and waits for its write concern.
   *
   * @param errors receives those of its writes
   */
  private BulkResult send(
      MongoCollection<BsonDocument> target,
      List<WriteModel<BsonDocument>> writes,
      List<BulkWriteError> errors)
      throws BulkException {
    ObjectId term = concern.term();
    try {
      return result(target.bulkWrite(writes, UNORDERED), writes.size(), 0, List.of());
    } catch (MongoBulkWriteException e) {
      errors.addAll(e.getWriteErrors());
      BulkResult result = someFailed(e, writes.size(), duplicateKeys);
      awaitConcern(target, term, e.getWriteConcernError(), result);
      return result;
    } catch (MongoException e) {
      throw failed(e);
    }
  }

  /**
   * The server does not report which writes lack the write concern, so this waits for all of them.
   */
  private void awaitConcern(
      MongoCollection<BsonDocument> target,
      @Nullable ObjectId term,
      @Nullable WriteConcernError unmet,
      BulkResult result)
      throws BulkException {
    if (unmet == null || result.failsTheJob()) {
      return;
    }
    try {
      concern.await(target, term, unmetWords(unmet));
    } catch (MongoException e) {
      throw failed(e);
    }
  }

  /**
   * Writes the fields that the documents of the duplicates may lack.
   *
   * @throws BulkException if this fails; it may be repeated with the whole bulk
   */
  private void complete(
      MongoCollection<BsonDocument> target, List<T> records, List<BulkWriteError> errors)
      throws BulkException {
    List<WriteModel<BsonDocument>> missing = new ArrayList<>();
    for (BulkWriteError error : errors) {
      if (isDuplicateId(error)) {
        missing.addAll(completions.apply(records.get(error.getIndex())));
      }
    }
    if (missing.isEmpty()) {
      return;
    }
    for (WriteFailure failure : send(target, missing, new ArrayList<>()).failures()) {
      throw failure.toException("completing a stored document");
    }
  }

  /** The server does not count deletions that found nothing: they are what is left. */
  private static BulkResult result(
      BulkWriteResult result, int writes, int duplicates, List<WriteFailure> failures) {
    int inserted = result.getInsertedCount() + result.getUpserts().size();
    int updated = result.getModifiedCount() + result.getDeletedCount();
    int stale = writes - inserted - updated - duplicates - failures.size();
    return new BulkResult(inserted, updated, stale, duplicates, failures);
  }

  /**
   * Returns the result of each write of a bulk that failed in part. The caller handles a write
   * concern that only takes longer.
   *
   * @param writes in the bulk
   * @throws BulkException if the write concern failed, waiting cannot help, and no write fails the
   *     job anyway
   */
  static BulkResult someFailed(MongoBulkWriteException e, int writes, DuplicateKeys duplicateKeys)
      throws BulkException {
    List<WriteFailure> failures = new ArrayList<>();
    int duplicates = 0;
    for (BulkWriteError error : e.getWriteErrors()) {
      boolean isDuplicate = isDuplicateId(error);
      if (isDuplicate && duplicateKeys == DuplicateKeys.ARE_STORED) {
        duplicates++;
      } else {
        failures.add(
            new WriteFailure(
                error.getIndex(),
                kind(error, isDuplicate),
                error.getCode(),
                ServerMessages.withoutContents(error.getMessage())));
      }
    }
    BulkResult result = result(e.getWriteResult(), writes, duplicates, failures);
    WriteConcernError unmet = e.getWriteConcernError();
    if (unmet != null && WriteConcernWait.isOver(unmet) && !result.failsTheJob()) {
      // The server does not report which writes lack the write concern: all are sent again.
      throw unmet(unmet);
    }
    return result;
  }

  private static Kind kind(BulkWriteError error, boolean isDuplicateId) {
    if (isDuplicateId) {
      return Kind.RETRY_AT_ONCE;
    }
    return WriteErrorClassifier.isTransient(error.getCode()) ? Kind.RETRY_LATER : Kind.FATAL;
  }

  /**
   * Returns true if the error concerns the index on {@code _id}. A unique index that a user added
   * on other fields must not make records vanish.
   *
   * <p>It parses the message, {@code E11000 duplicate key error collection: lastfix.history_2026_11
   * index: _id_ dup key: …}. The server sends the index's fields in {@code keyPattern}, beside
   * {@code errInfo}, but the driver (5.6) keeps only {@code errInfo}, which E11000 does not have.
   * The first {@code index:} counts, since values follow it and may contain any text. The name
   * {@code _id_} is reserved for the index on {@code _id}.
   */
  private static boolean isDuplicateId(BulkWriteError error) {
    String message = error.getMessage();
    int index = message.indexOf(INDEX);
    return error.getCode() == WriteErrorClassifier.DUPLICATE_KEY
        && index >= 0
        && message.startsWith("_id_ ", index + INDEX.length());
  }

  private static String unmetWords(WriteConcernError error) {
    return "write concern not met (code %d): %s"
        .formatted(error.getCode(), ServerMessages.withoutContents(error.getMessage()));
  }

  private static BulkException unmet(WriteConcernError error) {
    return new BulkException(
        WriteErrorClassifier.isWriteConcernTransient(error.getCode()), unmetWords(error), null);
  }

  /**
   * Sets the driver's exception as the cause only if its message is the driver's own: a server's
   * message may quote documents.
   */
  private static BulkException failed(MongoException e) {
    boolean isServers = e instanceof MongoServerException;
    String message =
        "%s (code %d): %s"
            .formatted(
                e.getClass().getSimpleName(),
                e.getCode(),
                isServers ? ServerMessages.withoutContents(e.getMessage()) : e.getMessage());
    return new BulkException(WriteErrorClassifier.isTransient(e), message, isServers ? null : e);
  }

  @Override
  public void close() {
    client.close();
  }

  /**
   * Ensures that a collection exists with its indexes before its first write. A collection created
   * by an insert has no indexes, and on a sharded cluster is not sharded.
   */
  interface CollectionProvisioner {
    /**
     * Applies the missing steps. Blocks. May be repeated for the same collection, and called by
     * several subtasks at once.
     *
     * @throws ProvisionException if the collection differs from its description, and only a person
     *     can change it
     * @throws com.mongodb.MongoException if the server rejects the command or does not answer
     */
    void provision(String collection) throws ProvisionException;

    /**
     * Returns true if the collection may have been dropped since, so that it must be inspected
     * again.
     */
    default boolean mayBeGone(String collection) {
      return false;
    }
  }
}
