package io.lastfix.local;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.Restarts;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackLock;
import io.lastfix.cluster.StackState;
import io.lastfix.cluster.SupervisedServers;
import io.lastfix.cluster.gateway.GatewayClient;
import io.lastfix.local.program.MongodBinary;
import io.lastfix.local.program.ShardingPrograms;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts and stops the local stack. Each call holds the stack's lock, so calls never overlap. */
public final class LocalStack implements SupervisedServers {
  /** The longest time for which another command may start or stop some servers. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final StackHome home;
  private final KnownStacks stacks;
  private final Consumer<String> progress;

  /**
   * @param progress receives one line for the user at each step
   */
  public LocalStack(StackHome home, Consumer<String> progress) {
    this.home = home;
    this.stacks = KnownStacks.seenFrom(home, System.getenv(), progress);
    this.progress = progress;
  }

  /**
   * Starts all servers that do not run, and waits until all are ready. Running servers stay as they
   * are.
   *
   * @return the state with the endpoints; it does not include the user's own servers
   */
  public StackState up(StackOptions options) {
    return StackLock.holding(home, PATIENCE, () -> upHoldingLock(options, false));
  }

  /**
   * Starts the stack; the next start has these services by default, even after a {@code down}.
   *
   * @return the state with the endpoints; it does not include the user's own servers
   */
  public StackState upAndRemember(StackOptions options) {
    return StackLock.holding(home, PATIENCE, () -> upHoldingLock(options, true));
  }

  private StackState upHoldingLock(StackOptions options, boolean remember) {
    StackState before = StackState.read(home).orElse(StackState.empty());
    ServerSite site = new ServerSite(home, before, stacks);
    Set<String> names = ownServices(options);
    requirePrograms(names, before);
    home.restrict(progress);
    if (remember) {
      LastServices.write(home, options);
    }
    // A demo or a benchmark begins without what the last demo still sends.
    stopStrays(site, remember && before.anyRuns() ? site.beside() : Set.of());
    if (names.contains(MongoServer.NAME)) {
      options.mongo().requireFits(home);
    }
    Optional<Function<ServerSite, StackService>> mongo = mongo(options, names);
    List<StackService> services =
        stacks.whileNoOtherChooses(() -> withPorts(site, options, names, mongo, before));
    stopUnwanted(before, services);
    // With the ports of what has not started yet, which belong to it all the same.
    StackState chosen = StackState.read(home).orElseThrow();
    for (StackService service : services) {
      start(service);
      state(chosen, services).write(home);
    }
    for (StackService service : services) {
      long begin = System.nanoTime();
      awaitReady(service, options.readyLimit(), chosen, services);
      progress.accept(
          "%s is ready at %s (%.1f s more)"
              .formatted(
                  title(service.name()), service.endpoint(), (System.nanoTime() - begin) / 1e9));
    }
    return state(chosen, services);
  }

  /** The services, with their ports in the state file, so that no other stack takes these. */
  private List<StackService> withPorts(
      ServerSite site,
      StackOptions options,
      Set<String> names,
      Optional<Function<ServerSite, StackService>> mongoAt,
      StackState before) {
    List<StackService> services = services(site, options, names, mongoAt);
    boolean isUp = before.anyRuns();
    if (isUp) {
      services.stream()
          .filter(service -> before.endpoints().containsKey(service.name()))
          .forEach(service -> requireSamePorts(service, before));
    }
    Map<String, Integer> ports = new HashMap<>(before.ports());
    // Of a server that this stack had before, and that another stack has now.
    ports.values().removeAll(stacks.portsOfOthers());
    services.forEach(service -> addPorts(ports, service));
    // After a reboot the former addresses are no longer true.
    new StackState(
            isUp ? before.processes() : List.of(), ports, isUp ? before.endpoints() : Map.of())
        .write(home);
    return services;
  }

  /** Ports of MongoDB's former members, or of another shape, would be counted the next time. */
  private static void addPorts(Map<String, Integer> ports, StackService service) {
    if (service.name().equals(MongoServer.NAME)) {
      ports.keySet().removeIf(MongoShape::ownsPort);
    }
    ports.putAll(service.ports());
  }

