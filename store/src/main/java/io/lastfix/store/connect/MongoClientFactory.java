package io.lastfix.store.connect;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.TransportSettings;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * Creates clients of MongoDB's driver from the options. Every wait for a server has a time limit.
 */
public final class MongoClientFactory {
  /**
   * A command that every user with any right in the database may run, and no other client. A {@code
   * ping} would not do: the server answers it before authentication.
   */
  private static final BsonDocument ANYTHING_ALLOWED =
      new BsonDocument("listCollections", new BsonInt32(1))
          .append("nameOnly", BsonBoolean.TRUE)
          .append("authorizedCollections", BsonBoolean.TRUE)
          .append("filter", new BsonDocument("name", new BsonString("none")));

  private MongoClientFactory() {}

  /**
   * Connects in the background: the method neither waits for a server nor fails if there is none.
   *
   * <p>It resolves a {@code mongodb+srv} URI in the caller's thread, though. It waits for DNS's TXT
   * record as long as Java's DNS client does, and fails if DNS fails. The driver queries the SRV
   * record in the background. A {@code mongodb} URI is not resolved here.
   *
   * @param connections maximum number of concurrent operations
   * @throws com.mongodb.MongoException if a {@code mongodb+srv} URI cannot be resolved
   */
  public static MongoClient create(MongoOptions options, int connections) {
    return MongoClients.create(settings(options, connections));
  }

  /**
   * Creates a client for the writes of both sinks. It differs from that of {@link #create}: it has
   * no retryable writes of the driver, even if the URI enables them. For retryable writes the
   * server records every statement, which costs a third of an update, and the driver retries once.
   * All writes of the sinks are idempotent, and the sink writer retries them itself.
   *
   * @param connections maximum number of concurrent operations
   * @throws com.mongodb.MongoException if a {@code mongodb+srv} URI cannot be resolved
   */
  public static MongoClient createForSinks(MongoOptions options, int connections) {
    return MongoClients.create(sinkSettings(options, connections));
  }

  /**
   * Connects, and returns once the server has accepted the user.
   *
   * @param connections maximum number of concurrent operations
   * @throws MongoAccessException if the server rejects the user or does not answer; says what to do
   */
  public static MongoClient connect(MongoOptions options, int connections)
      throws MongoAccessException {
    return connect(options, () -> settings(options, connections));
  }

  /**
   * Connects as {@link #connect(MongoOptions, int)} does, but by Netty, which the caller's class
   * path must have. An interrupt of a thread that waits for the server then ends its connection,
   * and with it what the server does for it. With Java's sockets it would have no effect.
   *
   * @param connections maximum number of concurrent operations
   * @throws MongoAccessException if the server rejects the user or does not answer; says what to do
   */
  public static MongoClient connectInterruptibly(MongoOptions options, int connections)
      throws MongoAccessException {
    return connect(
        options,
        () ->
            MongoClientSettings.builder(settings(options, connections))
                .transportSettings(TransportSettings.nettyBuilder().build())
                .build());
  }

  private static MongoClient connect(MongoOptions options, Supplier<MongoClientSettings> settings)
      throws MongoAccessException {
    MongoClient client;
    try {
      client = MongoClients.create(settings.get());
    } catch (MongoException e) {
      throw MongoAccessException.unreachable(options, e.getMessage(), e);
    }
    try {
      client.getDatabase(options.database()).runCommand(ANYTHING_ALLOWED, ReadPreference.nearest());
      return client;
    } catch (MongoException e) {
      MongoAccessException failure = MongoAccessException.of(options, e, reasons(client));
      client.close();
      throw failure;
    }
  }

  /**
   * Returns why the driver rejected each server. The driver itself keeps trying, whatever the
   * reason.
   */
  private static List<Throwable> reasons(MongoClient client) {
    return client.getClusterDescription().getServerDescriptions().stream()
        .map(ServerDescription::getException)
        .filter(Objects::nonNull)
        .toList();
  }

  public static MongoClientSettings sinkSettings(MongoOptions options, int connections) {
    return MongoClientSettings.builder(settings(options, connections)).retryWrites(false).build();
  }

  public static MongoClientSettings settings(MongoOptions options, int connections) {
    long readMillis = options.readTimeout().toMillis();
    long connectMillis = options.timeouts().connect().toMillis();
    long selectionMillis = options.timeouts().serverSelection().toMillis();
    return MongoClientSettings.builder()
        .applyConnectionString(new ConnectionString(options.uri()))
        .applicationName(options.applicationName())
        .writeConcern(writeConcern(options))
        .compressorList(List.of())
        .applyToClusterSettings(
            cluster -> cluster.serverSelectionTimeout(selectionMillis, TimeUnit.MILLISECONDS))
        .applyToConnectionPoolSettings(
            pool ->
                pool.minSize(0)
                    .maxSize(connections)
                    .maxWaitTime(selectionMillis, TimeUnit.MILLISECONDS))
        .applyToSocketSettings(
            socket ->
                socket
                    .connectTimeout(connectMillis, TimeUnit.MILLISECONDS)
                    .readTimeout(readMillis, TimeUnit.MILLISECONDS))
        .applyToSslSettings(
            ssl -> {
              // Overrides the URI, however it spells the option.
              ssl.invalidHostNameAllowed(false);
              if (options.tls().isSet()) {
                ssl.context(options.tls().context());
              }
            })
        .build();
  }

  /**
   * The server's time limit is half the read timeout, so that it reports missing members before the
   * client stops waiting.
   */
  private static WriteConcern writeConcern(MongoOptions options) {
    String members = options.writeConcern();
    WriteConcern concern =
        members.chars().allMatch(Character::isDigit)
            ? new WriteConcern(Integer.parseInt(members))
            : new WriteConcern(members);
    return concern
        .withJournal(true)
        .withWTimeout(Math.max(1, options.readTimeout().toMillis() / 2), TimeUnit.MILLISECONDS);
  }
}
