package io.lastfix.jobs.kafka.topics;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/** The parameters of a job in Flink, by which it tells other programs about itself. */
public final class JobParameters {
  /** The located topic of a location job that writes no located records. */
  public static final String NO_TOPIC = "";

  private static final String LOCATION_TOPICS = "lastfix.location-topics";
  private static final String LOCATED_TOPIC = "lastfix.located-topic";

  private JobParameters() {}

  /** Publishes the location topics that a job reads. */
  public static void publishLocationTopics(ExecutionConfig job, Collection<String> topics) {
    add(job, LOCATION_TOPICS, String.join(",", topics));
  }

  /** Publishes the topic of located records that a location job writes or another job reads. */
  public static void publishLocatedTopic(ExecutionConfig job, @Nullable String topic) {
    add(job, LOCATED_TOPIC, topic == null ? NO_TOPIC : topic);
  }

  /** Adds one to those of the user. */
  static void add(ExecutionConfig job, String name, String value) {
    Map<String, String> parameters = new HashMap<>(job.getGlobalJobParameters().toMap());
    parameters.put(name, value);
    job.setGlobalJobParameters(Configuration.fromMap(parameters));
  }

  /**
   * The location topics of a running job; empty if it published none: it is another job, or not set
   * up yet.
   *
   * @param parameters of the job in Flink
   */
  public static Optional<List<String>> locationTopics(Map<String, String> parameters) {
    return Optional.ofNullable(parameters.get(LOCATION_TOPICS))
        .map(topics -> List.of(topics.split(",")));
  }

  /**
   * The topic of located records of a running job, or {@link #NO_TOPIC}; empty if it published
   * neither: it is another job, or not set up yet.
   *
   * @param parameters of the job in Flink
   */
  public static Optional<String> locatedTopic(Map<String, String> parameters) {
    return Optional.ofNullable(parameters.get(LOCATED_TOPIC));
  }
}
