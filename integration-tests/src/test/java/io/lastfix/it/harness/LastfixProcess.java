package io.lastfix.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.cluster.Installation;
import io.lastfix.local.Ports;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The {@code lastfix} command as its user starts it: a process of its own, which the tests know by
 * its exit code and by what it writes. Past the script, which might begin a build.
 */
public final class LastfixProcess {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path home;
  private final Path output;
  private final Map<String, String> environment;
  private final Path archive;
  private final List<String> jvmOptions;

  /**
   * @param home what {@code LASTFIX_HOME} says
   * @param output folder for what the command writes
   */
  public LastfixProcess(Path home, Path output) {
    this(home, output, Map.of());
  }

  /** Runs commands with further environment variables. */
  public LastfixProcess(Path home, Path output, Map<String, String> environment) {
    this(home, output, environment, builtArchive(), List.of());
  }

  private LastfixProcess(
      Path home,
      Path output,
      Map<String, String> environment,
      Path archive,
      List<String> jvmOptions) {
    this.home = home;
    this.output = output;
    this.environment = environment;
    this.archive = archive;
    this.jvmOptions = jvmOptions;
  }

  /**
   * Chooses ports for what {@code lastfix up} will start in this home, so that the test has the
   * same after a {@code down}: another stack may take the usual ones then. TwoStacksIT and the
   * archive's test use the usual ones. MongoDB has one member, as in a new home: {@code up} starts
   * as many as there are ports.
   */
  public LastfixProcess withPortsOfItsOwn() throws IOException {
    return withPortsOfItsOwn(1);
  }

  /**
   * Chooses ports as {@link #withPortsOfItsOwn()} does, for a replica set.
   *
   * @param mongoMembers its members
   */
  public LastfixProcess withPortsOfItsOwn(int mongoMembers) throws IOException {
    Ports ports = new Ports();
    Map<String, Integer> chosen =
        Stream.concat(
                IntStream.range(0, mongoMembers).mapToObj(member -> "mongod-" + member),
                Stream.of(
                    "kafka",
                    "kafka-controller",
                    "flink-rest",
                    "flink-rpc",
                    "gateway",
                    "mqtt",
                    "notify",
                    "console",
                    "prometheus",
                    "alertmanager"))
            .collect(Collectors.toMap(name -> name, name -> ports.choose(Ports.ANY)));
    Files.createDirectories(home);
    Files.writeString(
        home.resolve("stack.json"),
        JSON.writeValueAsString(
            Map.of("processes", List.of(), "ports", chosen, "endpoints", Map.of())));
    return this;
  }

  /** Returns commands of another archive of classes than the one that the build made. */
  public LastfixProcess withArchive(Path other) {
    return new LastfixProcess(home, output, environment, other, jvmOptions);
  }

  /** Returns commands whose JVM has these options. */
  public LastfixProcess withJvmOptions(String... options) {
    return new LastfixProcess(home, output, environment, archive, List.of(options));
  }

  /** What the build leaves for the command (cli/archive-classes.sh). */
  private static Path builtArchive() {
    return Installation.root().resolve("cli/target/lastfix.jsa");
  }

  /** What a run left. */
  public record Result(int exitCode, String out, String err) {
    /** Standard output, which must be one JSON value and nothing else. */
    public JsonNode json() throws IOException {
      return JSON.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).readTree(out);
    }

