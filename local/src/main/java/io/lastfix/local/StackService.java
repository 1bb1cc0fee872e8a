package io.lastfix.local;

import io.lastfix.cluster.StackException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A server of the stack, with one or more processes. Not thread-safe. {@link #close()} stops it; a
 * caller that wants it to outlive its JVM does not close it.
 */
public abstract class StackService implements AutoCloseable {
  /** The time limit of an orderly shutdown, after which a server is killed. */
  static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  /**
   * The name in the state file: {@code mongodb}, {@code kafka}, {@code flink}, {@code gateway},
   * {@code mqtt}, {@code console}.
   */
  public abstract String name();

  /** The processes, in the order of their start. */
  public abstract List<ServerProcess> processes();

  /** The address for clients. */
  public abstract String endpoint();

  /** The ports by name. */
  abstract Map<String, Integer> ports();

  /** Starts all processes that do not run; returns before they are ready. */
  public void start() {
    processes().forEach(ServerProcess::start);
  }

  /**
   * Waits until the service works, which is more than listening.
   *
   * @throws StackException if a process ends or the limit has passed; it names the log
   */
  public abstract void awaitReady(Duration limit);

  /** Stops the processes: no server before its clients, all others together. */
  public void stop() {
    ShutdownOrder.groups(processes()).forEach(group -> ServerProcess.stop(group, STOP_LIMIT));
  }

  @Override
  public void close() {
    stop();
  }
}
