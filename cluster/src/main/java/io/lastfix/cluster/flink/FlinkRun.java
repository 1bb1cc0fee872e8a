package io.lastfix.cluster.flink;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.kit.poll.Poll;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@code flink run -d} in a separate process, as an operator would type it. The job's {@code
 * main} runs in it and reads the configuration on this machine, and the cluster gets a finished job
 * graph. So the jar is used exactly as on a user's own cluster.
 *
 * @param flinkLib folder with the jars of a Flink distribution's lib
 * @param workDirectory receives a folder in its {@code flink-client} for each submission, with the
 *     client's configuration and log; the folder of a failed submission stays for a day
 * @param flink the cluster's web address
 * @param mainClass options that name the job's class; empty: the manifest of the jar names it
 */
public record FlinkRun(Path flinkLib, Path workDirectory, URI flink, List<String> mainClass)
    implements JobSubmitter {
  private static final Pattern SUBMITTED =
      Pattern.compile("Job has been submitted with JobID ([0-9a-f]{32})");

  /** The beginning of an event in the command's log, in the format of {@link ClientFolder}. */
  private static final Pattern EVENT = Pattern.compile("^[A-Z]+ +[\\w$]+ - .*");

  /** The event with which a failing Flink command ends. */
  private static final String FAILED = "ERROR CliFrontend - ";

  /** The time limit of a submission. */
  public static final Duration LIMIT = Duration.ofMinutes(3);

  /** How long the log of a failed submission is kept. */
  private static final Duration KEPT = Duration.ofDays(1);

  private static final Duration POLL = Duration.ofMillis(200);
  private static final String FOLDER_PREFIX = "submit-";
  private static final String CONFIG = "config.yaml";
  private static final String OUTPUT = "submit.log";
  private static final String ARGUMENTS = "arguments";

  /** Prepares submissions of the job that the manifest of the jar names. */
  public FlinkRun(Path flinkLib, Path workDirectory, String flinkUrl) {
    this(flinkLib, workDirectory, URI.create(flinkUrl), List.of());
  }

  /**
   * Prepares submissions of a job other than the one that the manifest of the jar names.
   *
   * @param job its class
   */
  public FlinkRun of(Class<?> job) {
    return new FlinkRun(flinkLib, workDirectory, flink, List.of("--class", job.getName()));
  }

  @Override
  public String submit(
      Path jar, List<String> arguments, @Nullable String savepoint, Map<String, String> environment)
      throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(mainClass);
    if (savepoint != null) {
      options.addAll(List.of("--fromSavepoint", savepoint));
    }
    ClientFolder client = ClientFolder.create(workDirectory, FOLDER_PREFIX, KEPT);
    Path conf = client.path();
    Files.writeString(
        conf.resolve(CONFIG),
        "rest:%n  address: %s%n  port: %d%n".formatted(flink.getHost(), port()));
    Path output = conf.resolve(OUTPUT);

    List<String> command = client.java();
    command.addAll(FlinkJvm.CLIENT_OPTIONS);
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

    // A short command line: Linux hides the arguments of one that is longer than a page.
    ProcessBuilder builder =
        new ProcessBuilder(command.get(0), "@" + client.argumentFile(ARGUMENTS, command))
            .redirectErrorStream(true);
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
    String printed = read(output);
    List<String> ids =
        SUBMITTED
            .matcher(printed)
            .results()
            .map(submitted -> submitted.group(1))
            .distinct()
            .toList();
    if (process.exitValue() != 0 || ids.isEmpty()) {
      throw new IOException(
          "the job was not submitted: %s%nthe output of flink run is in %s and %s"
              .formatted(FailureCause.of(exception(client.log(), printed)), output, client.log()));
    }
    if (ids.size() > 1) {
      throw new IOException(
          "flink run submitted %d jobs instead of one: %s, see %s"
              .formatted(ids.size(), String.join(", ", ids), output));
    }
    client.delete();
    return ids.get(0);
  }

  @Override
  public void awaitOthers() throws IOException, InterruptedException {
    String folder = workDirectory.resolve(ClientFolder.PARENT).resolve(FOLDER_PREFIX).toString();
    List<ProcessHandle> others =
        Poll.until(
            POLL,
            LIMIT,
            () -> RecordedProcess.withArgument(argument -> argument.startsWith("@" + folder)),
            List::isEmpty);
    if (!others.isEmpty()) {
      throw new IOException(
          "a submission of a killed command still runs (process id %d): retry when it has ended"
              .formatted(others.get(0).pid()));
    }
  }

  private int port() {
    return flink.getPort() < 0 ? 80 : flink.getPort();
  }

  /**
   * The exception that ended Flink's command, from its log. The output may contain other threads'
   * exceptions before, within or after it. An example is a driver's thread that still runs after
   * the job's classes were unloaded.
   *
   * @param printed the command's output, used if it wrote no log
   */
  private static String exception(Path log, String printed) throws IOException {
    if (!Files.exists(log)) {
      return printed;
    }
    String exception =
        read(log)
            .lines()
            .dropWhile(line -> !line.startsWith(FAILED))
            .skip(1)
            .takeWhile(line -> !EVENT.matcher(line).matches())
            .collect(Collectors.joining(System.lineSeparator()));
    return exception.isBlank() ? printed : exception;
  }

  /** Tolerates any encoding: a wrong character must not fail a job that was submitted. */
  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
