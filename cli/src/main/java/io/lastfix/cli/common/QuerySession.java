package io.lastfix.cli.common;

import com.mongodb.client.MongoClient;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.erasure.UserNames;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.QueryOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Connections to the servers of both collections, made when they are first asked: one where they
 * are the same server, and none to a server that nobody asks.
 */
public final class QuerySession implements AutoCloseable {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /** One command, one thread; a second for what the driver asks beside. */
  private static final int CONNECTIONS = 2;

  private final LocationJobConfig config;
  private final QueryOptions options;
  private final Map<String, MongoClient> clientsByUri = new HashMap<>();

  public QuerySession(LocationJobConfig config, QueryOptions options) {
    this.config = config;
    this.options = options;
  }

  /** Where a device was over time. */
  public HistoryQueries history() throws MongoAccessException {
    MongoOptions mongo = config.historyMongo();
    return new HistoryQueries(
        connect(mongo).getDatabase(mongo.database()), config.history().collectionPrefix(), options);
  }

  /** Where a device was last seen. */
  public LastKnownLocationQueries lastKnownLocation() throws MongoAccessException {
    MongoOptions mongo = config.lastKnownLocationMongo();
    return new LastKnownLocationQueries(
        connect(mongo).getDatabase(mongo.database()),
        config.lastKnownLocation().collection(),
        options);
  }

  /** The name in both collections of a user as messages name him. */
  public String storedAs(String user) {
    return UserNames.of(config.pseudonymKey()).storedAs(user);
  }

  private MongoClient connect(MongoOptions mongo) throws MongoAccessException {
    MongoClient client = clientsByUri.get(mongo.uri());
    if (client == null) {
      client =
          MongoClientFactory.connect(
              mongo
                  .withApplicationName("lastfix-cli")
                  .withTimeouts(
                      CONNECT_LIMIT, CONNECT_LIMIT, options.timeLimit().plus(CONNECT_LIMIT)),
              CONNECTIONS);
      clientsByUri.put(mongo.uri(), client);
    }
    return client;
  }

  @Override
  public void close() {
    clientsByUri.values().forEach(MongoClient::close);
  }
}