  /** Before anything starts; a server that runs needs its program no more. */
  private static void requirePrograms(Set<String> names, StackState before) {
    if (names.contains(PrometheusServer.NAME) && !before.isAnyRunning(PrometheusServer.NAME)) {
      var unused = PrometheusServer.program();
    }
    if (names.contains(MqttServer.NAME) && !before.isAnyRunning(MqttServer.NAME)) {
      MqttServer.requireInstalled(System.getenv());
    }
  }

  /** Records also the processes that start only during the wait, even if the wait fails. */
  private void awaitReady(
      StackService service, Duration limit, StackState before, List<StackService> services) {
    try {
      service.awaitReady(limit);
    } finally {
      state(before, services).write(home);
    }
  }

  /**
   * Starts a Java program that is no server of the stack, and is not restarted. It ends with the
   * stack; {@link #upAndRemember} leaves it if the stack runs.
   *
   * @param name of its log
   * @param arguments of java
   * @return its process id
   */
  public long startBeside(String name, List<String> arguments) {
    return StackLock.holding(
        home,
        PATIENCE,
        () -> {
          StackState state = StackState.read(home).orElse(StackState.empty());
          ServerProcess process =
              new ServerSite(home, state, stacks)
                  .javaProcess(ServerSite.BESIDE_PREFIX + name, arguments);
          process.start();
          return process.pid();
        });
  }

  /**
   * Restarts processes of the stack that have ended, with their former settings, and does not wait
   * until they are ready. Stops a gateway, or notify, before that if it reports that only a restart
   * helps. Does nothing while another command changes the stack. Starts nothing that {@link #down}
   * has stopped. One that cannot be started keeps no other from its start.
   *
   * @param mayStart decides for the name of each ended process, and of those two before their stop
   * @throws StackException if no process can be started: the stack's files cannot be read
   */
  @Override
  public Restarts restartEnded(Predicate<String> mayStart) {
    StackState state = StackState.read(home).orElse(StackState.empty());
    if (stuck(state).isEmpty()
        && state.processes().stream().allMatch(process -> process.find().isPresent())) {
      return new Restarts(List.of(), Map.of(), true);
    }
    return StackLock.ifFree(home, () -> restartEndedHoldingLock(mayStart))
        .orElse(new Restarts(List.of(), Map.of(), false));
  }

  @Override
  public boolean areTakenDown() {
    return StackState.read(home).orElse(StackState.empty()).endpoints().isEmpty();
  }

  /** Why servers that run should be started again, by their names. */
  private static Map<String, String> stuck(StackState state) {
    Map<String, String> stuck = new LinkedHashMap<>();
    for (String name : List.of(GatewayServer.NAME, NotifyServer.NAME)) {
      String endpoint = state.endpoints().get(name);
      if (endpoint != null && state.isAnyRunning(name)) {
        GatewayClient.restartReason(endpoint).ifPresent(reason -> stuck.put(name, reason));
      }
    }
    return stuck;
  }

  private Restarts restartEndedHoldingLock(Predicate<String> mayStart) {
    List<Restarts.Restart> restarted = new ArrayList<>();
    Map<String, String> failures = new LinkedHashMap<>();
    // Read again: the state may have changed before this thread held the lock.
    StackState before = adoptStrays(StackState.read(home).orElse(StackState.empty()), restarted);
    Map<String, String> stuck = stuck(before);
    // Before the stop: one that stays stuck serves HTTP, and would be down until it may start.
    stuck.keySet().removeIf(mayStart.negate());
    for (String name : stuck.keySet()) {
      var unused = stop(before.process(name).stream().toList());
    }
    if (before.processes().stream().allMatch(process -> process.find().isPresent())) {
      return new Restarts(restarted, failures, restarted.isEmpty());
    }
    ServerSite site = new ServerSite(home, before, stacks);
    StackOptions lastStart = StackOptions.asRunning(home);
    StackState state = before;
    Set<String> names = before.endpoints().keySet();
    Optional<Function<ServerSite, StackService>> mongo = mongo(lastStart, names);
    for (StackService service :
        stacks.whileNoOtherChooses(() -> services(site, lastStart, names, mongo))) {
      for (ServerProcess process : service.processes()) {
        boolean hasEnded = before.process(process.name()).isPresent() && !process.isRunning();
        String reason = stuck.get(process.name());
        if (hasEnded && (reason != null || mayStart.test(process.name()))) {
          String ending = reason == null ? process.lastLine() : ", because it was stuck: " + reason;
          try {
            requireSamePorts(service, before);
            // Not the service's start, which would write its own settings: the existing ones may
            // differ.
            process.start();
          } catch (StackException e) {
            failures.put(process.name(), String.valueOf(e.getMessage()));
            continue;
          }
          restarted.add(new Restarts.Restart(process.name(), process.record().pid(), ending));
          state = state.with(process.record());
          state.write(home);
        }
      }
    }
    return new Restarts(restarted, failures, false);
  }

