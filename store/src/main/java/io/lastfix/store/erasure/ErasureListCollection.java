package io.lastfix.store.erasure;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonType;

/**
 * The erasure list in MongoDB. Each erased user has one document
 *
 * <pre>{_id: BinData(16 bytes, {@link UserHash}), until: Date}</pre>
 *
 * and {@code {_id: "version", version: NumberLong}} grows by one after each addition.
 *
 * <p>A writer stores the user first and the version after it, both with write concern majority. A
 * reader reads the version first and the users after it, both with read concern majority, in one
 * causally consistent session. The second result is therefore never older than the first, even from
 * another router or primary. A reader of version n thus has every addition up to n. The list is
 * small and always read as a whole, so it is never sharded.
 */
public final class ErasureListCollection implements ErasureList {
  private static final String UNTIL = "until";
  private static final String VERSION = "version";
  private static final BsonDocument VERSION_ID = new BsonDocument("_id", new BsonString(VERSION));
  private static final FindOneAndUpdateOptions UPSERT_AND_RETURN =
      new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);

  private static final ClientSessionOptions CAUSALLY_CONSISTENT =
      ClientSessionOptions.builder().causallyConsistent(true).build();

  private final MongoClient client;
  private final MongoCollection<BsonDocument> collection;
  private final long limitMillis;
  private final Runnable closing;

  /**
   * Accesses the list with the caller's client, which stays open.
   *
   * @param limit time limit of each query, enforced by the server
   */
  public ErasureListCollection(
      MongoClient client, String database, String collection, Duration limit) {
    this(client, database, collection, limit, () -> {});
  }

  private ErasureListCollection(
      MongoClient client, String database, String collection, Duration limit, Runnable closing) {
    this.client = client;
    this.closing = closing;
    this.limitMillis = limit.toMillis();
    this.collection =
        client
            .getDatabase(database)
            .getCollection(collection, BsonDocument.class)
            .withReadPreference(ReadPreference.primary())
            .withReadConcern(ReadConcern.MAJORITY)
            .withWriteConcern(
                WriteConcern.MAJORITY
                    .withJournal(true)
                    .withWTimeout(Math.max(1, limitMillis / 2), TimeUnit.MILLISECONDS));
  }

  /**
   * Connects with a client of its own, in the background, as {@link MongoClientFactory#create};
   * {@link #close} closes it.
   */
  public static ErasureList open(ErasureListOptions options) {
    MongoOptions mongo = options.mongo();
    MongoClient own = MongoClientFactory.create(mongo, 1);
    return new ErasureListCollection(
        own, mongo.database(), options.collection(), mongo.readTimeout(), own::close);
  }

  /** Closes the client of {@link #open}; leaves the caller's open. */
  @Override
  public void close() {
    closing.run();
  }

  /**
   * The result of an addition.
   *
   * @param version first version of the list that contains the user
   * @param until the job stores nothing of the user up to this timestamp; later than requested if
   *     an earlier erasure reached further
   */
  public record Added(long version, Instant until) {}

  /**
   * Adds a user, or moves the user's last erased timestamp forward. Repeating a call only increases
   * the list's version.
   *
   * @throws com.mongodb.MongoException if the server does not answer or rejects the write; a retry
   *     is safe
   */
  public Added add(UserHash user, Instant until) {
    BsonDocument entry =
        Objects.requireNonNull(
            collection.findOneAndUpdate(
                Filters.eq("_id", user.toBson()),
                Updates.max(UNTIL, new BsonDateTime(until.toEpochMilli())),
                UPSERT_AND_RETURN));
    BsonDocument version =
        Objects.requireNonNull(
            collection.findOneAndUpdate(VERSION_ID, Updates.inc(VERSION, 1L), UPSERT_AND_RETURN));
    return new Added(
        version.getInt64(VERSION).getValue(),
        Instant.ofEpochMilli(entry.getDateTime(UNTIL).getValue()));
  }

  /**
   * Returns the current version; {@link ErasedUsers#EMPTY_VERSION} if no user was ever added.
   *
   * @throws com.mongodb.MongoException if the server does not answer or rejects the query
   */
  @Override
  public long version() {
    return version(collection.find(VERSION_ID));
  }

  private long version(FindIterable<BsonDocument> query) {
    BsonDocument found = limited(query).first();
    return found == null ? ErasedUsers.EMPTY_VERSION : found.getInt64(VERSION).getValue();
  }

  /**
   * Reads the whole list.
   *
   * @throws com.mongodb.MongoException if the server does not answer or rejects the query
   * @throws IllegalStateException if a document does not have the format above
   */
  @Override
  public ErasedUsers read() {
    try (ClientSession session = client.startSession(CAUSALLY_CONSISTENT)) {
      return read(session);
    }
  }

  private ErasedUsers read(ClientSession session) {
    long version = version(collection.find(session, VERSION_ID));
    Map<UserHash, Long> untilMillisByUser = new HashMap<>();
    for (BsonDocument entry :
        limited(collection.find(session, Filters.type("_id", BsonType.BINARY)))) {
      try {
        untilMillisByUser.put(
            UserHash.of(entry.getBinary("_id")), entry.getDateTime(UNTIL).getValue());
      } catch (RuntimeException e) {
        throw new IllegalStateException(
            "A document of %s is not an entry of the erasure list (%s): correct or remove it"
                .formatted(collection.getNamespace(), e.getMessage()),
            e);
      }
    }
    return new ErasedUsers(version, untilMillisByUser);
  }

  private FindIterable<BsonDocument> limited(FindIterable<BsonDocument> found) {
    return found.maxTime(limitMillis, TimeUnit.MILLISECONDS);
  }
}
