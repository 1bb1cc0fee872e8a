package io.lastfix.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.NullAppender;
import org.apache.logging.log4j.core.appender.RollingFileAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.ConfigurationFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class CommandLogTest {
  @TempDir private Path directory;

  @Test
  void commandsLogToTheStacksHome() throws Exception {
    Path home = directory.resolve("home");

    String log = CommandLog.file(Map.of("LASTFIX_HOME", home.toString()));

    assertThat(Path.of(log))
        .isEqualTo(home.resolve("logs/cli.log"))
        .hasParentRaw(home.resolve("logs"));
    assertThat(configuration(log).getAppenders().values())
        .singleElement()
        .isInstanceOfSatisfying(
            RollingFileAppender.class, file -> assertThat(file.getFileName()).isEqualTo(log));
  }

  @Test
  void aHomeThatCannotBeWrittenGivesNoFileAndNoStackTracesOfLog4j() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));

    String log = CommandLog.file(Map.of("LASTFIX_HOME", file.resolve("home").toString()));

    assertThat(log).isEqualTo(CommandLog.NONE);
    assertThat(configuration(log).getAppenders().values())
        .singleElement()
        .isInstanceOf(NullAppender.class);
    assertThat(Path.of(log)).doesNotExist();
  }

  /** A folder, or a device, which Log4j would delete to create a file. */
  @Test
  void whatIsNoRegularFileIsNoLog() throws IOException {
    Path home = directory.resolve("home");
    assertThat(Files.createDirectories(home.resolve("logs/cli.log"))).isDirectory();

    assertThat(CommandLog.file(Map.of("LASTFIX_HOME", home.toString()))).isEqualTo(CommandLog.NONE);
  }

  /** A process of its own, because Log4j keeps the stream of errors that it finds first. */
  @Test
  void aLogOnAFullDiskPutsNothingOnTheTerminal() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-D" + CommandLog.PROPERTY + "=/dev/full",
                Logging.class.getName())
            .redirectErrorStream(true);
    // With them, a JVM prints a line.
    List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS").forEach(builder.environment()::remove);
    Process logging = builder.start();

    assertThat(new String(logging.getInputStream().readAllBytes(), UTF_8)).isEmpty();
    assertThat(logging.waitFor()).isZero();
  }

  /** Logs a line. */
  static final class Logging {
    private Logging() {}

    public static void main(String[] arguments) {
      LoggerFactory.getLogger(Logging.class).error("a line");
    }
  }

  /** What the commands' own configuration makes of it. */
  private static Configuration configuration(String log) throws Exception {
    URI commands = requireNonNull(CommandLogTest.class.getResource("/log4j2.xml")).toURI();
    String before = System.getProperty(CommandLog.PROPERTY);
    System.setProperty(CommandLog.PROPERTY, log);
    try (LoggerContext context = new LoggerContext("commands")) {
      Configuration configuration =
          ConfigurationFactory.getInstance().getConfiguration(context, "commands", commands);
      configuration.initialize();
      return configuration;
    } finally {
      if (before == null) {
        System.clearProperty(CommandLog.PROPERTY);
      } else {
        System.setProperty(CommandLog.PROPERTY, before);
      }
    }
  }
}
