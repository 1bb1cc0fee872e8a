package io.lastfix.operate.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.submission.Submission;
import io.lastfix.cluster.submission.SubmittedJob;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SubmissionCheckTest {
  private static final String ANALYTICS = "lastfix-location-analytics";

  @Test
  void aLocationJobThatHadNoLocatedTopicBeforeHasLeftAGapInTheNumbers() {
    assertThat(SubmissionCheck.gap(submitted(null, List.of("profiles.names")), ANALYTICS))
        .hasValue(
            "Job lastfix-location was submitted without located.topic before: the numbers of job"
                + " lastfix-location-analytics lack what it stored then. Run lastfix analyze over"
                + " that time");
  }

  @Test
  void oneThatHadItOrMayHaveHadItInItsFileHasNot() {
    assertThat(SubmissionCheck.gap(submitted(null, List.of("located.topic")), ANALYTICS)).isEmpty();
    assertThat(SubmissionCheck.gap(submitted("/etc/lastfix.yaml", List.of()), ANALYTICS)).isEmpty();
  }

  private static SubmittedJob submitted(@Nullable String configFile, List<String> keys) {
    return SubmittedJob.started(
        new Submission(
            "lastfix-location",
            Submission.LOCAL_STACK,
            "j",
            configFile,
            keys,
            Map.of(),
            "f",
            null,
            null,
            Submission.LOCAL_STACK,
            "location"),
        "id",
        null);
  }
}
