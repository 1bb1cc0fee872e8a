package io.lastfix.operate.access;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import io.lastfix.cluster.flink.FlinkRun;
import io.lastfix.jobs.Jobs;
import io.lastfix.local.ConsoleServer;
import io.lastfix.local.EndpointOverrides;
import io.lastfix.local.LocalStack;
import io.lastfix.local.StackOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The servers that a command uses: those that the user named, by option or environment, and those
 * of the running local stack.
 *
 * @param named by the user
 * @param local the local stack's addresses by name; empty if none runs
 * @param taken the names of those at which another program answers
 */
public record Servers(EndpointOverrides named, Map<String, String> local, Set<String> taken) {
  private static final Duration READY_LIMIT = Duration.ofMinutes(2);

  /** A server that a command requires. */
  public enum Kind {
    MONGO("mongodb", "mongo.uri", "--mongo-uri", EndpointOverrides.MONGO_VARIABLE),
    KAFKA("kafka", "kafka.bootstrap-servers", "--kafka", EndpointOverrides.KAFKA_VARIABLE),
    FLINK("flink", null, "--flink", EndpointOverrides.FLINK_VARIABLE);

    private final String localName;
    private final @Nullable String key;
    private final String option;
    private final String variable;

    Kind(String localName, @Nullable String key, String option, String variable) {
      this.localName = localName;
      this.key = key;
      this.option = option;
      this.variable = variable;
    }

    /**
     * The configuration's key for it; empty for Flink, whose address is not in the job's
     * configuration.
     */
    public Optional<String> key() {
      return Optional.ofNullable(key);
    }
  }

  /**
   * The user's servers, and the running local stack.
   *
   * @param named by the user
   */
  public static Servers resolve(EndpointOverrides named) {
    StackState state = StackState.read(StackHome.ofThisProcess()).orElse(StackState.empty());
    return new Servers(
        named,
        state.endpoints(),
        state.endpoints().keySet().stream()
            .filter(state::isAddressTaken)
            .collect(Collectors.toUnmodifiableSet()));
  }

  /**
   * The user's servers, and the local stack after starting those of its servers that do not run.
   *
   * @param named by the user
   * @param further the names of services that start, too, if they can: see {@link StackOptions}
   */
  public static Servers start(
      EndpointOverrides named,
      JobSettings settings,
      Set<String> further,
      Consumer<String> progress) {
    settings.access(resolve(named)).requireAnswers(named);
    StackHome home = StackHome.ofThisProcess();
    StackOptions running = StackOptions.asRunning(home);
    Set<String> services = new HashSet<>(running.services());
    services.addAll(further);
    StackOptions wanted =
        new StackOptions(
            home,
            named,
            running.mongo(),
            running.taskManagers(),
            running.slots(),
            services,
            READY_LIMIT);
    return new Servers(named, new LocalStack(home, progress).up(wanted).endpoints(), Set.of());
  }

  /** The address that the user named. */
  public Optional<String> named(Kind kind) {
    return switch (kind) {
      case MONGO -> named.mongoUri();
      case KAFKA -> named.kafka();
      case FLINK -> named.flink();
    };
  }

  /** The local stack's address, if it has such a server and no other program answers there. */
  public Optional<String> local(Kind kind) {
    return Optional.ofNullable(local.get(kind.localName))
        .filter(address -> !taken.contains(kind.localName));
  }

  /** The user's address, else the local stack's; empty if neither is known. */
  public Optional<String> find(Kind kind) {
    return named(kind).or(() -> local(kind));
  }

  /** The local stack's console; empty if it has none. */
  public Optional<String> console() {
    return Optional.ofNullable(local.get(ConsoleServer.NAME));
  }

  /** The Flink cluster's address. */
  public String flink() {
    requireOwn(Kind.FLINK);
    return find(Kind.FLINK).orElseThrow(() -> unknown(Kind.FLINK));
  }

  /** Submits that job of the jobs' jar to the Flink cluster. */
  public FlinkRun submitter(Jobs.Job job) {
    Path home = StackHome.ofThisProcess().root();
    return new FlinkRun(Installation.serverLibraries("flink"), home, flink()).of(job.mainClass());
  }

  /**
   * Requires that the address is not one of the local stack at which another program answers.
   *
   * @throws StackException otherwise
   */
  public void requireOwn(Kind kind) {
    if (named(kind).isEmpty() && taken.contains(kind.localName)) {
      throw new StackException(takenAddress(kind.localName, local.get(kind.localName)));
    }
  }

  /** Returns the message that another program has an address of the local stack. */
  public static String takenAddress(String name, String address) {
    return "the local stack's %s has ended, and another program answers at %s: run lastfix down, then lastfix up, which chooses free ports"
        .formatted(name, address);
  }

  static StackException unknown(Kind kind) {
    return new StackException(
        "no local stack is running: run lastfix up, or name a server of your own with %s or %s%s"
            .formatted(
                kind.option, kind.variable, kind.key().map(key -> ", or set " + key).orElse("")));
  }
}
