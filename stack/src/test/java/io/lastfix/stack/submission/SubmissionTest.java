package io.lastfix.stack.submission;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubmissionTest {
  private static final Submission WITH_SETTINGS =
      SubmittedJobExamples.withFilesUnder(Path.of("/data"), null).submission();

  @Test
  void whatALaterSubmissionLeavesOutIsToldAsOptionsWithoutTheirValues() {
    assertThat(WITH_SETTINGS.missingIn(List.of("mongo.uri"), false))
        .containsExactly("--config /etc/location.yaml", "--set job.parallelism=...");
  }

  @Test
  void ofASubmissionThatGivesAsMuchNothingIsTold() {
    assertThat(WITH_SETTINGS.missingIn(List.of("job.parallelism", "mongo.uri", "job.name"), true))
        .isEmpty();
  }
}
