package io.lastfix.jobs.kafka.topics;

import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.ExecutionConfig;
import org.jspecify.annotations.Nullable;

/**
 * The topic of located records that a location job writes or an analytics job reads, as the job
 * publishes it for other programs.
 */
public final class LocatedTopic {
  /** The job parameter in Flink that holds it. */
  public static final String JOB_PARAMETER = "lastfix.located-topic";

  /** What a location job publishes that writes no located records. */
  public static final String NONE = "";

  private LocatedTopic() {}

  /** Adds it to the job's parameters, beside those of the user. */
  public static void publish(ExecutionConfig job, @Nullable String topic) {
    JobParameters.add(job, JOB_PARAMETER, topic == null ? NONE : topic);
  }

  /**
   * The topic of a running job, or {@link #NONE}; empty if it published neither: it is another job,
   * or not set up yet.
   *
   * @param jobParameters of the job in Flink
   */
  public static Optional<String> of(Map<String, String> jobParameters) {
    return Optional.ofNullable(jobParameters.get(JOB_PARAMETER));
  }
}