  /** Adopts processes of another supervisor that was killed before it recorded them. */
  private StackState adoptStrays(StackState before, List<Restarts.Restart> adopted) {
    ServerSite site = new ServerSite(home, before, stacks);
    StackState state = before;
    for (RecordedProcess process : before.processes()) {
      Optional<RecordedProcess> stray =
          process.find().isPresent() ? Optional.empty() : site.stray(process.name());
      if (stray.isPresent()) {
        adopted.add(new Restarts.Restart(stray.get().name(), stray.get().pid(), ""));
        state = state.with(stray.get());
        state.write(home);
      }
    }
    return state;
  }

  /** On another port, the servers and jobs that still run would not find it. */
  private static void requireSamePorts(StackService service, StackState before) {
    service
        .ports()
        .forEach(
            (name, port) -> {
              Integer last = before.ports().get(name);
              if (last != null && !port.equals(last)) {
                throw new StackException(
                    "cannot start %s again: another program has taken its port %s (%s); make it free, or start all of the stack anew: lastfix down, then lastfix up"
                        .formatted(title(service.name()), last, name));
              }
            });
  }

  /**
   * Stops everything, including processes that no state file lists.
   *
   * @param purge also delete the data and the record of the stack
   * @return the number of processes that ran
   */
  public int down(boolean purge) {
    return StackLock.holding(home, PATIENCE, () -> downHoldingLock(purge));
  }

  private int downHoldingLock(boolean purge) {
    StackState before = StackState.read(home).orElse(StackState.empty());
    ServerSite site = new ServerSite(home, before, stacks);
    int stopped = stopStrays(site, Set.of()) + stop(before.processes());
    // This removes the processes from the state before all else; otherwise a supervisor would
    // restart them.
    if (purge) {
      purge();
    } else {
      // Keeps the ports, so that the next stack uses the same ones if it can.
      new StackState(List.of(), before.ports(), Map.of()).write(home);
    }
    deleteProcessIdFiles();
    return stopped;
  }

  /** The services of the stack itself, without those that the user runs elsewhere. */
  private static Set<String> ownServices(StackOptions options) {
    EndpointOverrides external = options.external();
    Set<String> names = new HashSet<>(options.services());
    if (external.kafka().isPresent()) {
      names.removeAll(Set.of(GatewayServer.NAME, MqttServer.NAME, NotifyServer.NAME));
    } else {
      names.add(KafkaServer.NAME);
    }
    if (external.mongoUri().isPresent()) {
      names.remove(ConsoleServer.NAME);
    } else {
      names.add(MongoServer.NAME);
    }
    if (external.flink().isPresent()) {
      names.remove(PrometheusServer.NAME);
    } else {
      names.add(FlinkCluster.NAME);
    }
    if (names.contains(PrometheusServer.NAME)
        && AlertmanagerServer.find(System.getenv()).isPresent()) {
      names.add(AlertmanagerServer.NAME);
    }
    return names;
  }

