package io.lastfix.cli.common;

import io.lastfix.cli.common.Servers.Kind;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.Settings;
import io.lastfix.stack.submission.Submission;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The job's configuration as a command sees it: the file, over it the servers' addresses, and over
 * both {@code --set}. An address that the user names by option or environment counts before the
 * file's, and the local stack's only where neither the file nor {@code --set} has one.
 *
 * <p>An address may hold a password, so it is passed on as a reference to an environment variable
 * that only the started process gets, never as an argument that a process list shows.
 */
public final class JobSettings {
  private static final String VARIABLE_PREFIX = "LASTFIX_JOB_";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The job's configuration (default: the defaults of config/location.yaml).")
  private @Nullable Path configFile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A key over the file; may be given many times.")
  private List<String> overrides = new ArrayList<>();

  /** The same with keys over them, which hold over all that a user has said. */
  public JobSettings with(Map<String, String> keys) {
    JobSettings settings = new JobSettings();
    settings.configFile = configFile;
    settings.overrides = new ArrayList<>(overrides);
    keys.forEach((key, value) -> settings.overrides.add(key + "=" + value));
    return settings;
  }

  /** Settings that are not from a command line. */
  public static JobSettings of(Path configFile) {
    JobSettings settings = new JobSettings();
    settings.configFile = configFile;
    return settings;
  }

  public @Nullable Path configFile() {
    return configFile;
  }

  /**
   * The keys given with {@code --set}, in that order; without their values, which may be secret.
   */
  public List<String> overriddenKeys() {
    // A setting without '=' was refused when the settings were loaded.
    return overrides.stream().map(setting -> setting.substring(0, setting.indexOf('='))).toList();
  }

  /** What goes over the file for these servers; refers to {@link #environment}. */
  List<String> overrides(Servers servers) {
    List<String> all = new ArrayList<>();
    addresses(servers)
        .forEach(
            (kind, address) -> all.add(kind.key().orElseThrow() + "=${" + variable(kind) + "}"));
    // Last, so that what the user says on the command line holds over an environment variable.
    all.addAll(overrides);
    return all;
  }

  /** The same as a job's {@code main} takes it, with the file. */
  public List<String> arguments(Servers servers) {
    List<String> arguments = new ArrayList<>();
    if (configFile != null) {
      arguments.add("--config");
      arguments.add(configFile.toAbsolutePath().toString());
    }
    for (String override : overrides(servers)) {
      arguments.add("--set");
      arguments.add(override);
    }
    return arguments;
  }

  /** The environment variables that {@link #overrides} refers to. */
  public Map<String, String> environment(Servers servers) {
    Map<String, String> variables = new HashMap<>();
    addresses(servers).forEach((kind, address) -> variables.put(variable(kind), address));
    return variables;
  }

  /**
   * Every key and value that the job gets, among them secrets: to compare, not to keep. An address
   * of the local stack counts as that, since it may change.
   */
  public Map<String, String> effective(Servers servers) {
    Map<String, String> variables = environment(servers);
    for (Kind kind : Kind.values()) {
      if (servers.named(kind).isEmpty()) {
        variables.replace(variable(kind), Submission.LOCAL_STACK);
      }
    }
    return Settings.load(configFile, overrides(servers), lookup(variables)).resolved();
  }

  /** An environment variable's value: of ours, else of this process; null where there is none. */
  private static UnaryOperator<@Nullable String> lookup(Map<String, String> ours) {
    return name -> ours.containsKey(name) ? ours.get(name) : System.getenv(name);
  }

  private static String variable(Kind kind) {
    return VARIABLE_PREFIX + kind;
  }

  private Map<Kind, String> addresses(Servers servers) {
    Settings given = Settings.load(configFile, overrides, name -> null);
    Map<Kind, String> addresses = new HashMap<>();
    for (Kind kind : Kind.values()) {
      Optional<String> key = kind.key();
      if (key.isPresent()) {
        servers
            .named(kind)
            .or(() -> given.has(key.get()) ? Optional.empty() : servers.local(kind))
            .ifPresent(address -> addresses.put(kind, address));
      }
    }
    return addresses;
  }

  /** The configuration for a command that needs Kafka only. */
  public LocationJobConfig loadForKafka(EndpointOptions options) {
    return load(Servers.resolve(options), Kind.KAFKA);
  }

  /** The configuration for a command that needs MongoDB only. */
  public LocationJobConfig loadForMongo(EndpointOptions options) {
    return load(Servers.resolve(options), Kind.MONGO);
  }

  /** The configuration for a command that asks no server. */
  public LocationJobConfig loadForNoServer() {
    return LocationJobConfig.load(configFile, overrides);
  }

  /** Where the Flink cluster is that the user named, or the local stack's; empty if neither. */
  public Optional<String> findFlink(EndpointOptions options) {
    return Servers.resolve(options).find(Kind.FLINK);
  }

  /** How to get into the servers, as far as their addresses are known. */
  public ServerAccess access(EndpointOptions options) {
    Servers servers = Servers.resolve(options);
    LocationJobConfig config = load(servers);
    Settings given = given(servers);
    return new ServerAccess(
        Optional.of(config.historyMongo()).filter(mongo -> has(given, Kind.MONGO)),
        Optional.of(config.lastKnownLocationMongo())
            .filter(mongo -> !mongo.uri().equals(config.historyMongo().uri())),
        Optional.of(config.kafka()).filter(kafka -> has(given, Kind.KAFKA)),
        servers.named(Kind.FLINK).or(() -> servers.local(Kind.FLINK)));
  }

  /** The configuration for a command that needs Kafka and MongoDB. */
  public LocationJobConfig loadForKafkaAndMongo(EndpointOptions options) {
    return load(Servers.resolve(options), Kind.KAFKA, Kind.MONGO);
  }

  /**
   * The configuration for these servers, checked as the job checks it.
   *
   * @param needed the servers the command cannot do without
   * @throws io.lastfix.jobs.config.ConfigurationException naming all that is wrong
   * @throws io.lastfix.stack.StackException if nothing says where a needed server is
   */
  public LocationJobConfig load(Servers servers, Kind... needed) {
    Map<String, String> variables = environment(servers);
    LocationJobConfig config =
        LocationJobConfig.load(configFile, overrides(servers), lookup(variables));
    Settings given = given(servers);
    for (Kind kind : needed) {
      if (!has(given, kind)) {
        throw Servers.unknown(kind);
      }
    }
    return config;
  }

  /** What is known of the addresses, unresolved. */
  private Settings given(Servers servers) {
    return Settings.load(configFile, overrides(servers), name -> null);
  }

  private static boolean has(Settings given, Kind kind) {
    return kind.key().map(given::has).orElse(true);
  }
}
