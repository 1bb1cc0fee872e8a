package io.lastfix.jobs.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.ExecutionConfig;

/** The parameters of a job in Flink, by which it tells other programs about itself. */
final class JobParameters extends ExecutionConfig.GlobalJobParameters {
  private final HashMap<String, String> parameters;

  private JobParameters(Map<String, String> parameters) {
    this.parameters = new HashMap<>(parameters);
  }

  /** Adds one to those of the user. */
  static void add(ExecutionConfig job, String name, String value) {
    Map<String, String> parameters = new HashMap<>(job.getGlobalJobParameters().toMap());
    parameters.put(name, value);
    job.setGlobalJobParameters(new JobParameters(parameters));
  }

  @Override
  public Map<String, String> toMap() {
    return parameters;
  }
}
