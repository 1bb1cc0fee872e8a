package io.lastfix.local;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The place of servers: their directories, their ports, and the processes that already run there.
 *
 * @param home the directories
 * @param before of the last run
 * @param ports chooses among the free ones
 * @param preferDefaultPorts whether a server without a last run tries its default port first
 */
public record ServerSite(
    StackHome home, StackState before, Ports ports, boolean preferDefaultPorts) {
  /** The names of programs beside the servers begin with it. */
  static final String BESIDE_PREFIX = "beside-";

  /** Further options of each Java server, with blanks between them; they come before its own. */
  private static final String OPTIONS_VARIABLE = "LASTFIX_UP_JAVA_OPTIONS";

  /** Marks a Java process of a stack; the home directory and the process's name follow. */
  private static final String JAVA_MARKER = "-Dlastfix.process=";

  /**
   * Marks a mongod or mongos of a stack in the same way, because these accept no unknown options.
   */
  private static final String MONGO_MARKER = "--pidfilepath=";

  /** Mosquitto takes no such option either; the path of its settings is what marks it. */
  private static final String MOSQUITTO_SUFFIX = ".mosquitto.conf";

  /** Nor do Prometheus and Alertmanager: this option of both has the path of their settings. */
  private static final String PROMETHEUS_MARKER = "--config.file=";

  private static final String PROCESS_ID_SUFFIX = ".pid";

  /** The name of the pid file of a stack's mongod or mongos. */
  private static final Pattern OF_MONGO =
      Pattern.compile(
          Stream.of(
                  MongoServer.PROCESS_PREFIX,
                  ShardedMongo.CONFIG_PREFIX,
                  ShardedMongo.ROUTER_PREFIX,
                  ShardedMongo.SHARD_PREFIX + "\\d+-")
              .collect(Collectors.joining("|", "(", ")\\d+\\" + PROCESS_ID_SUFFIX)));

  ServerSite(StackHome home, StackState before, KnownStacks stacks) {
    this(home, before, new Ports(stacks::portsOfOthers), true);
  }

  /** An empty directory for tests, in which servers take any free port. */
  public static ServerSite fresh(Path directory) {
    return new ServerSite(new StackHome(directory), StackState.empty(), new Ports(), false);
  }

  /**
   * The port of a running owner, else the port of its last run if that is free, else the default
   * port.
   */
  int port(String owner, String portName, int usual) {
    Integer last = before.ports().get(portName);
    if (last != null && before.process(owner).flatMap(RecordedProcess::find).isPresent()) {
      return last;
    }
    if (last != null) {
      return before.anyRuns() ? ports.chooseOwn(last) : ports.choose(last);
    }
    return ports.choose(preferDefaultPorts ? usual : Ports.ANY);
  }

  /**
   * The port of a server whose address is stored by others. If the server has data, only the port
   * of its last run is acceptable. The port's name is the server's.
   *
   * @throws StackException if another program has taken it
   */
  int lastingPort(String server, int usual) {
    int port = port(server, server, usual);
    Integer last = before.ports().get(server);
    if (last != null && last != port && home.hasData(server)) {
      throw new StackException(
          "another program uses port %d, and %s of the sharded MongoDB cannot move to another port; make it free, or start afresh with: lastfix down --purge"
              .formatted(last, server));
    }
    return port;
  }

  /** A Java server, which is adopted if an earlier command left it running. */
  ServerProcess javaProcess(String name, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Installation.java());
    // The first argument, because the system shows only the first 4096 characters of a command
    // line.
    command.add(marker(JAVA_MARKER, name));
    command.addAll(JavaOptions.of(System.getenv(), OPTIONS_VARIABLE));
    command.addAll(arguments);
    return process(name, () -> command);
  }

  /** A mongod or mongos, which is adopted if an earlier command left it running. */
  ServerProcess mongoProcess(String name, Path binary, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(binary.toString());
    command.add(marker(MONGO_MARKER, name) + PROCESS_ID_SUFFIX);
    command.addAll(arguments);
    return process(name, () -> command);
  }

  /**
   * A server that packages install, which is adopted if an earlier command left it running.
   *
   * @param program supplies it at each start
   * @param arguments one of them names the file of its settings
   */
  ServerProcess installedProcess(String name, Supplier<Path> program, List<String> arguments) {
    return process(
        name,
        () -> Stream.concat(Stream.of(program.get().toString()), arguments.stream()).toList());
  }

  /** The file of a Mosquitto's settings. */
  Path mosquittoSettings(String name) {
    return home.configDirectory(name).resolve(name + MOSQUITTO_SUFFIX);
  }

  /** The argument that names the settings of a Prometheus or Alertmanager. */
  String prometheusArgument(String name) {
    return PROMETHEUS_MARKER + prometheusSettings(name);
  }

  /** The file of the settings of a Prometheus or Alertmanager. */
  Path prometheusSettings(String name) {
    return home.configDirectory(name).resolve(name + ".yml");
  }

  /** Returns whether the file is the pid file of a mongod of the stack. */
  static boolean isProcessIdFile(Path file) {
    String name = file.getFileName().toString();
    return OF_MONGO.matcher(name).matches();
  }

  /** Running programs that {@link LocalStack#startBeside} has started. */
  Set<Long> beside() {
    return RecordedProcess.withArgument(
            argument -> argument.startsWith(marker(JAVA_MARKER, BESIDE_PREFIX)))
        .stream()
        .map(ProcessHandle::pid)
        .collect(Collectors.toSet());
  }

  /** Running processes of this home that no state file lists. */
  List<ProcessHandle> strays() {
    List<Long> known =
        before.processes().stream()
            .flatMap(process -> process.find().stream())
            .map(ProcessHandle::pid)
            .toList();
    return RecordedProcess.withArgument(
            argument ->
                argument.startsWith(marker(JAVA_MARKER, ""))
                    || argument.startsWith(marker(MONGO_MARKER, ""))
                    || isMosquittoOfThisHome(argument)
                    || isPrometheusOfThisHome(argument))
        .stream()
        .filter(process -> !known.contains(process.pid()))
        .toList();
  }

  private boolean isMosquittoOfThisHome(String argument) {
    return argument.startsWith(home.root() + "/") && argument.endsWith(MOSQUITTO_SUFFIX);
  }

  /** No other file there: a user may keep settings of a Prometheus of his own in this home. */
  private boolean isPrometheusOfThisHome(String argument) {
    return Stream.of(PrometheusServer.NAME, AlertmanagerServer.NAME)
        .anyMatch(name -> argument.equals(prometheusArgument(name)));
  }

  /** A running process of that name that the state file does not list. */
  Optional<RecordedProcess> stray(String name) {
    String mongoMarker = marker(MONGO_MARKER, name) + PROCESS_ID_SUFFIX;
    String mosquittoMarker = mosquittoSettings(name).toString();
    String prometheusMarker = prometheusArgument(name);
    return RecordedProcess.withArgument(
            argument ->
                argument.equals(marker(JAVA_MARKER, name))
                    || argument.equals(mongoMarker)
                    || argument.equals(mosquittoMarker)
                    || argument.equals(prometheusMarker))
        .stream()
        .findFirst()
        .map(process -> RecordedProcess.of(name, process, home.logFile(name)));
  }

  private ServerProcess process(String name, Supplier<List<String>> command) {
    ServerProcess process = new ServerProcess(name, command, home.logFile(name));
    before.process(name).ifPresent(process::adopt);
    return process;
  }

  private String marker(String prefix, String name) {
    return prefix + home.root() + "/" + name;
  }
}
