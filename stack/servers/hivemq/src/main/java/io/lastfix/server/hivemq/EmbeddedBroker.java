package io.lastfix.server.hivemq;

import com.hivemq.embedded.EmbeddedHiveMQ;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;

/**
 * HiveMQ CE as a process, until it gets SIGTERM. HiveMQ's own main class lets nobody connect
 * without an extension; embedded, it lets everybody.
 */
public final class EmbeddedBroker {
  private EmbeddedBroker() {}

  /**
   * Starts a broker.
   *
   * @param arguments the folder of {@code config.xml}, that of the data, and that of extensions,
   *     which may be empty
   */
  public static void main(String[] arguments) {
    if (arguments.length != 3) {
      throw new IllegalArgumentException("expected the folders of settings, data and extensions");
    }
    EmbeddedHiveMQ broker =
        EmbeddedHiveMQ.builder()
            .withConfigurationFolder(Path.of(arguments[0]))
            .withDataFolder(Path.of(arguments[1]))
            .withExtensionsFolder(Path.of(arguments[2]))
            .build();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(broker), "close-broker"));
    broker.start().join();
  }

  private static void close(EmbeddedHiveMQ broker) {
    try {
      broker.close();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the broker did not stop in order", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
