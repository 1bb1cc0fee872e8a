package io.lastfix.local;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackState;
import io.lastfix.cluster.flink.FlinkJvm;
import io.lastfix.cluster.flink.FlinkRest;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Flink session cluster: one JobManager with its web interface, and TaskManagers. */
public final class FlinkCluster extends StackService {
  public static final String NAME = StackState.FLINK;
  public static final String JOB_MANAGER = StackState.JOB_MANAGER;
  static final String TASK_MANAGER = "taskmanager-";
  private static final int USUAL_REST_PORT = 8081;
  private static final int USUAL_RPC_PORT = 6123;
  private static final int USUAL_METRICS_PORT = 9249;

  // A TaskManager's memory in MiB. Flink's scripts compute these values; without the scripts, each
  // must be set.
  private static final int FRAMEWORK_HEAP = 128;
  private static final int TASK_HEAP = 768;
  private static final int MANAGED = 256;
  private static final int NETWORK = 128;
  private static final int FRAMEWORK_OFF_HEAP = 128;
  private static final int TASK_OFF_HEAP = 128;
  private static final int METASPACE = 256;
  private static final int JVM_OVERHEAD = 256;

  private final int slots;
  private final boolean reports;

  private final List<String> metricsAddresses = new ArrayList<>();
  private final Map<String, String> more;
  private final int restPort;
  private final int rpcPort;
  private final Path configDirectory;
  private final String classPath;

  /**
   * A cluster with other settings of Flink, and with more jars on the class path of its processes,
   * as if they were in Flink's {@code lib}.
   *
   * @param taskManagers 1 or more
   * @param slots of each TaskManager, 1 or more
   * @param more keys and values of Flink's configuration, over those of the local stack
   * @param reports whether it has Flink's reporter for Prometheus, on a port of each process
   */
  public FlinkCluster(
      ServerSite site,
      int taskManagers,
      int slots,
      Map<String, String> more,
      List<Path> jars,
      boolean reports) {
    super(site, NAME);
    if (taskManagers < 1 || slots < 1) {
      throw new IllegalArgumentException(
          "a Flink cluster needs at least 1 TaskManager with 1 slot, not %s with %s"
              .formatted(taskManagers, slots));
    }
    this.slots = slots;
    this.reports = reports;
    this.more = Map.copyOf(more);
    classPath =
        Stream.concat(Stream.of(Installation.classPath(NAME)), jars.stream().map(Path::toString))
            .collect(Collectors.joining(File.pathSeparator));
    restPort = takePort(JOB_MANAGER, "flink-rest", USUAL_REST_PORT);
    rpcPort = takePort(JOB_MANAGER, "flink-rpc", USUAL_RPC_PORT);
    configDirectory = site.home().configDirectory(NAME);
    add(jobManager());
    for (int i = 0; i < taskManagers; i++) {
      add(taskManager(TASK_MANAGER + i));
    }
  }

  /**
   * Returns the cluster of a local stack.
   *
   * @param reports whether it has Flink's reporter for Prometheus, on a port of each process
   */
  static FlinkCluster ofStack(ServerSite site, StackOptions options, boolean reports) {
    return new FlinkCluster(
        site, options.taskManagers(), options.slots(), Map.of(), List.of(), reports);
  }

  /** Returns whether a process of that name is one of a cluster. */
  static boolean isProcess(String name) {
    return name.equals(JOB_MANAGER) || name.startsWith(TASK_MANAGER);
  }

  /** Where its processes report; empty if they do not. */
  List<String> metricsAddresses() {
    return List.copyOf(metricsAddresses);
  }

  private ServerProcess jobManager() {
    return flinkProcess(
        JOB_MANAGER,
        List.of("-Xms256m", "-Xmx512m", "-XX:MaxMetaspaceSize=256m", "-XX:+UseG1GC"),
        "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
        List.of());
  }

  private ServerProcess taskManager(String name) {
    return flinkProcess(
        name,
        List.of(
            "-Xmx" + (FRAMEWORK_HEAP + TASK_HEAP) + "m",
            "-XX:MaxDirectMemorySize=" + (FRAMEWORK_OFF_HEAP + TASK_OFF_HEAP + NETWORK) + "m",
            "-XX:MaxMetaspaceSize=" + METASPACE + "m",
            "-XX:+UseParallelGC"),
        "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
        List.of("-D", "taskmanager.resource-id=" + name));
  }

