package io.lastfix.jobs.kafka.topics;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.ExecutionConfig;

/** The location topics that a job reads, as it publishes them for other programs. */
public final class LocationTopics {
  /** The job parameter in Flink that holds them, with commas between them. */
  public static final String JOB_PARAMETER = "lastfix.location-topics";

  private LocationTopics() {}

  /** Adds them to the job's parameters, beside those of the user. */
  public static void publish(ExecutionConfig job, Collection<String> topics) {
    JobParameters.add(job, JOB_PARAMETER, String.join(",", topics));
  }

  /**
   * The topics of a running job; empty if it published none: it is another job, or not set up yet.
   *
   * @param jobParameters of the job in Flink
   */
  public static Optional<List<String>> of(Map<String, String> jobParameters) {
    return Optional.ofNullable(jobParameters.get(JOB_PARAMETER))
        .map(topics -> List.of(topics.split(",")));
  }
}
