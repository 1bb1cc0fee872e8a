package io.lastfix.stack;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A server of the stack, of one process or several. Not safe for use by several threads. {@link
 * #close()} stops it; a caller that wants it to outlive its JVM doesn't close it.
 */
public abstract class StackService implements AutoCloseable {
  /** How long a server may take over an orderly end before it is killed. */
  static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  /** As in the state file: {@code mongodb}, {@code kafka}, {@code flink}. */
  public abstract String name();

  /** Its processes, in the order they are started. */
  public abstract List<ServerProcess> processes();

  /** The address clients use. */
  public abstract String endpoint();

  /** Its ports by name. */
  abstract Map<String, Integer> ports();

  /** Starts the processes that are not running; returns before they are ready. */
  public void start() {
    processes().forEach(ServerProcess::start);
  }

  /**
   * Waits until the service does its work, not merely listens.
   *
   * @throws StackException when a process ends or the limit has passed; it names the log
   */
  public abstract void awaitReady(Duration limit);

  /** Stops the processes: no server before those that need it, all others together. */
  public void stop() {
    ShutdownOrder.groups(processes()).forEach(group -> ServerProcess.stop(group, STOP_LIMIT));
  }

  @Override
  public void close() {
    stop();
  }
}
