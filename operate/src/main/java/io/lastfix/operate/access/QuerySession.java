package io.lastfix.operate.access;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.alerts.AlertQueries;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.erasure.UserNames;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.PresenceQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.numbers.CountQueries;
import io.lastfix.store.query.numbers.LateQueries;
import io.lastfix.store.query.numbers.ResultQueries;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Connections to the servers of both collections, opened at the first query: one if both are on the
 * same server, and none to an unused server.
 */
public final class QuerySession implements AutoCloseable {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /** One for the command's thread, and one for the driver's own requests. */
  private static final int CONNECTIONS = 2;

  private final LocationJobConfig config;
  private final QueryOptions options;

  /** Concurrent, so that a session can be closed while another thread queries. */
  private final Map<String, MongoClient> clientsByUri = new ConcurrentHashMap<>();

  /** Makes a session that connects when it is first asked for queries. */
  public QuerySession(LocationJobConfig config, QueryOptions options) {
    this.config = config;
    this.options = options;
  }

  /** Of which the queries are. */
  public LocationJobConfig config() {
    return config;
  }

  /** Queries of a device's positions over time. */
  public HistoryQueries history() throws MongoAccessException {
    return new HistoryQueries(
        database(config.historyMongo()), config.history().collectionPrefix(), options);
  }

  /** Queries of devices' last known locations. */
  public LastKnownLocationQueries lastKnownLocation() throws MongoAccessException {
    return new LastKnownLocationQueries(
        database(config.lastKnownLocationMongo()),
        config.lastKnownLocation().collection(),
        options);
  }

  /** Queries of which devices are there. */
  public PresenceQueries presence() throws MongoAccessException {
    return new PresenceQueries(
        database(config.lastKnownLocationMongo()), config.devices().collection().name(), options);
  }

  /** Queries of how many records there were. */
  public CountQueries counts() throws MongoAccessException {
    return new CountQueries(
        database(config.historyMongo()),
        config.analytics().collections(NumberKind.COUNTS).collectionPrefix(),
        options);
  }

  /** Queries of density, flows, stays and trips. */
  public ResultQueries results() throws MongoAccessException {
    return new ResultQueries(
        database(config.historyMongo()), config.analytics()::collections, options);
  }

  /** Queries of alerts. */
  public AlertQueries alerts() throws MongoAccessException {
    return new AlertQueries(database(config.historyMongo()), config.rules().alerts(), options);
  }

  /** Queries of the records that came too late for the numbers. */
  public LateQueries late() throws MongoAccessException {
    return new LateQueries(database(config.historyMongo()), options);
  }

  /** The stored name, in both collections, of a user in messages. */
  public String storedAs(String user) {
    return UserNames.of(config.pseudonymKey()).storedAs(user);
  }

  private MongoDatabase database(MongoOptions mongo) throws MongoAccessException {
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
    return client.getDatabase(mongo.database());
  }

  @Override
  public void close() {
    clientsByUri.values().forEach(MongoClient::close);
  }
}
