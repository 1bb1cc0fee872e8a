package io.lastfix.operate.access;

import io.lastfix.cluster.StackException;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.local.EndpointOverrides;
import io.lastfix.store.connect.MongoOptions;
import java.util.Optional;

/**
 * The clients' access to the servers: addresses, users and certificates, from the job's
 * configuration, the command line and the running stack. Empty if none of them has an address.
 *
 * @param mongo the server of History, and of Last Known Location unless that has its own
 * @param lastKnownLocationMongo the server of Last Known Location, if it has its own
 * @param flink the address of the cluster's REST interface
 */
public record ServerAccess(
    Optional<MongoOptions> mongo,
    Optional<MongoOptions> lastKnownLocationMongo,
    Optional<KafkaOptions> kafka,
    Optional<String> flink) {
  /**
   * Checks that the user's own servers answer.
   *
   * @throws StackException if one does not, with the reason and the remedy
   */
  public void requireAnswers(EndpointOverrides external) {
    if (external.mongoUri().isPresent()) {
      require(ServerCheck.mongo(mongo.orElseThrow()));
    }
    if (external.kafka().isPresent()) {
      require(ServerCheck.kafka(kafka.orElseThrow()));
    }
    external.flink().ifPresent(address -> require(ServerCheck.flink(address)));
  }

  private static void require(ServerCheck server) {
    server
        .within()
        .apply(ServerCheck.SHORT)
        .ifPresent(
            failure -> {
              throw new StackException(failure.detail());
            });
  }
}
