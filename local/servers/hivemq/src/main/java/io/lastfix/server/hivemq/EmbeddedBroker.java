package io.lastfix.server.hivemq;

import com.hivemq.configuration.service.InternalConfigurations;
import com.hivemq.embedded.EmbeddedHiveMQ;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;

/**
 * HiveMQ CE as a process, until it gets SIGTERM. HiveMQ's own main class lets no client connect
 * without an extension; embedded, it lets every client.
 */
public final class EmbeddedBroker {
  /** HiveMQ's 64 have a file of 8 MB each. */
  private static final int BUCKETS = 8;

  /** For the payloads that it has not written to their final files yet. */
  private static final long MEMTABLE_BYTES = 32L << 20;

  private EmbeddedBroker() {}

  /**
   * Bounds what the broker takes of the disk. By default it allocates a 29th of the machine's
   * memory for the write-ahead logs of payloads, however small they are: 1.35 GB in all on 24 GB.
   */
  private static void boundFiles() {
    long memoryBytes =
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    InternalConfigurations.PERSISTENCE_BUCKET_COUNT.set(BUCKETS);
    InternalConfigurations.PAYLOAD_PERSISTENCE_BUCKET_COUNT.set(BUCKETS);
    InternalConfigurations.PAYLOAD_PERSISTENCE_MEMTABLE_SIZE_PORTION.set(
        (int) Math.max(1, memoryBytes / MEMTABLE_BYTES));
  }

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
    boundFiles();
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
