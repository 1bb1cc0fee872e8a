package io.lastfix.cluster.submission;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings of a job for tests, without a file. */
record SettingsExample(String name, String cluster, String kafka, Map<String, String> effective)
    implements SubmissionSettings {
  /** A job on another cluster. */
  static SettingsExample of(String cluster) {
    return new SettingsExample(
        "lastfix-location", cluster, "b:9092", Map.of("mongo.uri", "mongodb://a/"));
  }

  static SettingsExample ofLocalStack() {
    return of(Submission.LOCAL_STACK).withKafka(Submission.LOCAL_STACK);
  }

  SettingsExample named(String other) {
    return new SettingsExample(other, cluster, kafka, effective);
  }

  SettingsExample withKafka(String brokers) {
    return new SettingsExample(name, cluster, brokers, effective);
  }

  SettingsExample withMongo(String uri) {
    return new SettingsExample(name, cluster, kafka, Map.of("mongo.uri", uri));
  }

  @Override
  public String job() {
    return "location";
  }

  @Override
  public @Nullable String configFile() {
    return null;
  }

  @Override
  public List<String> overriddenKeys() {
    return List.of();
  }

  @Override
  public List<String> arguments() {
    return List.of();
  }

  @Override
  public Map<String, String> environment() {
    return Map.of();
  }

  @Override
  public Map<String, String> flink() {
    return Map.of();
  }
}