  private List<StackService> services(
      ServerSite site,
      StackOptions options,
      Set<String> names,
      Optional<Function<ServerSite, StackService>> mongoAt) {
    List<StackService> services = new ArrayList<>();
    StackService mongo = mongoAt.map(it -> it.apply(site)).orElse(null);
    if (mongo != null) {
      services.add(mongo);
    }
    KafkaServer kafka = null;
    if (names.contains(KafkaServer.NAME)) {
      kafka = new KafkaServer(site, KafkaServer.Security.NONE, List.of());
      services.add(kafka);
      if (names.contains(GatewayServer.NAME)) {
        services.addAll(gateway(site, kafka, names.contains(MqttServer.NAME)));
      }
    }
    FlinkCluster flink =
        names.contains(FlinkCluster.NAME)
            ? FlinkCluster.ofStack(site, options, names.contains(PrometheusServer.NAME))
            : null;
    if (mongo != null && names.contains(ConsoleServer.NAME)) {
      services.add(
          new ConsoleServer(
              site,
              mongo.endpoint(),
              kafka == null ? null : kafka.endpoint(),
              flink == null ? options.external().flink().orElse(null) : flink.endpoint(),
              endpoint(services, GatewayServer.NAME).orElse(null)));
    }
    Optional<AlertmanagerServer> alertmanager =
        flink != null && names.contains(AlertmanagerServer.NAME)
            ? Optional.of(new AlertmanagerServer(site))
            : Optional.empty();
    if (kafka != null && names.contains(NotifyServer.NAME)) {
      Map<String, String> receivers = new HashMap<>();
      endpoint(services, MqttServer.NAME).ifPresent(it -> receivers.put("mqtt.broker", it));
      alertmanager.ifPresent(it -> receivers.put("alertmanager.url", it.endpoint()));
      services.add(new NotifyServer(site, kafka.endpoint(), receivers));
    }
    if (flink != null) {
      services.add(flink);
      if (names.contains(PrometheusServer.NAME)) {
        services.add(new PrometheusServer(site, targets(flink, services), alertmanager));
      }
    }
    // Last: its settings are the user's, and with a mistake in them all else is up.
    alertmanager.ifPresent(services::add);
    return services;
  }

  private static Optional<String> endpoint(List<StackService> services, String name) {
    return services.stream()
        .filter(service -> service.name().equals(name))
        .map(StackService::endpoint)
        .findFirst();
  }

  /** Where the servers' metrics are. */
  private static Map<String, List<String>> targets(
      FlinkCluster flink, List<StackService> services) {
    Map<String, List<String>> targets = new HashMap<>();
    targets.put(FlinkCluster.NAME, flink.metricsAddresses());
    for (String server : List.of(GatewayServer.NAME, NotifyServer.NAME, ConsoleServer.NAME)) {
      endpoint(services, server)
          .ifPresent(it -> targets.put(server, List.of(URI.create(it).getAuthority())));
    }
    return targets;
  }

  /** The broker before its client. */
  private static List<StackService> gateway(
      ServerSite site, KafkaServer kafka, boolean subscribes) {
    if (!subscribes) {
      return List.of(new GatewayServer(site, kafka.endpoint(), List.of()));
    }
    MqttServer broker = MqttServer.installed(site, System.getenv());
    return List.of(
        broker, new GatewayServer(site, kafka.endpoint(), GatewayServer.subscribingTo(broker)));
  }

  /**
   * The stack's MongoDB, if it has one, without its ports yet. Its programs are there afterwards;
   * to fetch them can take minutes.
   */
  private Optional<Function<ServerSite, StackService>> mongo(
      StackOptions options, Set<String> names) {
    if (!names.contains(MongoServer.NAME)) {
      return Optional.empty();
    }
    MongoShape shape = options.mongo();
    if (shape.isSharded()) {
      ShardingPrograms programs = ShardingPrograms.locate(System.getenv(), progress);
      return Optional.of(site -> new ShardedMongo(site, programs, shape, List.of()));
    }
    Path mongod = new MongodBinary(System.getenv(), progress).locate();
    return Optional.of(
        site -> new MongoServer(site, mongod, shape.members(), List.of(), client -> {}));
  }

  private void start(StackService service) {
    boolean allRun = service.processes().stream().allMatch(ServerProcess::isRunning);
    if (!allRun) {
      progress.accept("starting " + title(service.name()) + " on " + service.endpoint());
    }
    service.start();
  }

  private static StackState state(StackState before, List<StackService> services) {
    List<RecordedProcess> processes = new ArrayList<>();
    Map<String, Integer> ports = new HashMap<>(before.ports());
    Map<String, String> endpoints = new HashMap<>();
    for (StackService service : services) {
      if (service.processes().stream().anyMatch(ServerProcess::wasStarted)) {
        service.processes().stream()
            .filter(ServerProcess::wasStarted)
            .map(ServerProcess::record)
            .forEach(processes::add);
        endpoints.put(service.name(), service.endpoint());
        addPorts(ports, service);
      }
    }
    return new StackState(processes, ports, endpoints);
  }

