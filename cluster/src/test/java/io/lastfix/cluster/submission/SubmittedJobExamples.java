package io.lastfix.cluster.submission;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Submitted jobs for tests. */
final class SubmittedJobExamples {
  static final String ID = "a0b1c2d3e4f5061728394a5b6c7d8e9f";

  private SubmittedJobExamples() {}

  /** A job just submitted to the local stack, with its checkpoints under that folder. */
  static SubmittedJob withFilesUnder(Path directory, @Nullable String startedFrom) {
    return SubmittedJob.started(
        new Submission(
            "lastfix-location",
            Submission.LOCAL_STACK,
            "/lib/lastfix-jobs-job.jar",
            "/etc/location.yaml",
            List.of("job.parallelism", "mongo.uri"),
            Map.of("job.parallelism", "2"),
            SettingsFingerprint.of(Map.of("job.parallelism", "2")),
            directory.resolve("checkpoints").toUri().toString(),
            directory.resolve("savepoints").toUri().toString(),
            Submission.LOCAL_STACK,
            "location"),
        ID,
        startedFrom);
  }

  /** A job just submitted to another cluster, without further information. */
  static SubmittedJob elsewhere(String name) {
    return SubmittedJob.started(
        new Submission(
            name,
            "http://flink:8081",
            "/lib/lastfix-jobs-job.jar",
            null,
            List.of(),
            Map.of(),
            SettingsFingerprint.of(Map.of()),
            null,
            null,
            "kafka:9092",
            "location"),
        ID,
        null);
  }
}
