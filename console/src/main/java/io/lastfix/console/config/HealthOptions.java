package io.lastfix.console.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whose health is shown.
 *
 * @param flink the address of the cluster's REST interface; null: none is known
 * @param gateway the address of a gateway; null: none is known
 * @param kafka the properties of every Kafka client; they may hold a password. Empty: none is known
 * @param jobName of the location job
 * @param analyticsJobName of the analytics job
 * @param groupId the location job's consumer group
 * @param rejectedTopic topic of rejected messages
 */
public record HealthOptions(
    @Nullable String flink,
    @Nullable String gateway,
    Map<String, String> kafka,
    String jobName,
    String analyticsJobName,
    String groupId,
    String rejectedTopic) {
  /** No server, and the names that the job has by default. */
  public static final HealthOptions NONE =
      new HealthOptions(
          null,
          null,
          Map.of(),
          "lastfix-location",
          "lastfix-location-analytics",
          "lastfix-location",
          "lastfix.rejected");

  public HealthOptions {
    kafka = Map.copyOf(kafka);
  }

  /** Leaves out the properties. */
  @Override
  public String toString() {
    return "HealthOptions[jobName=%s, groupId=%s, rejectedTopic=%s]"
        .formatted(jobName, groupId, rejectedTopic);
  }
}
