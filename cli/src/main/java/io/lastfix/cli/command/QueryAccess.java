package io.lastfix.cli.command;

import com.mongodb.client.MongoClient;
import io.lastfix.cli.EndpointOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.query.LocationQueries;
import io.lastfix.sink.MongoAccessException;
import io.lastfix.sink.MongoClientFactory;
import io.lastfix.sink.MongoOptions;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How the reading commands come to the database. */
public final class QueryAccess {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /** One command, one thread; a second for what the driver asks beside. */
  private static final int CONNECTIONS = 2;

  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final JobSettings settings = new JobSettings();

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "After this the server gives a query up (default: ${DEFAULT-VALUE}).")
  private int timeLimitSeconds;

  /** Open connections; both may be the same. */
  record Session(
      MongoClient historyClient, MongoClient lastKnownLocationClient, LocationQueries queries)
      implements AutoCloseable {
    @Override
    public void close() {
      historyClient.close();
      if (lastKnownLocationClient != historyClient) {
        lastKnownLocationClient.close();
      }
    }
  }

  Session open() throws MongoAccessException {
    LocationJobConfig config = settings.load(Servers.resolve(endpoints), Servers.Kind.MONGO);
    return open(config, Duration.ofSeconds(timeLimitSeconds));
  }

  static Session open(LocationJobConfig config, Duration timeLimit) throws MongoAccessException {
    MongoOptions history = config.historyMongo();
    MongoOptions lastKnownLocation = config.lastKnownLocationMongo();
    MongoClient historyClient = connect(history, timeLimit);
    MongoClient lastKnownLocationClient;
    try {
      lastKnownLocationClient =
          lastKnownLocation.uri().equals(history.uri())
              ? historyClient
              : connect(lastKnownLocation, timeLimit);
    } catch (MongoAccessException e) {
      historyClient.close();
      throw e;
    }
    return new Session(
        historyClient,
        lastKnownLocationClient,
        new LocationQueries(
            historyClient.getDatabase(history.database()),
            lastKnownLocationClient.getDatabase(lastKnownLocation.database()),
            config.lastKnownLocation().collection(),
            config.history().collectionPrefix(),
            timeLimit));
  }

  private static MongoClient connect(MongoOptions mongo, Duration timeLimit)
      throws MongoAccessException {
    return MongoClientFactory.connect(
        mongo
            .withApplicationName("lastfix-cli")
            .withTimeouts(CONNECT_LIMIT, CONNECT_LIMIT, timeLimit.plus(CONNECT_LIMIT)),
        CONNECTIONS);
  }
}
