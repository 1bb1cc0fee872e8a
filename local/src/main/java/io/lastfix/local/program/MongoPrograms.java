package io.lastfix.local.program;

import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.kit.failure.RootCause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** MongoDB's programs on this machine: their locations and versions. */
record MongoPrograms(Map<String, String> environment) {
  static final String CACHE_VARIABLE = "LASTFIX_CACHE";

  private static final Duration VERSION_LIMIT = Duration.ofSeconds(20);

  /** The file that the variable names, even if it does not exist; else the program on the PATH. */
  Optional<Path> installed(String variable, String program) {
    return Optional.ofNullable(environment.get(variable))
        .filter(value -> !value.isBlank())
        .map(Path::of)
        .or(() -> new InstalledProgram(List.of(program), variable).onPath(environment, List.of()));
  }

  /** The folder of downloaded programs. */
  Path cache() {
    String named = environment.getOrDefault(CACHE_VARIABLE, "");
    return named.isBlank()
        ? Path.of(StackHome.userHome(environment), ".cache", "lastfix")
        : Path.of(named);
  }

  /**
   * The file of that name in the cache.
   *
   * @param fetch creates it if it is missing, in the empty directory that it gets
   */
  Path cached(String name, UnaryOperator<Path> fetch) {
    Path cached = cache().resolve(name);
    if (Files.isExecutable(cached)) {
      return cached;
    }
    try {
      Files.createDirectories(cache());
      Path work = Files.createTempDirectory(cache(), "fetch");
      try {
        Path program = fetch.apply(work);
        Files.move(
            program, cached, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        delete(work);
      }
    } catch (IOException e) {
      throw StackException.cannot("put " + name + " into the cache " + cache(), e);
    }
    return cached;
  }

  /**
   * The program's output for {@code --version}.
   *
   * @param variable names another program, for the message
   * @throws StackException if it does not start
   */
  static String versionOutput(Path program, String variable) {
    try {
      return ProgramOutput.of(VERSION_LIMIT, program.toString(), "--version");
    } catch (StackException | IOException e) {
      throw new StackException(
          "%s does not start: %s; set %s to one that does"
              .formatted(program, e.getMessage(), variable),
          e);
    }
  }

  /** The message of a failure's root cause, in one line. */
  static String rootMessage(Throwable failure) {
    Throwable root = RootCause.of(failure);
    return root.getClass().getSimpleName() + ": " + root.getMessage();
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
