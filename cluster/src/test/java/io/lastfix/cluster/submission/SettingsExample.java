package io.lastfix.cluster.submission;

import java.util.List;
import java.util.Map;

/** Settings of a job for tests, without a file. */
record SettingsExample(String name, String cluster, String kafka, Map<String, String> effective) {
  static final String JOB = "location";

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

  SubmissionSettings submission() {
    return new SubmissionSettings(
        name,
        JOB,
        "records that wait for their cell there",
        cluster,
        kafka,
        null,
        List.of(),
        Map.of(),
        List.of(),
        Map.of(),
        () -> effective,
        Map.of());
  }
}
