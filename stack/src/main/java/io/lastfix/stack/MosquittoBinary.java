package io.lastfix.stack;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds Mosquitto: {@code LASTFIX_MOSQUITTO}, else on the PATH, else where packages put it. */
public final class MosquittoBinary {
  static final String PROGRAM_VARIABLE = "LASTFIX_MOSQUITTO";
  private static final String PROGRAM = "mosquitto";

  /** Debian installs it for the superuser, so it is on the PATH of few others. */
  private static final List<String> USUAL = List.of("/usr/sbin", "/usr/local/sbin");

  private MosquittoBinary() {}

  /** Says what to do where it is not installed and there is no other broker. */
  static StackException absent() {
    return new StackException(
        "--mqtt needs Mosquitto, and none is on the PATH: install it (apt-get install mosquitto, brew"
            + " install mosquitto), or set %s to the program".formatted(PROGRAM_VARIABLE));
  }

  /**
   * The program; empty if it is not installed.
   *
   * @throws StackException if the variable names no program
   */
  public static Optional<Path> find(Map<String, String> environment) {
    String given = environment.getOrDefault(PROGRAM_VARIABLE, "");
    if (!given.isBlank()) {
      if (!Files.isExecutable(Path.of(given))) {
        throw new StackException(PROGRAM_VARIABLE + ": no program at " + given);
      }
      return Optional.of(Path.of(given));
    }
    return Stream.concat(
            Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)),
            USUAL.stream())
        .filter(directory -> !directory.isBlank())
        .map(directory -> Path.of(directory, PROGRAM))
        .filter(program -> Files.isRegularFile(program) && Files.isExecutable(program))
        .findFirst();
  }
}
