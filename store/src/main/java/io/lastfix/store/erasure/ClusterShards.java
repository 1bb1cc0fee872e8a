package io.lastfix.store.erasure;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.provision.Provisioner;
import io.lastfix.store.provision.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards of the cluster behind a router, each with a client of its own. The clients use the
 * user and the certificates of {@code mongo.uri}, since no others are configured. On a cluster with
 * access control the shards may reject that user; they are then listed as not inspected.
 */
final class ClusterShards implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterShards.class);

  // From https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
  private static final Set<Integer> REFUSALS = Set.of(13, 18);

  private static final String REFUSED = "it rejects the user of mongo.uri";

  private final List<ConnectedShard> shards = new ArrayList<>();
  private final List<String> notSeen = new ArrayList<>();

  /** Returns no shards, for a server that is not a cluster. */
  static ClusterShards none() {
    return new ClusterShards();
  }

  /**
   * Finds and connects the shards; none if the server is not a router.
   *
   * @param router a client of the router
   * @param options the options of that client
   * @param suffix appended to the shards' names, since another cluster may use the same names
   * @param count counts the documents in a shard's own database
   * @throws MongoException if the router does not list the shards for another reason than missing
   *     rights
   */
  static ClusterShards connect(
      MongoClient router,
      MongoOptions options,
      String suffix,
      ToLongFunction<MongoDatabase> count) {
    ClusterShards found = new ClusterShards();
    if (new Provisioner(router, options.database()).topology() != Topology.SHARDED_CLUSTER) {
      return found;
    }
    try {
      for (BsonDocument shard :
          router
              .getDatabase("config")
              .getCollection("shards", BsonDocument.class)
              .withReadPreference(ReadPreference.primary())
              .find()) {
        found.add(
            shard.getString("_id").getValue() + suffix,
            options.withUri(ShardUri.of(options.uri(), shard.getString("host").getValue())),
            count);
      }
    } catch (MongoException e) {
      if (!isRefused(e)) {
        found.close();
        throw e;
      }
      found.notSeen.add(
          "the list of shards%s (%s; grant the user the role lastfixSharding)"
              .formatted(suffix, words(e)));
    }
    return found;
  }

  private void add(String name, MongoOptions options, ToLongFunction<MongoDatabase> count) {
    try {
      MongoClient client = MongoClientFactory.connect(options, 1);
      shards.add(new ConnectedShard(name, client, client.getDatabase(options.database()), count));
    } catch (MongoAccessException | IllegalArgumentException e) {
      // The exception may quote a URI, so it is logged at debug level only.
      LOG.debug("No connection to shard {}", name, e);
      notSeen.add(
          "%s (%s)"
              .formatted(
                  name,
                  e instanceof MongoAccessException access && access.isRefused()
                      ? REFUSED
                      : "it cannot be reached from here"));
    }
  }

  /** Returns the shards that answered. */
  List<ConnectedShard> shards() {
    return shards;
  }

  /** Returns the shards that did not answer, each with the reason. */
  List<String> notSeen() {
    return notSeen;
  }

  /** Returns true if a retry cannot help: Unauthorized, AuthenticationFailed. */
  static boolean isRefused(MongoException failure) {
    return REFUSALS.contains(failure.getCode())
        || (failure instanceof MongoSecurityException
            && failure.getCause() instanceof MongoCommandException refusal
            && REFUSALS.contains(refusal.getCode()));
  }

  /** Leaves out the server's message, which may quote documents. */
  private static String words(MongoException failure) {
    return "%s, code %d".formatted(failure.getClass().getSimpleName(), failure.getCode());
  }

  @Override
  public void close() {
    shards.forEach(ConnectedShard::close);
  }

  /** One connected shard. */
  record ConnectedShard(
      String name,
      MongoClient client,
      MongoDatabase database,
      ToLongFunction<MongoDatabase> counter)
      implements Shard {
    @Override
    public long count() throws IOException {
      try {
        return counter.applyAsLong(database);
      } catch (MongoException e) {
        if (isRefused(e)) {
          throw new RefusedException(REFUSED, e);
        }
        throw new IOException("the count failed: " + words(e), e);
      }
    }

    /** Falls back to MongoDB's default, since not every user may read a server's parameters. */
    @Override
    public Duration orphanCleanupDelay() {
      try {
        BsonDocument parameter =
            client
                .getDatabase("admin")
                .runCommand(
                    new BsonDocument("getParameter", new BsonInt32(1))
                        .append("orphanCleanupDelaySecs", new BsonInt32(1)),
                    ReadPreference.primary(),
                    BsonDocument.class);
        return Duration.ofSeconds(parameter.getNumber("orphanCleanupDelaySecs").longValue());
      } catch (MongoException e) {
        LOG.debug("Shard {} does not return orphanCleanupDelaySecs", name, e);
        return Orphans.USUAL_DELAY;
      }
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
