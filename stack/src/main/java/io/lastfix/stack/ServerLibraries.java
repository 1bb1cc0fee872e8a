package io.lastfix.cli.stack;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the build gathered the servers' class paths ({@code cli/servers/<server>/target/lib}). Each
 * server has its own, so that none shares a dependency's version with another or with the command.
 */
public final class ServerLibraries {
  /** Set by the {@code lastfix} script; tests find the repository from their working directory. */
  static final String ROOT_PROPERTY = "lastfix.root";

  private static final String MARKER = "cli/servers/kafka/pom.xml";

  private ServerLibraries() {}

  /** The repository that this command was built in. */
  public static Path repositoryRoot() {
    String given = System.getProperty(ROOT_PROPERTY, "");
    return given.isBlank() ? repositoryAbove(Path.of("").toAbsolutePath()) : Path.of(given);
  }

  static Path repositoryAbove(Path start) {
    for (@Nullable Path path = start; path != null; path = path.getParent()) {
      if (Files.exists(path.resolve(MARKER))) {
        return path;
      }
    }
    throw new StackException(
        start
            + " is not inside a Lastfix repository; start the command by the lastfix script at the"
            + " repository's root, or set "
            + StackHome.ENVIRONMENT_VARIABLE);
  }

  /** The class path of a server, as java's {@code -cp} takes it. */
  static String classPath(String server) {
    Path library = repositoryRoot().resolve("cli/servers").resolve(server).resolve("target/lib");
    if (!Files.isDirectory(library)) {
      throw new StackException(
          "the libraries of the "
              + server
              + " server are missing in "
              + library
              + "; build them: mvn -q -DskipTests package");
    }
    return library + "/*";
  }
}
