package io.lastfix.local;

import io.lastfix.cluster.StackException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A server of the stack, with one or more processes. Not thread-safe. {@link #close()} stops it; a
 * caller that wants it to outlive its JVM does not close it.
 */
public abstract class StackService implements AutoCloseable {
  /** The time limit of an orderly shutdown, after which a server is killed. */
  static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  final ServerSite site;
  private final String name;
  private final List<ServerProcess> processes = new ArrayList<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  /**
   * @param name in the state file
   */
  StackService(ServerSite site, String name) {
    this.site = site;
    this.name = name;
  }

  /** Adds a process, which starts after those before it. */
  final void add(ServerProcess process) {
    processes.add(process);
  }

  /** Chooses a port, and adds it; see {@link ServerSite#port}. */
  final int takePort(String owner, String portName, int usual) {
    int port = site.port(owner, portName, usual);
    ports.put(portName, port);
    return port;
  }

  /**
   * The name in the state file: {@code mongodb}, {@code kafka}, {@code flink}, {@code gateway},
   * {@code mqtt}, {@code notify}, {@code console}.
   */
  public final String name() {
    return name;
  }

  /** The processes, in the order of their start. */
  public List<ServerProcess> processes() {
    return List.copyOf(processes);
  }

  /** The first process, or the only one. */
  final ServerProcess process() {
    return processes.get(0);
  }

  /** The address for clients. */
  public abstract String endpoint();

  /** The ports by name. */
  Map<String, Integer> ports() {
    return ports;
  }

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
