package io.lastfix.cluster.submission;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SubmissionTest {
  private static final Submission WITH_SETTINGS =
      SubmittedJobExamples.withFilesUnder(Path.of("/data"), null).submission();

  @Test
  void whatALaterSubmissionLeavesOutIsToldAsOptions() {
    assertThat(WITH_SETTINGS.missingIn(List.of("mongo.uri"), false))
        .containsExactly("--config /etc/location.yaml", "--set job.parallelism=2");
  }

  @Test
  void theCommandThatResumesItIsOneThatAShellTakes() {
    Submission submission =
        new Submission(
            "a job",
            Submission.LOCAL_STACK,
            "j",
            "/etc/my location.yaml",
            List.of("job.name", "profiles.names", "mongo.uri", "history.view", "profiles.names"),
            Map.of("job.name", "a job", "profiles.names", "json,mlp", "history.view", "it's ${X}"),
            "f",
            null,
            null,
            Submission.LOCAL_STACK,
            "location");

    assertThat(submission.resumeCommand())
        .isEqualTo(
            "lastfix submit location --resume --config '/etc/my location.yaml'"
                + " --set 'job.name=a job' --set profiles.names=json,mlp --set mongo.uri=..."
                + " --set 'history.view=it'\\''s ${X}'");
  }

  @Test
  void ofASubmissionThatGivesAsMuchNothingIsTold() {
    assertThat(WITH_SETTINGS.missingIn(List.of("job.parallelism", "mongo.uri", "job.name"), true))
        .isEmpty();
  }
}