  /**
   * Stops processes that the new options do not include: fewer TaskManagers, a server that the user
   * now runs elsewhere, or a gateway or notify whose broker comes or goes. Also Flink, if its
   * metrics are switched on or off, and Prometheus and notify, if Alertmanager is.
   */
  private void stopUnwanted(StackState before, List<StackService> services) {
    boolean isOther = isOther(MqttServer.NAME, before, services);
    boolean isOtherFlink = isOther(PrometheusServer.NAME, before, services);
    boolean isOtherPrometheus = isOther(AlertmanagerServer.NAME, before, services);
    List<String> wanted =
        services.stream()
            .flatMap(s -> s.processes().stream())
            .map(ServerProcess::name)
            .filter(name -> !(isOther && name.equals(GatewayServer.NAME)))
            .filter(name -> !((isOther || isOtherPrometheus) && name.equals(NotifyServer.NAME)))
            .filter(name -> !(isOtherFlink && FlinkCluster.isProcess(name)))
            .filter(name -> !(isOtherPrometheus && name.equals(PrometheusServer.NAME)))
            .toList();
    var unused =
        stop(
            before.processes().stream()
                .filter(process -> !wanted.contains(process.name()))
                .toList());
  }

  /** Returns whether the new stack has that service and the last has not, or the reverse. */
  private static boolean isOther(String service, StackState before, List<StackService> services) {
    return services.stream().anyMatch(s -> s.name().equals(service))
        != before.endpoints().containsKey(service);
  }

  /** Stops the processes, and returns how many ran. */
  private int stop(List<RecordedProcess> recorded) {
    List<ServerProcess> running = new ArrayList<>();
    for (RecordedProcess process : recorded) {
      process
          .find()
          .map(found -> ServerProcess.of(found, process.name(), Path.of(process.logFile())))
          .ifPresent(running::add);
    }
    for (List<ServerProcess> group : ShutdownOrder.groups(running)) {
      progress.accept(
          "stopping " + group.stream().map(ServerProcess::name).collect(Collectors.joining(", ")));
      ServerProcess.stop(group, StackService.STOP_LIMIT);
    }
    return running.size();
  }

  /**
   * @param kept ids of processes that continue
   */
  private int stopStrays(ServerSite site, Set<Long> kept) {
    List<ServerProcess> strays =
        site.strays().stream()
            .filter(stray -> !kept.contains(stray.pid()))
            .map(stray -> ServerProcess.of(stray, "stray", home.logFile("stray")))
            .toList();
    strays.forEach(
        stray ->
            progress.accept(
                "stopping process %s, which is no server of this stack: left by a run that was cut short, or the demo's taxis"
                    .formatted(stray.pid())));
    ServerProcess.stop(strays, StackService.STOP_LIMIT);
    return strays.size();
  }

  /** Deletes the pid files, which a mongod leaves behind when it ends. */
  private void deleteProcessIdFiles() {
    try (Stream<Path> files = Files.list(home.root())) {
      for (Path file : files.filter(ServerSite::isProcessIdFile).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw StackException.cannot("delete the process id files in " + home.root(), e);
    }
  }

  private void purge() {
    StackState.delete(home);
    LastServices.forget(home);
    progress.accept("deleting " + home.data());
    if (Files.exists(home.data())) {
      try (Stream<Path> files = Files.walk(home.data())) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      } catch (IOException e) {
        throw StackException.cannot("delete " + home.data(), e);
      }
    }
    stacks.forget();
  }

  static String title(String service) {
    return switch (service) {
      case "mongodb" -> "MongoDB";
      case "kafka" -> "Kafka";
      case GatewayServer.NAME -> "Gateway";
      case MqttServer.NAME -> "MQTT broker";
      case NotifyServer.NAME -> "Notify";
      case ConsoleServer.NAME -> "Console";
      case PrometheusServer.NAME -> "Prometheus";
      case AlertmanagerServer.NAME -> "Alertmanager";
      default -> "Flink";
    };
  }
}
