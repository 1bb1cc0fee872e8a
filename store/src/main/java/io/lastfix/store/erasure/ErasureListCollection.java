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
 * The list of the forgotten in MongoDB: for each of them
 *
 * <pre>{_id: BinData(16 bytes, {@link UserHash}), until: Date}</pre>
 *
 * and {@code {_id: "version", version: NumberLong}}, which grows by one after each addition.
 *
 * <p>Who adds writes the user first and the version after it, both to the majority; who reads reads
 * the version first and the users after it, both from what the majority has, in one causally
 * consistent session: the second answer, though it may come by another router or from another
 * primary, is not from before the first. So whoever has read the list of version n has all that was
 * added up to n. Small and asked for as a whole, it is never sharded.
 */
public final class ErasureListCollection {
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

  /**
   * A list over a client that the caller closes.
   *
   * @param limit for each question, which the server enforces
   */
  public ErasureListCollection(
      MongoClient client, String database, String collection, Duration limit) {
    this.client = client;
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
   * What was added.
   *
   * @param version from which the user is in the list
   * @param until up to here nothing of the user is stored; later than asked for, if it was later
   *     already
   */
  public record Added(long version, Instant until) {}

  /**
   * Adds a user, or moves the last forgotten moment on. Once more adds nothing, but gives the list
   * another version.
   *
   * @throws com.mongodb.MongoException if the server does not answer, or refuses; running it again
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
   * The version now; {@link ErasedUsers#EMPTY_VERSION} where nobody was ever added.
   *
   * @throws com.mongodb.MongoException if the server does not answer, or refuses
   */
  public long version() {
    return version(collection.find(VERSION_ID));
  }

  private long version(FindIterable<BsonDocument> asked) {
    BsonDocument found = limited(asked).first();
    return found == null ? ErasedUsers.EMPTY_VERSION : found.getInt64(VERSION).getValue();
  }

  /**
   * All of the list.
   *
   * @throws com.mongodb.MongoException if the server does not answer, or refuses
   * @throws IllegalStateException if a document of it has not the shape above
   */
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
            "A document of %s is none of the list of the forgotten (%s): mend or remove it"
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
