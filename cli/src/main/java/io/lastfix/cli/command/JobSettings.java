package io.lastfix.cli.command;

import io.lastfix.cli.stack.Endpoints;
import io.lastfix.jobs.config.LocationJobConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The job's configuration as a command sees it: the file and the {@code --set} the user gives, with the servers' addresses
 * put between the two: they go over the file, and a {@code --set} goes over them.
 *
 * <p>Addresses may hold a password, so they are passed on as a reference to an environment variable that only the started
 * process gets, never as an argument that a process list shows.
 */
public final class JobSettings {
  private static final String MONGO_URI_VARIABLE = "LASTFIX_JOB_MONGO_URI";
  private static final String KAFKA_VARIABLE = "LASTFIX_JOB_KAFKA";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The job's configuration (default: the defaults of config/location.yaml).")
  private @Nullable Path configFile;

  @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A key over the file; may be given many times.")
  private List<String> overrides = new ArrayList<>();

  /** Settings that are not from a command line. */
  static JobSettings of(Path configFile) {
    JobSettings settings = new JobSettings();
    settings.configFile = configFile;
    return settings;
  }

  @Nullable Path configFile() {
    return configFile;
  }

  /** What goes over the file, in order, for these servers; resolved with {@link #environment}. */
  List<String> overrides(Endpoints endpoints) {
    List<String> all = new ArrayList<>();
    if (endpoints.mongoUri() != null) {
      all.add("mongo.uri=${" + MONGO_URI_VARIABLE + "}");
    }
    if (endpoints.kafka() != null) {
      all.add("kafka.bootstrap-servers=${" + KAFKA_VARIABLE + "}");
    }
    all.addAll(overrides);
    return all;
  }

  /** The environment variables that {@link #overrides} refers to. */
  Map<String, String> environment(Endpoints endpoints) {
    Map<String, String> variables = new HashMap<>();
    if (endpoints.mongoUri() != null) {
      variables.put(MONGO_URI_VARIABLE, endpoints.mongoUri());
    }
    if (endpoints.kafka() != null) {
      variables.put(KAFKA_VARIABLE, endpoints.kafka());
    }
    return variables;
  }

  /**
   * The configuration for these servers, checked as the job checks it.
   *
   * @throws io.lastfix.jobs.config.ConfigurationException naming all that is wrong
   */
  LocationJobConfig load(Endpoints endpoints) {
    Map<String, String> variables = environment(endpoints);
    return LocationJobConfig.load(
        configFile,
        overrides(endpoints),
        name -> {
          String ours = variables.get(name);
          return ours == null ? System.getenv(name) : ours;
        });
  }
}
