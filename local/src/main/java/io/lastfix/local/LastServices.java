package io.lastfix.local;

import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
      throw StackException.cannot("read " + file, e);
    }
  }

  static void write(StackHome home, StackOptions options) {
    Path file = home.servicesFile();
    try {
      Files.write(file, options.services());
    } catch (IOException e) {
      throw StackException.cannot("write " + file, e);
    }
  }

  static void forget(StackHome home) {
    Path file = home.servicesFile();
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw StackException.cannot("delete " + file, e);
    }
  }
}
