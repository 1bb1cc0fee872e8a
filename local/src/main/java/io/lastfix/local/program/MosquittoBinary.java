package io.lastfix.local.program;

import io.lastfix.cluster.StackException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Finds Mosquitto: {@code LASTFIX_MOSQUITTO}, else on the PATH, else where packages put it. */
public final class MosquittoBinary {
  static final String PROGRAM_VARIABLE = "LASTFIX_MOSQUITTO";
  private static final InstalledProgram PROGRAM =
      new InstalledProgram("mosquitto", PROGRAM_VARIABLE);

  private MosquittoBinary() {}

  /**
   * Finds the program.
   *
   * @throws StackException if it is not installed; says what to do
   */
  public static Path program(Map<String, String> environment) {
    return find(environment)
        .orElseThrow(
            () ->
                new StackException(
                    "--mqtt needs Mosquitto, and none is on the PATH: install it (apt-get install mosquitto, brew"
                        + " install mosquitto), or set %s to the program; --no-mqtt does without"
                            .formatted(PROGRAM_VARIABLE)));
  }

  /**
   * The program; empty if it is not installed.
   *
   * @throws StackException if the variable names no program
   */
  public static Optional<Path> find(Map<String, String> environment) {
    return PROGRAM.find(environment);
  }
}
