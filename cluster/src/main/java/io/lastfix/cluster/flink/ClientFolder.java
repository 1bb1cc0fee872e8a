package io.lastfix.cluster.flink;

import io.lastfix.cluster.Installation;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The folder of one run of a client of Flink, with its configuration and log. Each run has its own,
 * because another one may run at the same time, for another job or cluster. Only this user may read
 * it.
 *
 * @param path where it is
 */
record ClientFolder(Path path) {
  /** The folder of all runs, below the home. */
  static final String PARENT = "flink-client";

  private static final String LOGGING = "log4j-cli.properties";
  private static final String LOG = "client.log";

  /**
   * Creates a folder below {@code flink-client}, and deletes those of earlier runs.
   *
   * @param prefix of the names of these folders
   * @param kept for how long the folder of a failed or killed run is kept
   */
  static ClientFolder create(Path home, String prefix, Duration kept) throws IOException {
    Path parent = Files.createDirectories(home.resolve(PARENT));
    FileTime oldest = FileTime.from(Instant.now().minus(kept));
    List<Path> folders;
    try (Stream<Path> children = Files.list(parent)) {
      folders =
          children.filter(child -> child.getFileName().toString().startsWith(prefix)).toList();
    }
    for (Path folder : folders) {
      if (Files.getLastModifiedTime(folder).compareTo(oldest) < 0) {
        new ClientFolder(folder).delete();
      }
    }
    ClientFolder folder = new ClientFolder(Files.createTempDirectory(parent, prefix));
    // A separate log file, because on the command's output another thread's line could interrupt
    // the exception to report. With %ex, because the default adds its jar to each frame.
    Properties logging = new Properties();
    logging.putAll(
        Map.of(
            "rootLogger.level", "warn",
            "rootLogger.appenderRef.file.ref", "file",
            "appender.file.type", "File",
            "appender.file.name", "file",
            "appender.file.fileName", folder.log().toString(),
            "appender.file.layout.type", "PatternLayout",
            "appender.file.layout.pattern", "%-5p %c{1} - %m%n%ex"));
    // Such a file is in Latin-1; this escapes the other letters of a home.
    try (OutputStream out = Files.newOutputStream(folder.path.resolve(LOGGING))) {
      logging.store(out, null);
    }
    return folder;
  }

  /** The client's log, of warnings and errors. */
  Path log() {
    return path.resolve(LOG);
  }

  /** The beginning of a client's command line: java, as a short run needs it, and its logging. */
  List<String> java() {
    return new ArrayList<>(
        List.of(
            Installation.java(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dlog4j.configurationFile=" + path.resolve(LOGGING).toUri()));
  }

  /**
   * Writes the command's arguments to a file that java reads.
   *
   * @param command java and its arguments
   */
  Path argumentFile(String name, List<String> command) throws IOException {
    return Files.write(
        path.resolve(name), command.stream().skip(1).map(ClientFolder::quoted).toList());
  }

  /** Quotes an argument for java's argument files. */
  private static String quoted(String argument) {
    return '"'
        + argument
            .replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("\n", "\\n")
            .replace("\r", "\\r")
        + '"';
  }

  /** Deletes it. What cannot be deleted now is deleted by a later run. */
  void delete() {
    File[] files = path.toFile().listFiles();
    if (files != null) {
      for (File file : files) {
        file.delete();
      }
    }
    path.toFile().delete();
  }
}
