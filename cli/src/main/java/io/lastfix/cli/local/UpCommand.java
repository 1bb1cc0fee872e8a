package io.lastfix.cli.local;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.InterruptNotice;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cluster.Redaction;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.submission.ExpectedRules;
import io.lastfix.cluster.submission.Submission;
import io.lastfix.cluster.submission.SubmittedJobs;
import io.lastfix.jobs.Jobs;
import io.lastfix.local.AlertmanagerServer;
import io.lastfix.local.ConsoleServer;
import io.lastfix.local.EndpointOverrides;
import io.lastfix.local.FlinkCluster;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.KafkaServer;
import io.lastfix.local.LocalStack;
import io.lastfix.local.MongoServer;
import io.lastfix.local.MqttServer;
import io.lastfix.local.NotifyServer;
import io.lastfix.local.PrometheusServer;
import io.lastfix.local.StackOptions;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.status.StackStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts the local stack, or its missing servers. */
@Command(
    name = "up",
    description = "Starts the local stack: MongoDB, Kafka and Flink. Running it twice is harmless.",
    footer = "  lastfix up --gateway --console")
public final class UpCommand extends JsonCommand {
  private static final List<Server> SERVERS =
      List.of(
          new Server(MongoServer.NAME, "MongoDB"),
          new Server(KafkaServer.NAME, "Kafka"),
          new Server(FlinkCluster.NAME, "Flink"),
          new Server(GatewayServer.NAME, "Gateway"),
          new Server(MqttServer.NAME, "MQTT"),
          new Server(NotifyServer.NAME, "Notify"),
          new Server(ConsoleServer.NAME, "Console"),
          new Server(PrometheusServer.NAME, "Metrics"),
          new Server(AlertmanagerServer.NAME, "Alerts"));

  /** A server, as its address is printed. */
  private record Server(String name, String label) {}

  @Mixin private final AccessOptions options = new AccessOptions();

  @Option(
      names = "--taskmanagers",
      paramLabel = "N",
      description = "Flink TaskManagers (default: as many as last time, at first 1).")
  private Optional<Integer> taskManagers = Optional.empty();

  @Option(
      names = "--slots",
      paramLabel = "N",
      defaultValue = "5",
      description = "Slots of each TaskManager (default ${DEFAULT-VALUE}).")
  private int slots;

  @Option(
      names = "--mongo-members",
      paramLabel = "N",
      description =
          "Members of the MongoDB replica set (default: as many as last time, at first 1).")
  private Optional<Integer> mongoMembers = Optional.empty();

  @Option(
      names = "--shards",
      paramLabel = "N",
      description = {
        "Shards of MongoDB, behind two routers (default: as many as last time, at first no shards"
            + " but one replica set).",
        "Can grow, not shrink. Needs a mongos: LASTFIX_MONGOS, else the PATH, else the official"
            + " download."
      })
  private Optional<Integer> shards = Optional.empty();

  @Option(
      names = "--replicas",
      paramLabel = "R",
      description =
          "Members of each shard and of the config servers (default: as many as last time, at first"
              + " 1).")
  private Optional<Integer> replicas = Optional.empty();

  @Option(
      names = "--gateway",
      negatable = true,
      description = {
        "Also start a gateway, through which devices push records over HTTP (default: if the last"
            + " stack had one).",
        "It listens on this machine only, and takes records from everybody here."
      })
  private Optional<Boolean> gateway = Optional.empty();

  @Option(
      names = "--mqtt",
      negatable = true,
      description = {
        "Also start an MQTT broker, to which the gateway subscribes; with --gateway (default: if"
            + " the last stack had one).",
        "It is Mosquitto if that is installed (LASTFIX_MOSQUITTO, else the PATH), else HiveMQ CE,"
            + " which an installed archive does not hold. It listens on this machine only, and is"
            + " open to everybody here."
      })
  private Optional<Boolean> mqtt = Optional.empty();

  @Option(
      names = "--rules",
      negatable = true,
      description = {
        "Also start notify, which delivers alerts (default: if the last stack had it), and the rules"
            + " job, if it does not run.",
        "Its receivers are in LASTFIX_HOME/config/notify/notify.yaml, beside the MQTT broker and the"
            + " Alertmanager of the stack."
      })
  private Optional<Boolean> rules = Optional.empty();

  @Option(
      names = "--console",
      negatable = true,
      description = {
        "Also start the console, a map in a browser (default: if the last stack had one).",
        "It listens on this machine only, and shows everything to everybody here. It reads the"
            + " collections of config/location.yaml; for others run: lastfix console"
      })
  private Optional<Boolean> console = Optional.empty();

