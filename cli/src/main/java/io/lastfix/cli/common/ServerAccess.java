package io.lastfix.cli.common;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.stack.EndpointOverrides;
import io.lastfix.stack.StackException;
import io.lastfix.store.connect.MongoOptions;
import java.util.Optional;

/**
 * How clients get to the servers and into them: addresses, users and certificates, as the job's
 * configuration, the command line and the running stack say. Empty where none of them knows an
 * address.
 *
 * @param mongo the one that keeps History, and Last Known Location unless that has its own
 * @param lastKnownLocationMongo where Last Known Location is, if on a server of its own
 * @param flink the address of the cluster's REST interface
 */
public record ServerAccess(
    Optional<MongoOptions> mongo,
    Optional<MongoOptions> lastKnownLocationMongo,
    Optional<KafkaOptions> kafka,
    Optional<String> flink) {
  /**
   * Asks the servers of the user's own.
   *
   * @throws StackException if one does not answer; it says why, and what to do
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

  private static void require(ServerCheck check) {
    if (!check.answers()) {
      throw new StackException(check.detail());
    }
  }
}
