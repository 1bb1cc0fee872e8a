package io.lastfix.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code .lastfix/stack.json} remembers of a local stack between two commands. It holds only
 * servers the stack started itself, so never a user's address or password.
 *
 * @param processes every process started, running or not
 * @param ports by name, for example {@code mongod-0}; kept over a restart, so endpoints stay
 * @param endpoints by service: {@code mongodb}, {@code kafka}, {@code flink}
 */
public record StackState(
    List<RecordedProcess> processes, Map<String, Integer> ports, Map<String, String> endpoints) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Copies the collections. */
  public StackState {
    processes = List.copyOf(processes);
    ports = Map.copyOf(ports);
    endpoints = Map.copyOf(endpoints);
  }

  /** A stack of which nothing was ever started. */
  public static StackState empty() {
    return new StackState(List.of(), Map.of(), Map.of());
  }

  /** How many processes are remembered whose names begin so. */
  int processesOf(String prefix) {
    return (int) processes.stream().filter(process -> process.name().startsWith(prefix)).count();
  }

  /**
   * How many ports are remembered whose names begin so: these outlive {@code lastfix down}, as the
   * data does.
   */
  int portsOf(String prefix) {
    return (int) ports.keySet().stream().filter(name -> name.startsWith(prefix)).count();
  }

  /** Whether one runs of the processes whose names begin so. */
  public boolean isAnyRunning(String prefix) {
    return processes.stream()
        .anyMatch(process -> process.name().startsWith(prefix) && process.find().isPresent());
  }

  /** The remembered process of that name. */
  public Optional<RecordedProcess> process(String name) {
    return processes.stream().filter(process -> process.name().equals(name)).findFirst();
  }

  /** The same, with this process in the place of the one of that name. */
  StackState with(RecordedProcess process) {
    return new StackState(
        processes.stream()
            .map(known -> known.name().equals(process.name()) ? process : known)
            .toList(),
        ports,
        endpoints);
  }

  /** The state of the stack in that home, empty where there is none. */
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
      throw new StackException("cannot read " + file + ": " + e, e);
    }
  }

  /** Remembers nothing of the stack in that home any more. */
  static void forget(StackHome home) {
    try {
      Files.deleteIfExists(home.stateFile());
    } catch (IOException e) {
      throw new StackException("cannot delete " + home.stateFile() + ": " + e, e);
    }
  }

  /** Replaces the state file at once, so that a crash leaves the old one or the new one. */
  void write(StackHome home) {
    Path file = home.stateFile();
    Path next = file.resolveSibling("stack.json.next");
    try {
      Files.write(next, JSON.writeValueAsBytes(this));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new StackException("cannot write " + file + ": " + e, e);
    }
  }
}
