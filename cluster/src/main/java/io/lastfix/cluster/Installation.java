package io.lastfix.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the commands' files: in an unpacked archive ({@code lastfix-<version>.tar.gz}), or in a
 * repository that was built.
 */
public final class Installation {
  /** Set by the {@code lastfix} scripts; tests find the repository from their working directory. */
  public static final String ROOT_PROPERTY = "lastfix.root";

  /** How the user called the command; set by a clone's script, since that is not on the PATH. */
  public static final String COMMAND_PROPERTY = "lastfix.command";

  private static final String REPOSITORY_MARKER = "local/servers/kafka/pom.xml";
  private static final String ARCHIVE_MARKER = "lib/servers/kafka";

  /** Lets the script build one module and run no command. */
  private static final String PART_VARIABLE = "LASTFIX_PART";

  private Installation() {}

  /**
   * The root directory of the archive or repository.
   *
   * @throws StackException if this process runs outside of both
   */
  public static Path root() {
    String given = System.getProperty(ROOT_PROPERTY, "");
    return given.isBlank() ? above(Path.of("").toAbsolutePath()) : Path.of(given);
  }

  static Path above(Path start) {
    for (@Nullable Path path = start; path != null; path = path.getParent()) {
      if (Files.exists(path.resolve(REPOSITORY_MARKER)) || isArchive(path)) {
        return path;
      }
    }
    throw new StackException(
        start
            + " is not inside a Lastfix repository; start the command by its lastfix script, or set "
            + StackHome.ENVIRONMENT_VARIABLE);
  }

  /** Returns whether the root is an unpacked archive, which no command writes to. */
  static boolean isArchive(Path root) {
    return Files.isDirectory(root.resolve(ARCHIVE_MARKER));
  }

  /** Whether this process runs from an unpacked archive. */
  public static boolean isArchive() {
    return isArchive(root());
  }

  /** What to do if a part of the installation is missing. */
  public static String remedy() {
    return isArchive() ? "unpack the archive again" : "build it with mvn -q -DskipTests package";
  }

  /** The program {@code java} that runs this JVM. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** A file or folder of {@code config/}. */
  public static Path config(String name) {
    return root().resolve("config").resolve(name);
  }

  /**
   * The jars of a server. Each server has its own folder, so that it shares no dependency's version
   * with another server or with the command.
   *
   * @param server {@code kafka}, {@code flink}, {@code sql}, {@code gateway}, {@code notify} or
   *     {@code console}; {@code connect} in a repository
   */
  public static Path serverLibraries(String server) {
    return isArchive()
        ? root().resolve("lib/servers").resolve(server)
        : built("local/servers/" + server).resolve("lib");
  }

  /**
   * What a module of the repository was built to. The lastfix script leaves out what few commands
   * need. A command that the script started builds it here, with progress on standard error.
   *
   * @param module its folder, such as {@code bench/microbenchmarks}
   * @return its folder {@code target}
   */
  public static Path built(String module) {
    Path root = root();
    Path target = root.resolve(module).resolve("target");
    if (!Files.isDirectory(target.resolve("lib")) && System.getProperty(COMMAND_PROPERTY) != null) {
      ProcessBuilder script =
          new ProcessBuilder("sh", root.resolve("lastfix").toString())
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.INHERIT);
      script.environment().put(PART_VARIABLE, module);
      try {
        Process process = script.start();
        if (process.waitFor() != 0) {
          throw new StackException("%s could not be built: see above".formatted(module));
        }
      } catch (IOException e) {
        throw new StackException(
            "%s could not be built by %s".formatted(module, root.resolve("lastfix")), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StackException("interrupted while %s was built".formatted(module), e);
      }
    }
    return target;
  }

  /**
   * The class path of a server, as java's {@code -cp} takes it.
   *
   * @throws StackException if its jars are missing
   */
  public static String classPath(String server) {
    Path libraries = serverLibraries(server);
    if (!Files.isDirectory(libraries)) {
      throw new StackException(
          "the libraries of the %s server are missing in %s: %s"
              .formatted(server, libraries, remedy()));
    }
    return libraries + "/*";
  }

  /**
   * The jar of the jobs.
   *
   * @throws StackException if it was not built
   */
  public static Path jobJar() {
    Path root = root();
    Path directory = isArchive(root) ? root.resolve("jobs") : root.resolve("jobs/target");
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> jars =
          files.filter(file -> file.getFileName().toString().endsWith("-job.jar")).toList();
      if (jars.size() != 1) {
        throw new StackException(
            jars.isEmpty()
                ? "no job jar in %s: %s".formatted(directory, remedy())
                : "several job jars in %s: delete those of other versions".formatted(directory));
      }
      return jars.get(0);
    } catch (IOException e) {
      throw new StackException("no job jar in " + directory + ": " + remedy(), e);
    }
  }
}
