package io.lastfix.bench.measure;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * CPU time of the local stack's processes and of this one. The CPU of a user's own servers is
 * unknown.
 */
public final class ProcessCpu {
  /** A server, by the prefix of its processes' names in the local stack. */
  public enum Server {
    MONGODB("mongo"),
    KAFKA("kafka"),
    FLINK("jobmanager", TASK_MANAGER);

    private final String prefix;
    private final String otherPrefix;

    Server(String prefix) {
      this(prefix, prefix);
    }

    Server(String prefix, String otherPrefix) {
      this.prefix = prefix;
      this.otherPrefix = otherPrefix;
    }

    private boolean has(RecordedProcess process) {
      return process.name().startsWith(prefix) || process.name().startsWith(otherPrefix);
    }
  }

  private static final String TASK_MANAGER = "taskmanager";

  private final List<RecordedProcess> processes;

  /**
   * @param measured the servers that belong to the stack in that home
   */
  public ProcessCpu(StackHome home, Set<Server> measured) {
    processes =
        StackState.read(home).map(StackState::processes).orElse(List.of()).stream()
            .filter(process -> measured.stream().anyMatch(server -> server.has(process)))
            .toList();
  }

  /**
   * CPU seconds at one instant.
   *
   * @param byServer of the servers whose processes run here
   * @param client this process
   */
  public record Reading(Map<Server, Double> byServer, double client) {
    /** The CPU used since an earlier reading. */
    public Reading since(Reading earlier) {
      Map<Server, Double> used = new TreeMap<>();
      byServer.forEach(
          (server, seconds) ->
              used.put(server, seconds - earlier.byServer().getOrDefault(server, 0.0)));
      return new Reading(used, client - earlier.client());
    }

    /**
     * The average CPU per second.
     *
     * @param seconds in which it was used
     */
    public Reading perSecond(double seconds) {
      Map<Server, Double> rates = new TreeMap<>();
      byServer.forEach((server, used) -> rates.put(server, used / seconds));
      return new Reading(rates, client / seconds);
    }

    /** CPU of one server; NaN if it does not run here. */
    public double of(Server server) {
      return byServer.getOrDefault(server, Double.NaN);
    }

    /** CPU of the servers together; NaN if one does not run here. */
    double ofServers() {
      double sum = 0;
      for (Server server : Server.values()) {
        sum += of(server);
      }
      return sum;
    }
  }

  /** CPU seconds so far. */
  public Reading read() {
    Map<Server, Double> byServer = new TreeMap<>();
    for (RecordedProcess process : processes) {
      Optional<Double> used = process.find().flatMap(ProcessCpu::seconds);
      for (Server server : Server.values()) {
        if (used.isPresent() && server.has(process)) {
          byServer.merge(server, used.get(), Double::sum);
        }
      }
    }
    return new Reading(byServer, seconds(ProcessHandle.current()).orElse(Double.NaN));
  }

  private static Optional<Double> seconds(ProcessHandle process) {
    return process.info().totalCpuDuration().map(ProcessCpu::seconds);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /** The process with that name in the local stack, if it runs. */
  public Optional<ProcessHandle> process(String name) {
    return processes.stream()
        .filter(process -> process.name().equals(name))
        .findFirst()
        .flatMap(RecordedProcess::find);
  }

  /** The running TaskManagers of the local stack. */
  public List<ProcessHandle> taskManagers() {
    return processes.stream()
        .filter(process -> process.name().startsWith(TASK_MANAGER))
        .flatMap(process -> process.find().stream())
        .toList();
  }
}
