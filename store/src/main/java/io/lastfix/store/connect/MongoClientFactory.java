package io.lastfix.store.connect;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCompressor;
import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ServerDescription;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Makes the driver's client of the options. Every wait for a server is bounded. */
public final class MongoClientFactory {
  /**
   * A question that every user may ask who has any right in the database, and nobody else: a {@code
   * ping} is answered before a user is known.
   */
  private static final BsonDocument ANYTHING_ALLOWED =
      new BsonDocument("listCollections", new BsonInt32(1))
          .append("nameOnly", BsonBoolean.TRUE)
          .append("authorizedCollections", BsonBoolean.TRUE)
          .append("filter", new BsonDocument("name", new BsonString("none")));

  private MongoClientFactory() {}

  /**
   * Connects in the background: does not wait for a server, and does not fail where there is none.
   *
   * <p>But a {@code mongodb+srv} URI is resolved here, in the caller's thread: it waits for the TXT
   * record of DNS, for as long as Java's DNS client does, and fails where DNS does. (The SRV record
   * is looked up in the background.) A {@code mongodb} URI is not resolved here.
   *
   * @param connections how many operations may be in flight
   * @throws com.mongodb.MongoException if a {@code mongodb+srv} URI cannot be resolved
   */
  public static MongoClient create(MongoOptions options, int connections) {
    return MongoClients.create(settings(options, connections));
  }

  /**
   * The same for the writes of both sinks: without the driver's retryable writes, whatever the URI
   * says. The server would keep a book of each statement, which costs a third of an update, so that
   * the driver may repeat it once. Every write of the sinks may be repeated as often as needed, and
   * the sink writer repeats it.
   *
   * @param connections how many operations may be in flight
   * @throws com.mongodb.MongoException if a {@code mongodb+srv} URI cannot be resolved
   */
  public static MongoClient createForSinks(MongoOptions options, int connections) {
    return MongoClients.create(sinkSettings(options, connections));
  }

  /**
   * Connects, and returns once the server has let us in.
   *
   * @param connections how many operations may be under way at once
   * @throws MongoAccessException if it doesn't let us in, or doesn't answer; it says what to do
   */
  public static MongoClient connect(MongoOptions options, int connections)
      throws MongoAccessException {
    MongoClient client;
    try {
      client = create(options, connections);
    } catch (MongoException e) {
      throw MongoAccessException.unreachable(options, e);
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

  /** The driver goes on looking for a server whatever is wrong with each: why each was not it. */
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
    long connectMillis = options.connectTimeout().toMillis();
    long selectionMillis = options.serverSelectionTimeout().toMillis();
    return MongoClientSettings.builder()
        .applyConnectionString(new ConnectionString(options.uri()))
        .applicationName(options.applicationName())
        .writeConcern(writeConcern(options))
        .compressorList(options.compressors().stream().map(MongoClientFactory::compressor).toList())
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
              // Whatever the URI says, and however it spells it.
              ssl.invalidHostNameAllowed(false);
              if (options.tls().isSet()) {
                ssl.context(options.tls().context());
              }
            })
        .build();
  }

  /** Half the read timeout: the server says that members are missing before we stop listening. */
  private static WriteConcern writeConcern(MongoOptions options) {
    String members = options.writeConcern();
    WriteConcern concern =
        members.chars().allMatch(Character::isDigit)
            ? new WriteConcern(Integer.parseInt(members))
            : new WriteConcern(members);
    return concern
        .withJournal(options.journaled())
        .withWTimeout(Math.max(1, options.readTimeout().toMillis() / 2), TimeUnit.MILLISECONDS);
  }

  private static MongoCompressor compressor(String name) {
    return switch (name) {
      case "zlib" -> MongoCompressor.createZlibCompressor();
      case "zstd" -> MongoCompressor.createZstdCompressor();
      case "snappy" -> MongoCompressor.createSnappyCompressor();
      default -> throw new IllegalArgumentException("compressors: unknown " + name);
    };
  }
}