  @Option(
      names = "--metrics",
      negatable = true,
      description = {
        "Also start Prometheus, which reads the metrics of Flink, the gateway and the console, and"
            + " has Lastfix's alerts (default: if the last stack had them).",
        "It must be installed: LASTFIX_PROMETHEUS, else the PATH. Alertmanager starts beside it if"
            + " it is installed, too (LASTFIX_ALERTMANAGER, else the PATH; none: without one); it"
            + " notifies whom its file in LASTFIX_HOME names (config/alertmanager). Both and the"
            + " console listen on this machine only; Flink's reporter listens on all addresses. If Flink runs, it is"
            + " started again: stop its jobs before, and submit them with --resume."
      })
  private Optional<Boolean> metrics = Optional.empty();

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Time limit for each server to become ready (default ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ZERO;

  @Override
  public Integer call() throws Exception {
    StackHome home = StackHome.locate(System.getenv());
    EndpointOverrides external = options.named();
    StackOptions stack = stack(home, external);
    options.access().requireAnswers(external);
    Set<String> services = stack.services();
    if (services.contains(PrometheusServer.NAME) && external.flink().isEmpty()) {
      new ExpectedRules(home).writeBeforeStart(external.kafka().isEmpty() ? services : Set.of());
    }
    long begin = System.nanoTime();
    StackState state =
        InterruptNotice.during(
            external, err(), () -> new LocalStack(home, this::say).upAndRemember(stack));
    if (rules.orElse(false)) {
      options
          .given(Jobs.RULES, Servers.Kind.MONGO, Servers.Kind.KAFKA)
          .withLocatedTopic()
          .startIfStopped()
          .ifPresent(page -> say("Started the rules job: " + page));
    }
    Map<String, String> addresses = addresses(state, external);
    if (isJson()) {
      printJson(Map.of("endpoints", addresses));
    } else {
      print(addresses, home, (System.nanoTime() - begin) / 1e9);
      if (external.flink().isEmpty()) {
        printStoppedJobs(home, addresses.get(FlinkCluster.NAME));
      }
    }
    return 0;
  }

  /**
   * Prints the jobs that a {@code down} has stopped. No other output shows that they do not run.
   */
  private void printStoppedJobs(StackHome home, String flink) {
    try {
      for (StackStatus.StoppedJob job :
          StackStatus.stopped(
              SubmittedJobs.ofLocalStack(home),
              Submission.LOCAL_STACK,
              new FlinkRest(flink).jobs())) {
        out().println(job.text());
      }
    } catch (IOException e) {
      // The stack is up all the same.
      say("cannot say which jobs do not run: " + e.getMessage());
    }
  }

  private StackOptions stack(StackHome home, EndpointOverrides external) {
    if (external.mongoUri().isPresent()
        && (mongoMembers.isPresent() || shards.isPresent() || replicas.isPresent())) {
      throw usageError(
          ("--mongo-members, --shards and --replicas: expected without --mongo-uri and %s, since"
                  + " lastfix does not start a MongoDB of your own")
              .formatted(EndpointOverrides.MONGO_VARIABLE));
    }
    if (external.kafka().isPresent() && gateway.orElse(false)) {
      throw usageError(
          "--gateway: expected without --kafka and %s; for a Kafka of your own run: lastfix gateway run"
              .formatted(EndpointOverrides.KAFKA_VARIABLE));
    }
    if (external.kafka().isPresent() && rules.orElse(false)) {
      throw usageError(
          "--rules: expected without --kafka and %s; for a Kafka of your own run: lastfix submit rules, and lastfix notify"
              .formatted(EndpointOverrides.KAFKA_VARIABLE));
    }
    if (external.mongoUri().isPresent() && console.orElse(false)) {
      throw usageError(
          "--console: expected without --mongo-uri and %s; for a MongoDB of your own run: lastfix console"
              .formatted(EndpointOverrides.MONGO_VARIABLE));
    }
    if (external.flink().isPresent() && metrics.orElse(false)) {
      throw usageError(
          "--metrics: expected without --flink and %s; a Flink of your own needs its own reporter"
              .formatted(EndpointOverrides.FLINK_VARIABLE));
    }
    StackOptions lastStart = StackOptions.fromLastStart(home);
    Set<String> services = new HashSet<>(lastStart.services());
    if (!gateway.orElse(true)) {
      services.remove(MqttServer.NAME);
    }
    choose(services, GatewayServer.NAME, gateway);
    choose(services, MqttServer.NAME, mqtt);
    choose(services, NotifyServer.NAME, rules);
    choose(services, ConsoleServer.NAME, console);
    choose(services, PrometheusServer.NAME, metrics);
    return accepted(
        "",
        () ->
            new StackOptions(
                home,
                external,
                lastStart.mongo().with(mongoMembers, shards, replicas),
                taskManagers.orElse(lastStart.taskManagers()),
                slots,
                services,
                timeout));
  }

  /** Without a choice, it is as last time. */
  private static void choose(Set<String> services, String name, Optional<Boolean> choice) {
    if (choice.isPresent()) {
      services.remove(name);
    }
    if (choice.orElse(false)) {
      services.add(name);
    }
  }

  private static Map<String, String> addresses(StackState state, EndpointOverrides external) {
    Map<String, String> all = new HashMap<>(state.endpoints());
    external.mongoUri().ifPresent(address -> all.put(MongoServer.NAME, address));
    external.kafka().ifPresent(address -> all.put(KafkaServer.NAME, address));
    external.flink().ifPresent(address -> all.put(FlinkCluster.NAME, address));
    Map<String, String> addresses = new LinkedHashMap<>();
    SERVERS.stream()
        .map(Server::name)
        .filter(all::containsKey)
        .forEach(name -> addresses.put(name, Redaction.redact(all.get(name))));
    return addresses;
  }

  private void print(Map<String, String> addresses, StackHome home, double seconds) {
    out().printf("The stack is up (%.1f s).%n", seconds);
    SERVERS.stream()
        .filter(server -> addresses.containsKey(server.name()))
        .forEach(
            server -> out().printf("  %-8s %s%n", server.label(), addresses.get(server.name())));
    out().printf("Its files are in %s; stop it with: lastfix down%n", home.root());
  }
}
