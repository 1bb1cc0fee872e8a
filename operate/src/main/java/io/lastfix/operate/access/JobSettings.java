package io.lastfix.operate.access;

import io.lastfix.cluster.submission.Submission;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.kit.config.Settings;
import io.lastfix.operate.access.Servers.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The job's configuration in a command: the file, overridden by the servers' addresses, and both
 * overridden by {@code --set}. An address from an option or the environment overrides the file's.
 * The local stack's address counts only if neither the file nor {@code --set} has one.
 *
 * <p>An address may hold a password. It is therefore passed as a reference to an environment
 * variable of the started process, never as an argument that a process list shows.
 */
public final class JobSettings {
  private static final String VARIABLE_PREFIX = "LASTFIX_JOB_";

  private final @Nullable Path configFile;
  private final List<String> overrides;

  /**
   * The settings of a file.
   *
   * @param configFile null: the defaults
   * @param overrides {@code key=value}, of which the last one of a key counts
   */
  public JobSettings(@Nullable Path configFile, List<String> overrides) {
    this.configFile = configFile;
    this.overrides = List.copyOf(overrides);
  }

  /** These settings with further keys, which override all values of the user. */
  public JobSettings with(Map<String, String> keys) {
    List<String> all = new ArrayList<>(overrides);
    keys.forEach((key, value) -> all.add(key + "=" + value));
    return new JobSettings(configFile, all);
  }

  /**
   * These settings with what the file has for that key, or the default, instead of {@code --set}.
   */
  public JobSettings without(String key) {
    return new JobSettings(
        configFile, overrides.stream().filter(setting -> !keyOf(setting).equals(key)).toList());
  }

  public @Nullable Path configFile() {
    return configFile;
  }

  /** The keys given with {@code --set}, in order; without their values, which may be secret. */
  public List<String> overriddenKeys() {
    return overrides.stream().map(JobSettings::keyOf).toList();
  }

  /** A setting without {@code =} was rejected when the settings were loaded. */
  private static String keyOf(String setting) {
    return setting.substring(0, setting.indexOf('=')).trim();
  }

  /** The values given with {@code --set} that cannot be secret, as they were written, by key. */
  public Map<String, String> shownValues() {
    return Settings.load(null, overrides, name -> null).harmless(LocationJobConfig.keys());
  }

  /** Returns whether the file or {@code --set} has a value for that key. */
  public boolean gives(String key) {
    return Settings.load(configFile, overrides, name -> null).has(key);
  }

  /** The keys over the file for these servers; they refer to {@link #environment}. */
  public List<String> overrides(Servers servers) {
    List<String> all = new ArrayList<>();
    addresses(servers)
        .forEach(
            (kind, address) -> all.add(kind.key().orElseThrow() + "=${" + variable(kind) + "}"));
    // Last, so that the command line overrides environment variables.
    all.addAll(overrides);
    return all;
  }

  /** The arguments for a job's {@code main}, including the file. */
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
   * Every key and value that the job gets, including secrets; for comparison only, not for storage.
   * An address of the local stack counts as the local stack's name, because it may change.
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

  /**
   * Looks up an environment variable: first in ours, then in this process; null if it is not set.
   */
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

  /** The configuration for a command that needs no server. */
  public LocationJobConfig loadForNoServer() {
    return LocationJobConfig.load(configFile, overrides);
  }

  /** The access to all servers with known addresses. */
  public ServerAccess access(Servers servers) {
    LocationJobConfig config = load(servers);
    Settings given = given(servers);
    return new ServerAccess(
        Optional.of(config.historyMongo()).filter(mongo -> has(given, Kind.MONGO)),
        Optional.of(config.lastKnownLocationMongo())
            .filter(mongo -> !mongo.uri().equals(config.historyMongo().uri())),
        Optional.of(config.kafka()).filter(kafka -> has(given, Kind.KAFKA)),
        servers.find(Kind.FLINK));
  }

  /**
   * The configuration for these servers, validated as in the job.
   *
   * @param needed the servers that the command requires
   * @throws io.lastfix.kit.config.ConfigurationException naming all errors
   * @throws io.lastfix.cluster.StackException if the address of a needed server is not configured
   */
  public LocationJobConfig load(Servers servers, Kind... needed) {
    Map<String, String> variables = environment(servers);
    LocationJobConfig config =
        LocationJobConfig.load(configFile, overrides(servers), lookup(variables));
    Settings given = given(servers);
    for (Kind kind : needed) {
      if (!has(given, kind)) {
        servers.requireOwn(kind);
        throw Servers.unknown(kind);
      }
    }
    return config;
  }

  /** The known settings of the addresses, with unresolved references. */
  private Settings given(Servers servers) {
    return Settings.load(configFile, overrides(servers), name -> null);
  }

  private static boolean has(Settings given, Kind kind) {
    return kind.key().map(given::has).orElse(true);
  }
}
