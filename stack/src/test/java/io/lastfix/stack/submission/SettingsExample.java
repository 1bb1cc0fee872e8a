package io.lastfix.stack.submission;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings of a job for tests, without a file. */
record SettingsExample(String cluster, String kafka, Map<String, String> effective)
    implements SubmissionSettings {
  /** A job on another cluster. */
  static SettingsExample of(String cluster) {
    return new SettingsExample(cluster, "b:9092", Map.of("mongo.uri", "mongodb://a/"));
  }

  static SettingsExample ofLocalStack() {
    return of(Submission.LOCAL_STACK).withKafka(Submission.LOCAL_STACK);
  }

  SettingsExample withKafka(String brokers) {
    return new SettingsExample(cluster, brokers, effective);
  }

  SettingsExample withMongo(String uri) {
    return new SettingsExample(cluster, kafka, Map.of("mongo.uri", uri));
  }

  @Override
  public String name() {
    return "lastfix-location";
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
