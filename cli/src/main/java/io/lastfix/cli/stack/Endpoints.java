package io.lastfix.cli.stack;

import java.util.Map;
import java.util.Optional;

/**
 * Where the servers are. Each is looked for in this order: an explicit option, the environment, the
 * running local stack. One that isn't found fails only the command that needs it.
 */
public final class Endpoints {
  private final EndpointOverrides overrides;
  private final Map<String, String> local;

  private Endpoints(EndpointOverrides overrides, Map<String, String> local) {
    this.overrides = overrides;
    this.local = local;
  }

  /** Looks in the environment and the local stack of this process. */
  public static Endpoints resolve(EndpointOverrides options) {
    Map<String, String> environment = System.getenv();
    return resolve(options, environment, StackState.read(StackHome.locate(environment)));
  }

  static Endpoints resolve(
      EndpointOverrides options, Map<String, String> environment, Optional<StackState> state) {
    return new Endpoints(
        options.orFrom(environment), state.map(StackState::endpoints).orElse(Map.of()));
  }

  /** MongoDB's connection string; may hold a password, so print it redacted only. */
  public String mongoUri() {
    return endpoint(
        overrides.mongoUri(), "mongodb", "--mongo-uri", EndpointOverrides.MONGO_VARIABLE);
  }

  /** Kafka's bootstrap servers. */
  public String kafka() {
    return endpoint(overrides.kafka(), "kafka", "--kafka", EndpointOverrides.KAFKA_VARIABLE);
  }

  /** The address of Flink's REST interface. */
  public String flink() {
    return endpoint(overrides.flink(), "flink", "--flink", EndpointOverrides.FLINK_VARIABLE);
  }

  private String endpoint(
      Optional<String> override, String service, String option, String variable) {
    return override
        .or(() -> Optional.ofNullable(local.get(service)))
        .orElseThrow(
            () ->
                new StackException(
                    "no local stack is running: run ./lastfix up (or name a server of your own with "
                        + option
                        + " or "
                        + variable
                        + ")"));
  }
}
