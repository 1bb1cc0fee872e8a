package io.lastfix.cli.command;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.lastfix.cli.EndpointOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.query.LocationQueries;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How the reading commands come to the database. */
public final class QueryAccess {
  private static final Duration SERVER_SELECTION_TIMEOUT = Duration.ofSeconds(10);

  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final JobSettings settings = new JobSettings();

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "After this the server gives a query up (default: ${DEFAULT-VALUE}).")
  private int timeLimitSeconds;

  /** An open connection. */
  record Session(MongoClient client, LocationQueries queries) implements AutoCloseable {
    @Override
    public void close() {
      client.close();
    }
  }

  Session open() {
    LocationJobConfig config = settings.load(Servers.resolve(endpoints), Servers.Kind.MONGO);
    return open(config, Duration.ofSeconds(timeLimitSeconds));
  }

  static Session open(LocationJobConfig config, Duration timeLimit) {
    MongoClient client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(config.mongo().uri()))
                .applyToClusterSettings(
                    cluster ->
                        cluster.serverSelectionTimeout(
                            SERVER_SELECTION_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS))
                .applicationName("lastfix-cli")
                .build());
    return new Session(
        client,
        new LocationQueries(
            client.getDatabase(config.mongo().database()),
            config.lastKnownLocation().collection(),
            config.history().collectionPrefix(),
            timeLimit));
  }
}
