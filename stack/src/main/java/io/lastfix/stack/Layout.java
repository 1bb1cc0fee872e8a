package io.lastfix.cli.command;

import io.lastfix.cli.stack.ServerLibraries;
import io.lastfix.cli.stack.StackException;
import io.lastfix.cli.stack.StackHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where in the repository the things are that the commands use. */
public final class Layout {
  private Layout() {}

  /** A file or folder of {@code config/}. */
  static Path config(String name) {
    return ServerLibraries.repositoryRoot().resolve("config").resolve(name);
  }

  /** The jars of the Flink distribution that the build gathered. */
  public static Path flinkLib() {
    return ServerLibraries.repositoryRoot().resolve("cli/servers/flink/target/lib");
  }

  /** The jars of Kafka Connect and MongoDB's connector, where they were gathered. */
  public static Path connectLib() {
    return ServerLibraries.repositoryRoot().resolve("cli/servers/connect/target/lib");
  }

  /** Where the build puts the microbenchmarks: {@code classes} and {@code lib}. */
  public static Path microbenchmarks() {
    return ServerLibraries.repositoryRoot().resolve("cli/microbenchmarks/target");
  }

  /** The job's jar. */
  public static Path jobJar() {
    Path target = ServerLibraries.repositoryRoot().resolve("jobs/target");
    try (Stream<Path> files = Files.list(target)) {
      List<Path> jars =
          files.filter(file -> file.getFileName().toString().endsWith("-job.jar")).toList();
      if (jars.size() != 1) {
        throw new StackException(
            "expected one job jar in %s, found %d: build it with mvn -q -DskipTests package"
                .formatted(target, jars.size()));
      }
      return jars.get(0);
    } catch (IOException e) {
      throw new StackException(
          "no job jar in " + target + ": build it with mvn -q -DskipTests package", e);
    }
  }

  /** The local stack's home, which also remembers the submitted jobs. */
  public static StackHome stackHome() {
    return StackHome.locate(System.getenv());
  }

  /** Where the commands keep their own files. */
  public static Path home() {
    return stackHome().root();
  }
}
