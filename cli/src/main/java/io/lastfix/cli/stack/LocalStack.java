package io.lastfix.cli.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Brings the local stack up and down. Each call holds the stack's lock, so two cannot mix. */
public final class LocalStack {
  private final StackHome home;
  private final Consumer<String> progress;

  /**
   * @param progress takes one line for the user at each step
   */
  public LocalStack(StackHome home, Consumer<String> progress) {
    this.home = home;
    this.progress = progress;
  }

  /**
   * Starts what isn't running and waits until all of it is ready. What runs already is kept.
   *
   * @return the state with the endpoints; servers of the user's own are not in it
   */
  public StackState up(StackOptions options) {
    return StackLock.holding(home, () -> upHoldingLock(options));
  }

  private StackState upHoldingLock(StackOptions options) {
    StackState before = StackState.read(home).orElse(StackState.empty());
    ServerSite site = new ServerSite(home, before, true);
    stopStrays(site);
    List<StackService> services = services(site, options);
    stopUnwanted(before, services);
    for (StackService service : services) {
      start(service);
      state(before, services).write(home);
    }
    for (StackService service : services) {
      long begin = System.nanoTime();
      service.awaitReady(options.readyLimit());
      progress.accept(
          "%s is ready (%.1f s more)"
              .formatted(title(service.name()), (System.nanoTime() - begin) / 1e9));
    }
    return state(before, services);
  }

  /**
   * Stops everything, also what no state file tells of.
   *
   * @param purge also delete the data
   * @return how many processes were running
   */
  public int down(boolean purge) {
    return StackLock.holding(home, () -> downHoldingLock(purge));
  }

  private int downHoldingLock(boolean purge) {
    StackState before = StackState.read(home).orElse(StackState.empty());
    ServerSite site = new ServerSite(home, before, true);
    int stopped = stopStrays(site);
    // Flink first, so that no job fails over the loss of its servers on the way.
    List<RecordedProcess> lastStartedFirst = new ArrayList<>(before.processes());
    Collections.reverse(lastStartedFirst);
    for (RecordedProcess process : lastStartedFirst) {
      stopped += stop(process);
    }
    // The ports are kept: the next stack stands where this one stood, if it can.
    new StackState(List.of(), before.ports(), Map.of()).write(home);
    if (purge) {
      purge();
    }
    return stopped;
  }

  private List<StackService> services(ServerSite site, StackOptions options) {
    List<StackService> services = new ArrayList<>();
    if (options.external().mongoUri().isEmpty()) {
      Path mongod = new MongodBinary(System.getenv(), progress).locate();
      services.add(new MongoServer(site, mongod, options.mongoMembers()));
    }
    if (options.external().kafka().isEmpty()) {
      services.add(new KafkaServer(site));
    }
    if (options.external().flink().isEmpty()) {
      services.add(new FlinkCluster(site, options.taskManagers(), options.slots()));
    }
    return services;
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
        ports.putAll(service.ports());
      }
    }
    return new StackState(processes, ports, endpoints);
  }

  /** A TaskManager fewer than last time, or a server the user now has elsewhere. */
  private void stopUnwanted(StackState before, List<StackService> services) {
    List<String> wanted =
        services.stream().flatMap(s -> s.processes().stream()).map(ServerProcess::name).toList();
    before.processes().stream()
        .filter(process -> !wanted.contains(process.name()))
        .forEach(this::stop);
  }

  private int stop(RecordedProcess recorded) {
    Optional<ProcessHandle> running = recorded.find();
    running.ifPresent(
        process -> {
          progress.accept("stopping " + recorded.name());
          ServerProcess.stop(
              process, recorded.name(), Path.of(recorded.logFile()), StackService.STOP_LIMIT);
        });
    return running.isPresent() ? 1 : 0;
  }

  private int stopStrays(ServerSite site) {
    List<ProcessHandle> strays = site.strays();
    for (ProcessHandle stray : strays) {
      progress.accept("stopping process " + stray.pid() + ", left by a run that was cut short");
      ServerProcess.stop(stray, "stray", home.logFile("stray"), StackService.STOP_LIMIT);
    }
    return strays.size();
  }

  private void purge() {
    progress.accept("deleting " + home.data());
    if (!Files.exists(home.data())) {
      return;
    }
    try (Stream<Path> files = Files.walk(home.data())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new StackException("cannot delete " + home.data() + ": " + e, e);
    }
  }

  static String title(String service) {
    return switch (service) {
      case "mongodb" -> "MongoDB";
      case "kafka" -> "Kafka";
      default -> "Flink";
    };
  }
}
