package io.lastfix.local;

import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The stack to run.
 *
 * @param home the directory of its files
 * @param external the user's own servers, which are not started
 * @param mongo the parts of MongoDB
 * @param taskManagers 1 or more
 * @param slots of each TaskManager, 1 or more
 * @param services the names of those that not every stack has: a gateway, an MQTT broker, to which
 *     it subscribes, and notify, only beside a Kafka of the stack itself; a console, only beside a
 *     MongoDB of the stack itself; a Prometheus, to which Flink reports, only beside a Flink of the
 *     stack itself, and with an Alertmanager if one is installed. Other names are left out.
 * @param readyLimit the time limit of each server's start, at least a second
 */
public record StackOptions(
    StackHome home,
    EndpointOverrides external,
    MongoShape mongo,
    int taskManagers,
    int slots,
    Set<String> services,
    Duration readyLimit) {
  private static final Set<String> CHOSEN =
      Set.of(
          GatewayServer.NAME,
          MqttServer.NAME,
          NotifyServer.NAME,
          ConsoleServer.NAME,
          PrometheusServer.NAME);

  /** Checks the ranges. */
  public StackOptions {
    services = services.stream().filter(CHOSEN::contains).collect(Collectors.toUnmodifiableSet());
    if (taskManagers < 1) {
      throw new IllegalArgumentException("TaskManagers must be 1 or more, not " + taskManagers);
    }
    if (services.contains(MqttServer.NAME) && !services.contains(GatewayServer.NAME)) {
      throw new IllegalArgumentException("--mqtt: expected with --gateway, which subscribes to it");
    }
    if (slots < 1) {
      throw new IllegalArgumentException("slots must be 1 or more, not " + slots);
    }
    if (readyLimit.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "the time limit must be 1 s or more, not %d s".formatted(readyLimit.toSeconds()));
    }
  }

  /**
   * The servers of the last {@code lastfix up} in that home, so that nothing stops unexpectedly,
   * and nothing is missing after a {@code down} and an {@code up}.
   */
  public static StackOptions fromLastStart(StackHome home) {
    StackState state = StackState.read(home).orElse(StackState.empty());
    return with(home, state, LastServices.read(home, state));
  }

  /** The servers of the stack that runs in that home, so that nothing stops unexpectedly. */
  public static StackOptions asRunning(StackHome home) {
    StackState state = StackState.read(home).orElse(StackState.empty());
    return with(home, state, state.endpoints().keySet());
  }

  private static StackOptions with(StackHome home, StackState state, Set<String> services) {
    StackOptions defaults = defaults(home);
    return new StackOptions(
        home,
        defaults.external(),
        MongoShape.fromLastStart(state),
        Math.max(defaults.taskManagers(), state.processesOf(FlinkCluster.TASK_MANAGER)),
        defaults.slots(),
        services,
        defaults.readyLimit());
  }

  /**
   * One of each server but the gateway, the MQTT broker, notify, the console, Prometheus and
   * Alertmanager, five slots, and a time limit of a minute for each start. The demo's jobs take all
   * of them: two for locations, one each for rules, numbers, and what is computed from History.
   */
  public static StackOptions defaults(StackHome home) {
    return new StackOptions(
        home,
        EndpointOverrides.none(),
        MongoShape.replicaSet(1),
        1,
        5,
        Set.of(),
        Duration.ofSeconds(60));
  }
}
