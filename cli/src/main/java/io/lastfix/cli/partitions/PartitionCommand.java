package io.lastfix.cli.partitions;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.Servers;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryPartitions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Mixin;

/** The base class of the commands on partitions. */
abstract class PartitionCommand extends JsonCommand {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /** Creating a partition on a cluster, or dropping a large one, may take a while. */
  private static final Duration READ_LIMIT = Duration.ofMinutes(5);

  @Mixin private final AccessOptions options = new AccessOptions();

  /**
   * The server, partitions and time of a command.
   *
   * @param client connected to History's server
   * @param partitions those of the configuration
   */
  record Session(
      LocationJobConfig config, MongoClient client, HistoryPartitions partitions, Instant now) {
    String database() {
      return config.historyMongo().database();
    }
  }

  /** Rejects invalid options before any server is queried. */
  void check() {}

  /** Executes the command, and prints its result. */
  abstract void run(Session session) throws Exception;

  @Override
  public final Integer call() throws Exception {
    check();
    LocationJobConfig config = options.load(Servers.Kind.MONGO);
    MongoOptions mongo =
        config
            .historyMongo()
            .withApplicationName("lastfix-partitions")
            .withTimeouts(CONNECT_LIMIT, CONNECT_LIMIT, READ_LIMIT);
    try (MongoClient client = MongoClientFactory.connect(mongo, 1)) {
      run(
          new Session(
              config,
              client,
              new HistoryPartitions(client, mongo.database(), config.history()),
              Instant.now()));
      return 0;
    } catch (MongoCommandException e) {
      if (!MongoAccessException.isUnauthorized(e)) {
        throw e;
      }
      throw new IOException(
          ("MongoDB does not allow this user to do that in database %s: of the roles of"
                  + " config/mongodb, lastfixReader may list and show statistics, lastfixJob may"
                  + " create, lastfixJob with lastfixRetention may drop, with lastfixReader also numbers")
              .formatted(mongo.database()),
          e);
    }
  }
}
