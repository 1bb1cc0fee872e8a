package io.lastfix.stack.flink;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@code flink run -d} in a process of its own, as an operator would type it: the job's {@code
 * main} runs there, reads the configuration here, and the cluster gets a finished job. So the jar
 * is used just as on a cluster of the user's own.
 */
public final class FlinkRun implements JobSubmitter {
  private static final Pattern SUBMITTED =
      Pattern.compile("Job has been submitted with JobID ([0-9a-f]{32})");

  /** How an event begins in the command's log, as {@link #LOGGING} has it written. */
  private static final Pattern EVENT = Pattern.compile("^[A-Z]+ +[\\w$]+ - .*");

  /** The event with which Flink's command ends where it fails. */
  private static final String FAILED = "ERROR CliFrontend - ";

  /** The longest that a submission takes before it is given up. */
  public static final Duration LIMIT = Duration.ofMinutes(3);

  /** For how long the log of a submission that failed is kept. */
  private static final Duration KEPT = Duration.ofDays(1);

  private static final String CONFIG = "config.yaml";
  private static final String LOGGING = "log4j-cli.properties";
  private static final String OUTPUT = "submit.log";
  private static final String LOG = "client.log";

  private final Path flinkLib;
  private final Path workDirectory;
  private final URI flink;

  /**
   * Prepares.
   *
   * @param flinkLib folder with the jars of a Flink distribution's lib
   * @param workDirectory in whose {@code flink-client} each submission has a folder of its own for
   *     the client's configuration and log, which stays for a day where it fails
   * @param flinkUrl the cluster's web page
   */
  public FlinkRun(Path flinkLib, Path workDirectory, String flinkUrl) {
    this.flinkLib = flinkLib;
    this.workDirectory = workDirectory;
    this.flink = URI.create(flinkUrl);
  }

  @Override
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
    // One for each submission: another may be under way, for another job or cluster.
    Path parent = Files.createDirectories(workDirectory.resolve("flink-client"));
    deleteOld(parent);
    Path conf = Files.createTempDirectory(parent, "submit-");
    Files.writeString(
        conf.resolve(CONFIG),
        "rest:%n  address: %s%n  port: %d%n".formatted(flink.getHost(), port()));
    // Into a file of its own: among what the command says, another thread's line could stand in the
    // middle of the exception that has to be told. With %ex, since the default adds to each frame
    // which jar it is from.
    Files.writeString(
        conf.resolve(LOGGING),
        """
        rootLogger.level = warn
        rootLogger.appenderRef.file.ref = file
        appender.file.type = File
        appender.file.name = file
        appender.file.fileName = %s
        appender.file.layout.type = PatternLayout
        appender.file.layout.pattern = %%-5p %%c{1} - %%m%%n%%ex
        """
            .formatted(conf.resolve(LOG)));
    Path output = conf.resolve(OUTPUT);

    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
    command.add("--add-opens=java.base/java.util=ALL-UNNAMED");
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.add("--add-opens=java.base/java.time=ALL-UNNAMED");
    command.add("-Dlog4j.configurationFile=" + conf.resolve(LOGGING).toUri());
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
    try {
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException(
            "flink run did not end within %d s, see %s".formatted(LIMIT.toSeconds(), output));
      }
    } finally {
      process.destroyForcibly();
    }
    String said = read(output);
    List<String> ids =
        SUBMITTED.matcher(said).results().map(submitted -> submitted.group(1)).distinct().toList();
    if (process.exitValue() != 0 || ids.isEmpty()) {
      throw new IOException(
          "the job was not submitted: %s%nall that flink run said is in %s and %s"
              .formatted(
                  FailureCause.of(exception(conf.resolve(LOG), said)), output, conf.resolve(LOG)));
    }
    if (ids.size() > 1) {
      throw new IOException(
          "flink run has submitted %d jobs and not one: %s, see %s"
              .formatted(ids.size(), String.join(", ", ids), output));
    }
    delete(conf);
    return ids.get(0);
  }

  private static void deleteOld(Path parent) throws IOException {
    FileTime oldest = FileTime.from(Instant.now().minus(KEPT));
    List<Path> submissions;
    try (Stream<Path> children = Files.list(parent)) {
      submissions = children.filter(Files::isDirectory).toList();
    }
    for (Path submission : submissions) {
      if (Files.getLastModifiedTime(submission).compareTo(oldest) < 0) {
        delete(submission);
      }
    }
  }

  private static void delete(Path directory) {
    // What cannot be deleted now is too old tomorrow; a job that was submitted must not be lost
    // over it.
    for (String name : List.of(CONFIG, LOGGING, OUTPUT, LOG)) {
      directory.resolve(name).toFile().delete();
    }
    directory.toFile().delete();
  }

  private int port() {
    return flink.getPort() < 0 ? 80 : flink.getPort();
  }

  /**
   * The exception that ended Flink's command, from its log: what it prints can have another
   * thread's exception before, in between or behind, such as that of a driver's thread which still
   * runs when the job's classes are gone already.
   *
   * @param said what it printed, for where it came to no log
   */
  private static String exception(Path log, String said) throws IOException {
    if (!Files.exists(log)) {
      return said;
    }
    String exception =
        read(log)
            .lines()
            .dropWhile(line -> !line.startsWith(FAILED))
            .skip(1)
            .takeWhile(line -> !EVENT.matcher(line).matches())
            .collect(Collectors.joining(System.lineSeparator()));
    return exception.isBlank() ? said : exception;
  }

  /** Whatever its encoding: a job that was submitted must not be lost over a letter. */
  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
