package io.lastfix.bench.measure;

import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The servers to measure, and the user's configuration of the job, which the benchmark's keys
 * override.
 */
public record JobAccess(Servers servers, JobSettings settings) {
  /** The address of the Flink cluster's REST interface. */
  public String flink() {
    return servers.flink();
  }

  /** The address of a server of the local stack; empty if the stack has none of that kind. */
  public Optional<String> local(Server server) {
    return servers.local(
        switch (server) {
          case MONGODB -> Servers.Kind.MONGO;
          case KAFKA -> Servers.Kind.KAFKA;
          case FLINK -> Servers.Kind.FLINK;
        });
  }

  /**
   * Loads the user's configuration with these keys over it.
   *
   * @throws io.lastfix.kit.config.ConfigurationException naming every wrong key
   */
  public LocationJobConfig load(Map<String, String> keys) {
    return settings.with(keys).load(servers, Servers.Kind.MONGO, Servers.Kind.KAFKA);
  }

  /** The job's arguments for the same configuration. */
  public List<String> arguments(Map<String, String> keys) {
    return settings.with(keys).arguments(servers);
  }

  /** The environment variables that the arguments refer to. */
  public Map<String, String> environment(Map<String, String> keys) {
    return settings.with(keys).environment(servers);
  }
}
