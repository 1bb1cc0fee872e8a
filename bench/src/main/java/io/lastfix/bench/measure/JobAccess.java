package io.lastfix.bench.measure;

import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.jobs.config.LocationJobConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The servers to measure, and the user's configuration of the job, which the benchmark's keys
 * override.
 */
public interface JobAccess {
  /** The address of the Flink cluster's REST interface. */
  String flink();

  /** The address of a server of the local stack; empty if the stack has none of that kind. */
  Optional<String> local(Server server);

  /**
   * Loads the user's configuration with these keys over it.
   *
   * @throws io.lastfix.kit.config.ConfigurationException naming every wrong key
   */
  LocationJobConfig load(Map<String, String> keys);

  /** The job's arguments for the same configuration. */
  List<String> arguments(Map<String, String> keys);

  /** The environment variables that the arguments refer to. */
  Map<String, String> environment(Map<String, String> keys);
}
