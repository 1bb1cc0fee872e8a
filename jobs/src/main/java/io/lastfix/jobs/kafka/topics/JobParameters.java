package io.lastfix.jobs.kafka.topics;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.configuration.Configuration;

/** The parameters of a job in Flink, by which it tells other programs about itself. */
final class JobParameters {
  private JobParameters() {}

  /** Adds one to those of the user. */
  static void add(ExecutionConfig job, String name, String value) {
    Map<String, String> parameters = new HashMap<>(job.getGlobalJobParameters().toMap());
    parameters.put(name, value);
    job.setGlobalJobParameters(Configuration.fromMap(parameters));
  }
}
