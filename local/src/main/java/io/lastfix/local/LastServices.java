package io.lastfix.local;

import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names of the services that the last {@code lastfix up} was to have beside MongoDB, Kafka and
 * Flink. They outlive {@code lastfix down}.
 */
final class LastServices {
  private LastServices() {}

  /**
   * Those names; while a stack runs, those of its own services, because none of them is to end or
   * to start anew for what a former stack had.
   */
  static Set<String> read(StackHome home, StackState state) {
    Path file = home.servicesFile();
    if (!state.endpoints().isEmpty() || !Files.exists(file)) {
      return state.endpoints().keySet();
    }
    try {
      return Set.copyOf(Files.readAllLines(file));
    } catch (IOException e) {
      throw new StackException("cannot read " + file + ": " + e, e);
    }
  }

  static void write(StackHome home, StackOptions options) {
    Map<String, Boolean> services = new LinkedHashMap<>();
    services.put(GatewayServer.NAME, options.gateway());
    services.put(MqttServer.NAME, options.mqtt());
    services.put(ConsoleServer.NAME, options.console());
    services.put(PrometheusServer.NAME, options.metrics());
    List<String> names =
        services.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList();
    Path file = home.servicesFile();
    try {
      Files.write(file, names);
    } catch (IOException e) {
      throw new StackException("cannot write " + file + ": " + e, e);
    }
  }

  static void forget(StackHome home) {
    Path file = home.servicesFile();
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new StackException("cannot delete " + file + ": " + e, e);
    }
  }
}
