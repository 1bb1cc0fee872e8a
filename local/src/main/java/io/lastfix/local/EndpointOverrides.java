package io.lastfix.local;

import java.util.Map;
import java.util.Optional;

/**
 * The user's own servers. An explicit option overrides the environment.
 *
 * @param mongoUri a MongoDB connection string
 * @param kafka bootstrap servers, {@code host:port,...}
 * @param flink the address of a cluster's REST interface
 */
public record EndpointOverrides(
    Optional<String> mongoUri, Optional<String> kafka, Optional<String> flink) {
  public static final String MONGO_VARIABLE = "LASTFIX_MONGO_URI";
  public static final String KAFKA_VARIABLE = "LASTFIX_KAFKA";
  public static final String FLINK_VARIABLE = "LASTFIX_FLINK";

  /** No own servers. */
  public static EndpointOverrides none() {
    return new EndpointOverrides(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Fills missing values from the environment. */
  public EndpointOverrides orFrom(Map<String, String> environment) {
    return new EndpointOverrides(
        mongoUri.or(() -> variable(environment, MONGO_VARIABLE)),
        kafka.or(() -> variable(environment, KAFKA_VARIABLE)),
        flink.or(() -> variable(environment, FLINK_VARIABLE)));
  }

  /** Returns whether the user has named every server, so that no local one is needed. */
  public boolean areComplete() {
    return mongoUri.isPresent() && kafka.isPresent() && flink.isPresent();
  }

  private static Optional<String> variable(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }
}
