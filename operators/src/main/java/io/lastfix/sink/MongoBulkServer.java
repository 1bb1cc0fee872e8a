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
import io.lastfix.sink.BulkResult.Kind;
import io.lastfix.sink.BulkResult.WriteFailure;
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
 * Sends bulks to MongoDB, unordered: a write that fails stops no other, and a router sends to all
 * shards at once.
 *
 * <p>Reads the errors of the writes one by one ({@link WriteErrorClassifier}). What a duplicate key
 * means depends on the collection, see {@link DuplicateKeys}.
 */
final class MongoBulkServer<T> implements BulkServer<T> {
  /** What E11000 on {@code _id} means. */
  enum DuplicateKeys {
    /** An insert whose document is there already: a replay. */
    ARE_STORED,
    /** An upsert that lost the race to insert, and must now update. */
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
  private final Function<T, @Nullable WriteModel<BsonDocument>> completion;

  /** One entry for each period seen. */
  private final Set<String> provisioned = ConcurrentHashMap.newKeySet();

  /**
   * @param client closed with this
   * @param converter pure, since it is called by several threads, and again for a retry
   * @param completion pure, too: what is to be written of a record whose document is stored
   *     already, or null
   * @param concernLimit how long to wait for the write concern of what is written
   */
  MongoBulkServer(
      MongoClient client,
      MongoDatabase database,
      CollectionProvisioner provisioner,
      Function<T, WriteModel<BsonDocument>> converter,
      DuplicateKeys duplicateKeys,
      Function<T, @Nullable WriteModel<BsonDocument>> completion,
      Duration concernLimit) {
    this.client = client;
    this.database = database;
    this.provisioner = provisioner;
    this.converter = converter;
    this.duplicateKeys = duplicateKeys;
    this.completion = completion;
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
    List<WriteModel<BsonDocument>> writes = new ArrayList<>(records.size());
    for (T record : records) {
      writes.add(converter.apply(record));
    }
    MongoCollection<BsonDocument> target = database.getCollection(collection, BsonDocument.class);
    ObjectId term = concern.term();
    try {
      return result(target.bulkWrite(writes, UNORDERED), 0, List.of());
    } catch (MongoBulkWriteException e) {
      BulkResult result = someFailed(e, duplicateKeys);
      awaitConcern(target, term, e.getWriteConcernError(), result);
      if (result.duplicates() > 0 && !result.failsTheJob()) {
        complete(target, records, e.getWriteErrors());
      }
      return result;
    } catch (MongoException e) {
      throw failed(e);
    }
  }

  /** Which of the writes are not safe yet, nobody says: it is waited for all of them. */
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
   * Writes what the documents of the duplicates may lack.
   *
   * @throws BulkException if it cannot; as the whole bulk may be repeated, so may this
   */
  private void complete(
      MongoCollection<BsonDocument> target, List<T> records, List<BulkWriteError> errors)
      throws BulkException {
    List<WriteModel<BsonDocument>> completions = new ArrayList<>();
    for (BulkWriteError error : errors) {
      WriteModel<BsonDocument> missing =
          isDuplicateId(error) ? completion.apply(records.get(error.getIndex())) : null;
      if (missing != null) {
        completions.add(missing);
      }
    }
    if (completions.isEmpty()) {
      return;
    }
    ObjectId term = concern.term();
    try {
      var unused = target.bulkWrite(completions, UNORDERED);
    } catch (MongoBulkWriteException e) {
      BulkResult result = someFailed(e, duplicateKeys);
      awaitConcern(target, term, e.getWriteConcernError(), result);
      for (WriteFailure failure : result.failures()) {
        String message =
            "completing a stored document failed (code %d): %s"
                .formatted(failure.code(), failure.message());
        throw failure.kind() == Kind.FATAL
            ? BulkException.fatal(message, null)
            : BulkException.retryable(message, null);
      }
    } catch (MongoException e) {
      throw failed(e);
    }
  }

  private static BulkResult result(
      BulkWriteResult result, int duplicates, List<WriteFailure> failures) {
    return new BulkResult(
        result.getInsertedCount() + result.getUpserts().size(),
        result.getModifiedCount(),
        result.getMatchedCount() - result.getModifiedCount(),
        duplicates,
        failures);
  }

  /**
   * What became of each write of a bulk of which some failed. A write concern that only takes
   * longer is left to the caller.
   *
   * @throws BulkException if the write concern was not met and it is no use to wait for it, and no
   *     write fails the job anyway
   */
  static BulkResult someFailed(MongoBulkWriteException e, DuplicateKeys duplicateKeys)
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
    BulkResult result = result(e.getWriteResult(), duplicates, failures);
    WriteConcernError unmet = e.getWriteConcernError();
    if (unmet != null && WriteConcernWait.isOver(unmet) && !result.failsTheJob()) {
      // Which of the writes are not safe yet, nobody says: all are sent again.
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
   * A unique index that somebody added, on other fields, must not make records vanish.
   *
   * <p>Read from the message, {@code E11000 duplicate key error collection: lastfix.history_2026_11
   * index: _id_ dup key: …}: the server sends the index's fields in {@code keyPattern}, beside
   * {@code errInfo}, but the driver (5.6) keeps {@code errInfo} alone, which E11000 doesn't have.
   * The first {@code index:} counts, since values follow it and may say anything; the name {@code
   * _id_} is reserved for the index on {@code _id}.
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
    String message = unmetWords(error);
    return WriteErrorClassifier.isWriteConcernTransient(error.getCode())
        ? BulkException.retryable(message, null)
        : BulkException.fatal(message, null);
  }

  /**
   * The driver's exception goes along as the cause only where it is the driver's own words: a
   * server's answer may quote documents.
   */
  private static BulkException failed(MongoException e) {
    boolean isServers = e instanceof MongoServerException;
    String message =
        "%s (code %d): %s"
            .formatted(
                e.getClass().getSimpleName(),
                e.getCode(),
                isServers ? ServerMessages.withoutContents(e.getMessage()) : e.getMessage());
    MongoException cause = isServers ? null : e;
    return WriteErrorClassifier.isTransient(e)
        ? BulkException.retryable(message, cause)
        : BulkException.fatal(message, cause);
  }

  @Override
  public void close() {
    client.close();
  }
}
