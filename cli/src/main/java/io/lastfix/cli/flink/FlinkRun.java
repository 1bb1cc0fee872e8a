package io.lastfix.cli.flink;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@code flink run -d} in a process of its own, as an operator would type it: the job's {@code
 * main} runs there, reads the configuration here, and the cluster gets a finished job. So the jar
 * is used just as on a cluster of the user's own.
 */
public final class FlinkRun {
  private static final Pattern SUBMITTED =
      Pattern.compile("Job has been submitted with JobID ([0-9a-f]{32})");
  private static final Pattern OTHERS_LINE = Pattern.compile("(ERROR|WARN ) |Exception in thread ");
  private static final long TIMEOUT_SECONDS = 180;

  private final Path flinkLib;
  private final Path workDirectory;
  private final URI flink;

  /**
   * Prepares.
   *
   * @param flinkLib folder with the jars of a Flink distribution's lib
   * @param workDirectory where the client's configuration and log go
   * @param flinkUrl the cluster's web page
   */
  public FlinkRun(Path flinkLib, Path workDirectory, String flinkUrl) {
    this.flinkLib = flinkLib;
    this.workDirectory = workDirectory;
    this.flink = URI.create(flinkUrl);
  }

  /**
   * Submits a job, and returns once the cluster has it.
   *
   * @param jar the job's jar
   * @param arguments of its main class
   * @param savepoint to start from, or null
   * @param environment variables for the process, beside ours; where secrets are passed
   * @return the job's id
   * @throws IOException if it could not be submitted, with what Flink or the job said
   */
  public String submit(
      Path jar, List<String> arguments, @Nullable String savepoint, Map<String, String> environment)
      throws IOException, InterruptedException {
    return run(
        savepoint == null ? List.of() : List.of("--fromSavepoint", savepoint),
        jar,
        arguments,
        environment);
  }

  /**
   * Submits another job of the jar than the one its manifest names.
   *
   * @param mainClass the job
   */
  public String submit(
      Path jar, Class<?> mainClass, List<String> arguments, Map<String, String> environment)
      throws IOException, InterruptedException {
    return run(List.of("--class", mainClass.getName()), jar, arguments, environment);
  }

  private String run(
      List<String> options, Path jar, List<String> arguments, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path conf = Files.createDirectories(workDirectory.resolve("flink-client"));
    Files.writeString(
        conf.resolve("config.yaml"),
        "rest:%n  address: %s%n  port: %d%n".formatted(flink.getHost(), port()));
    Files.writeString(
        conf.resolve("log4j-cli.properties"),
        """
        rootLogger.level = warn
        rootLogger.appenderRef.console.ref = console
        appender.console.type = Console
        appender.console.name = console
        appender.console.target = SYSTEM_ERR
        appender.console.layout.type = PatternLayout
        appender.console.layout.pattern = %-5p %c{1} - %m%n
        """);
    Path output = conf.resolve("submit.log");

    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
    command.add("--add-opens=java.base/java.util=ALL-UNNAMED");
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.add("--add-opens=java.base/java.time=ALL-UNNAMED");
    command.add("-Dlog4j.configurationFile=" + conf.resolve("log4j-cli.properties").toUri());
    command.add("-cp");
    command.add(flinkLib.resolve("*").toString());
    command.add("org.apache.flink.client.cli.CliFrontend");
    command.add("run");
    command.add("--detached");
    command.add("--target");
    command.add("remote");
    command.add("-Drest.address=" + flink.getHost());
    command.add("-Drest.port=" + port());
    command.addAll(options);
    command.add(jar.toString());
    command.addAll(arguments);

    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(output.toFile()).redirectInput(new File("/dev/null"));
    builder.environment().putAll(environment);
    builder.environment().put("FLINK_CONF_DIR", conf.toString());
    Process process = builder.start();
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(
          "flink run did not end within %d s, see %s".formatted(TIMEOUT_SECONDS, output));
    }
    String said = Files.readString(output, StandardCharsets.UTF_8);
    Matcher submitted = SUBMITTED.matcher(said);
    if (process.exitValue() != 0 || !submitted.find()) {
      throw new IOException(
          "the job was not submitted: %s%n(all of it: %s)"
              .formatted(FailureCause.of(exception(said)), output));
    }
    return submitted.group(1);
  }

  private int port() {
    return flink.getPort() < 0 ? 80 : flink.getPort();
  }

  /**
   * What Flink's command says at its end, without what other threads write after that: those of a
   * driver may still run when the job's classes are gone already.
   */
  private static String exception(String said) {
    return said.lines()
        .dropWhile(line -> !line.contains("The program finished with the following exception"))
        .skip(1)
        .takeWhile(line -> !OTHERS_LINE.matcher(line).lookingAt())
        .reduce((a, b) -> a + System.lineSeparator() + b)
        .orElse(said);
  }
}
