package io.lastfix.local.program;

import io.lastfix.cluster.StackException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A program that packages install: an environment variable names it, else it is on the PATH.
 *
 * @param names under which packages install it; the first that is found counts
 */
public record InstalledProgram(List<String> names, String variable) {
  /** Debian installs servers for the superuser, so they are on the PATH of few others. */
  private static final List<String> USUAL = List.of("/usr/sbin", "/usr/local/sbin");

  /**
   * The program; empty if it is not installed.
   *
   * @throws StackException if the variable names no program
   */
  public Optional<Path> find(Map<String, String> environment) {
    String given = environment.getOrDefault(variable, "");
    if (!given.isBlank()) {
      if (!Files.isExecutable(Path.of(given))) {
        throw new StackException(variable + ": no program at " + given);
      }
      return Optional.of(Path.of(given));
    }
    return onPath(environment, USUAL);
  }

  /**
   * The program on the PATH, whatever the variable names.
   *
   * @param more directories after those of the PATH
   */
  Optional<Path> onPath(Map<String, String> environment, List<String> more) {
    List<String> directories =
        Stream.concat(
                Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)),
                more.stream())
            .filter(directory -> !directory.isBlank())
            .toList();
    return names.stream()
        .flatMap(name -> directories.stream().map(directory -> Path.of(directory, name)))
        .filter(program -> Files.isRegularFile(program) && Files.isExecutable(program))
        .findFirst();
  }

  /**
   * The program.
   *
   * @param absence what to say if it is not installed; {@code %s} stands for the variable
   * @throws StackException if it is not installed
   */
  public Path require(Map<String, String> environment, String absence) {
    return find(environment).orElseThrow(() -> new StackException(absence.formatted(variable)));
  }
}
