package io.lastfix.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The content of {@code .lastfix/stack.json}: the state of a local stack between two commands. It
 * lists only servers that the stack itself started, so never a user's address or password.
 *
 * @param processes every started process, running or not
 * @param ports by name, for example {@code mongod-0}; kept over a restart, so endpoints stay
 * @param endpoints by service: {@code mongodb}, {@code kafka}, {@code flink}, {@code gateway},
 *     {@code mqtt}, {@code notify}, {@code console}
 */
public record StackState(
    List<RecordedProcess> processes, Map<String, Integer> ports, Map<String, String> endpoints) {
  /** A service among the {@link #endpoints}. */
  public static final String MONGODB = "mongodb";

  /** A service among the {@link #endpoints}. */
  public static final String FLINK = "flink";

  /** A service among the {@link #endpoints}. */
  public static final String GATEWAY = "gateway";

  /** A service among the {@link #endpoints}. */
  public static final String NOTIFY = "notify";

  /** A service among the {@link #endpoints}. */
  public static final String PROMETHEUS = "prometheus";

  /** The process of Flink to which clients connect. */
  public static final String JOB_MANAGER = "jobmanager";

  /** The names of a replica set's processes begin with it. */
  public static final String MONGOD_PREFIX = "mongod-";

  /** The names of a sharded MongoDB's routers begin with it. */
  public static final String MONGOS_PREFIX = "mongos-";

  /** In an endpoint, which may name several. */
  private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");

  private static final int CONNECT_MILLIS = 500;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Copies the collections. */
  public StackState {
    processes = List.copyOf(processes);
    ports = Map.copyOf(ports);
    endpoints = Map.copyOf(endpoints);
  }

  /** The state of a stack that was never started. */
  public static StackState empty() {
    return new StackState(List.of(), Map.of(), Map.of());
  }

  /** The number of listed processes with that name prefix. */
  public int processesOf(String prefix) {
    return (int) processes.stream().filter(process -> process.name().startsWith(prefix)).count();
  }

  /**
   * The number of listed ports with that name prefix; these outlive {@code lastfix down}, as the
   * data does.
   */
  public int portsOf(String prefix) {
    return (int) ports.keySet().stream().filter(name -> name.startsWith(prefix)).count();
  }

  /** Returns whether any process runs. No name of a getter, which would be in the file. */
  public boolean anyRuns() {
    return isAnyRunning("");
  }

  /** Returns whether a process with that name prefix runs. */
  public boolean isAnyRunning(String prefix) {
    return processes.stream()
        .anyMatch(process -> process.name().startsWith(prefix) && process.find().isPresent());
  }

  /**
   * Returns whether a process runs to which clients of a service connect.
   *
   * @param service a name of {@link #endpoints}
   */
  public boolean isServing(String service) {
    return answeringProcesses(service).stream().anyMatch(this::isAnyRunning);
  }

  /** The name prefixes of the processes to which clients connect. */
  private static List<String> answeringProcesses(String service) {
    return switch (service) {
      case MONGODB -> List.of(MONGOD_PREFIX, MONGOS_PREFIX);
      case FLINK -> List.of(JOB_MANAGER);
      default -> List.of(service);
    };
  }

  /**
   * Returns whether all processes of a service have ended, and another program has its address
   * since, for example another stack. What a client sent would go there.
   *
   * @param service a name of {@link #endpoints}
   */
  public boolean isAddressTaken(String service) {
    // Routers are listed once they are ready, and answer before.
    boolean hasEnded =
        answeringProcesses(service).stream().anyMatch(prefix -> processesOf(prefix) > 0)
            && !isServing(service);
    return hasEnded
        && PORT.matcher(endpoints.getOrDefault(service, ""))
            .results()
            .anyMatch(port -> isAnswered(Integer.parseInt(port.group(1))));
  }

  /** Without taking the port, which a server that is started again needs. */
  private static boolean isAnswered(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** The listed process of that name. */
  public Optional<RecordedProcess> process(String name) {
    return processes.stream().filter(process -> process.name().equals(name)).findFirst();
  }

  /** This state with the process in place of the former one of its name. */
  public StackState with(RecordedProcess process) {
    return new StackState(
        processes.stream()
            .map(known -> known.name().equals(process.name()) ? process : known)
            .toList(),
        ports,
        endpoints);
  }

  /** The state of the stack in that home; empty if there is none. */
  public static Optional<StackState> read(StackHome home) {
    Path file = home.root().resolve("stack.json");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(file.toFile(), StackState.class));
    } catch (JsonProcessingException e) {
      throw new StackException(
          file + " is damaged: " + e.getOriginalMessage() + "; delete it, then run: lastfix down",
          e);
    } catch (IOException e) {
      throw StackException.cannot("read " + file, e);
    }
  }

  /** Deletes the state of the stack in that home. */
  public static void delete(StackHome home) {
    try {
      Files.deleteIfExists(home.stateFile());
    } catch (IOException e) {
      throw StackException.cannot("delete " + home.stateFile(), e);
    }
  }

  /** Replaces the state file atomically, so that a crash leaves the old one or the new one. */
  public void write(StackHome home) {
    Path file = home.stateFile();
    Path next = file.resolveSibling("stack.json.next");
    try {
      Files.write(next, JSON.writeValueAsBytes(this));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw StackException.cannot("write " + file, e);
    }
  }
}