    public Result mustExitWith(int expected) {
      assertThat(exitCode).as("exit code; it wrote:%n%s%n%s", out, err).isEqualTo(expected);
      return this;
    }
  }

  /** One that runs, until it ends by itself or is told to. */
  public static final class Running implements AutoCloseable {
    private final Process process;
    private final Path out;
    private final Path err;

    private Running(Process process, Path out, Path err) {
      this.process = process;
      this.out = out;
      this.err = err;
    }

    /** What it has written to standard output so far. */
    public String out() throws IOException {
      return Files.readString(out);
    }

    /** Whether it has, by itself or not. */
    public boolean hasEnded() {
      return !process.isAlive();
    }

    /** Asks it to end (SIGTERM). */
    public void terminate() {
      process.destroy();
    }

    /** Ends it at once (SIGKILL). */
    public void kill() {
      process.destroyForcibly();
    }

    /** Waits until it has ended. */
    public Result await(Duration limit) throws IOException, InterruptedException {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(
            "lastfix did not end within %s; it wrote:%n%s%n%s"
                .formatted(limit, Files.readString(out), Files.readString(err)));
      }
      return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  public Result run(Duration limit, String... arguments) throws IOException, InterruptedException {
    return start(arguments).await(limit);
  }

  /** Runs a command with the settings of a run's jobs. */
  public Result run(Duration limit, LocationRun run, String... arguments)
      throws IOException, InterruptedException {
    return run(limit, run.command(arguments));
  }

  public Running start(String... arguments) throws IOException {
    return start(command(arguments), Map.of("LASTFIX_HOME", home.toString()));
  }

  /**
   * Starts a command with its output in a pipe to another one. It runs until both have ended.
   *
   * @param reader a command of the shell
   */
  public Running startBefore(String reader, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" | " + reader, "lastfix"));
    command.addAll(command(arguments));
    return start(command, Map.of("LASTFIX_HOME", home.toString()));
  }

  /** Runs lines of bash, in which {@code lastfix} and {@code ./lastfix} are the command. */
  public Result runLines(Duration limit, String lines) throws IOException, InterruptedException {
    String function = "java=(\"$@\"); lastfix() { \"${java[@]}\" \"$@\"; }\n";
    List<String> command =
        new ArrayList<>(
            List.of("bash", "-ec", function + lines.replace("./lastfix ", "lastfix "), "lastfix"));
    command.addAll(command());
    return start(command, Map.of("LASTFIX_HOME", home.toString())).await(limit);
  }

  /** The command of an unpacked archive, in a process that knows of it only by its path. */
  public static Running startInstalled(
      Path script, Path userData, Path directory, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(script.toString());
    command.addAll(Arrays.asList(arguments));
    return new LastfixProcess(userData.resolve("lastfix"), directory)
        .start(command, Map.of("XDG_DATA_HOME", userData.toString()));
  }

  private List<String> command(String... arguments) {
    Path root = Installation.root();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    if (Files.exists(archive)) {
      command.add("-XX:SharedArchiveFile=" + archive);
    }
    command.add("-Xlog:disable");
    command.add("-Xlog:all=warning:stderr");
    command.add("-Xlog:cds*=off:stderr");
    command.addAll(jvmOptions);
    command.add("-Dlastfix.root=" + root);
    command.add("-cp");
    command.add(
        root.resolve("cli/target/lastfix-cli.jar")
            + File.pathSeparator
            + root.resolve("cli/target/lib/*")
            // As the lastfix script does.
            + (arguments.length > 0 && arguments[0].equals("bench")
                ? File.pathSeparator + root.resolve("bench/target/lib/*")
                : ""));
    command.add("io.lastfix.cli.Lastfix");
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  private Running start(List<String> command, Map<String, String> place) throws IOException {
    Path out = Files.createTempFile(output, "out", ".txt");
    Path err = Files.createTempFile(output, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(output.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().remove("LASTFIX_HOME");
    builder.environment().putAll(place);
    // As at a user's: the JVM would say on standard error that it has taken them.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    List.of("LASTFIX_MONGO_URI", "LASTFIX_KAFKA", "LASTFIX_FLINK")
        .forEach(builder.environment()::remove);
    builder.environment().putAll(environment);
    return new Running(builder.start(), out, err);
  }

  /** The servers that run in that home, by the marks on their command lines. */
  public List<Long> serversRunning() {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process
                    .info()
                    .arguments()
                    .map(Arrays::stream)
                    .orElse(Stream.of())
                    .anyMatch(argument -> argument.contains(home.toString())))
        .map(ProcessHandle::pid)
        .sorted()
        .toList();
  }
}