  private ServerProcess flinkProcess(
      String name, List<String> memory, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>(memory);
    command.addAll(FlinkJvm.OPTIONS);
    command.add("-Dlog.file=" + site.home().logFile(name));
    command.add("-Dlog4j2.configurationFile=" + configDirectory.resolve("log4j2.properties"));
    command.add("-cp");
    command.add(classPath);
    command.add(mainClass);
    command.add("--configDir");
    command.add(configDirectory.toString());
    command.addAll(arguments);
    if (reports) {
      int usual = USUAL_METRICS_PORT + metricsAddresses.size();
      int port = takePort(name, "metrics-" + name, usual);
      metricsAddresses.add(Ports.LOOPBACK + ":" + port);
      command.addAll(List.of("-D", "metrics.reporter.prom.port=" + port));
    }
    return site.javaProcess(name, command);
  }

  /** The TaskManagers' processes. */
  public List<ServerProcess> taskManagerProcesses() {
    return processes().stream().skip(1).toList();
  }

  /** The address of the REST interface and the web interface. */
  @Override
  public String endpoint() {
    return "http://" + Ports.LOOPBACK + ":" + restPort;
  }

  @Override
  public void start() {
    try {
      writeSettings();
    } catch (IOException e) {
      throw StackException.cannot("write Flink's settings in " + configDirectory, e);
    }
    super.start();
  }

  private void writeSettings() throws IOException {
    Path data = site.home().dataDirectory(NAME);
    Properties settings = Templates.properties("flink.properties");
    settings.put("jobmanager.rpc.address", Ports.LOOPBACK);
    settings.put("jobmanager.rpc.port", Integer.toString(rpcPort));
    settings.put("jobmanager.bind-host", Ports.LOOPBACK);
    settings.put("rest.address", Ports.LOOPBACK);
    settings.put("rest.bind-address", Ports.LOOPBACK);
    settings.put("rest.port", Integer.toString(restPort));
    settings.put("rest.bind-port", Integer.toString(restPort));
    settings.put("taskmanager.host", Ports.LOOPBACK);
    settings.put("taskmanager.bind-host", Ports.LOOPBACK);
    settings.put("taskmanager.numberOfTaskSlots", Integer.toString(slots));
    settings.put("taskmanager.cpu.cores", Integer.toString(slots));
    settings.put("taskmanager.memory.framework.heap.size", FRAMEWORK_HEAP + "m");
    settings.put("taskmanager.memory.task.heap.size", TASK_HEAP + "m");
    settings.put("taskmanager.memory.managed.size", MANAGED + "m");
    settings.put("taskmanager.memory.network.min", NETWORK + "m");
    settings.put("taskmanager.memory.network.max", NETWORK + "m");
    settings.put("taskmanager.memory.framework.off-heap.size", FRAMEWORK_OFF_HEAP + "m");
    settings.put("taskmanager.memory.task.off-heap.size", TASK_OFF_HEAP + "m");
    settings.put("taskmanager.memory.jvm-metaspace.size", METASPACE + "m");
    settings.put("taskmanager.memory.jvm-overhead.min", JVM_OVERHEAD + "m");
    settings.put("taskmanager.memory.jvm-overhead.max", JVM_OVERHEAD + "m");
    settings.put("web.upload.dir", made(data.resolve("jars")).toString());
    settings.put("io.tmp.dirs", made(data.resolve("tmp")).toString());
    settings.put("execution.checkpointing.dir", flinkUri(made(data.resolve("checkpoints"))));
    settings.put(
        "execution.checkpointing.savepoint-dir", flinkUri(made(data.resolve("savepoints"))));
    settings.putAll(more);
    String reporter =
        reports ? Files.readString(Installation.config("metrics/flink-reporter.yaml")) : "";
    Files.writeString(
        configDirectory.resolve("config.yaml"),
        settings.entrySet().stream()
            .map(entry -> entry.getKey() + ": " + quoted(entry.getValue().toString()) + "\n")
            .sorted()
            .collect(Collectors.joining("", "# Written by lastfix up at each start\n", reporter)));
    Templates.write("flink-log4j2.properties", configDirectory.resolve("log4j2.properties"));
  }

  /**
   * Returns a directory as Flink takes it: a URI whose path is not percent-encoded. Flink would use
   * an encoded path literally, and write beside the home if its name has a blank or an umlaut.
   */
  static String flinkUri(Path directory) {
    return "file://" + directory.toUri().getPath();
  }

  private static String quoted(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  private static Path made(Path directory) throws IOException {
    return Files.createDirectories(directory);
  }

  /**
   * Waits until the current process of each TaskManager, not a killed predecessor, is registered.
   */
  @Override
  public void awaitReady(Duration limit) {
    FlinkRest rest = new FlinkRest(endpoint());
    Readiness.await("Flink", processes(), limit, () -> allRegistered(rest));
  }

  private boolean allRegistered(FlinkRest rest) throws IOException {
    Map<String, Long> heartbeats = rest.lastHeartbeatMillisByTaskManager();
    return taskManagerProcesses().stream()
        .allMatch(
            process ->
                heartbeats.getOrDefault(process.name(), 0L) > process.record().startedAtMillis());
  }
}
