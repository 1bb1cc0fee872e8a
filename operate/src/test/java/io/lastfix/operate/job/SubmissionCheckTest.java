package io.lastfix.operate.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.flink.CannedCluster;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.submission.Submission;
import io.lastfix.cluster.submission.SubmittedJob;
import io.lastfix.jobs.Jobs;
import io.lastfix.local.EndpointOverrides;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SubmissionCheckTest {
  private static final String ANALYTICS = "lastfix-location-analytics";

  @Test
  void aLocationJobThatHadNoLocatedTopicBeforeHasLeftAGap() {
    assertThat(SubmissionCheck.gap(submitted(null, List.of("profiles.names")), ANALYTICS))
        .hasValue(
            "Job lastfix-location was submitted without located.topic before: the numbers of job"
                + " lastfix-location-analytics lack what it stored then. Run lastfix analyze over"
                + " that time");
  }

  @Test
  void itHasLeftOneForARunningRulesJobToo() throws IOException {
    CannedCluster cluster = new CannedCluster();
    cluster.answers(
        "/jobs/overview",
        """
        {"jobs":[{"jid":"r","name":"lastfix-location-rules","state":"RUNNING","start-time":1}]}
        """);
    cluster.answers(
        "/jobs/r/config",
        """
        {"execution-config":{"user-config":{"lastfix.located-topic":"lastfix.located"}}}
        """);
    Servers servers =
        new Servers(
            EndpointOverrides.none(),
            Map.of("kafka", "127.0.0.1:9092", "mongodb", "mongodb://127.0.0.1/"),
            Set.of());
    JobSettings settings = new JobSettings(null, List.of("located.topic=lastfix.located"));
    SubmissionCheck check =
        new SubmissionCheck(
            new StreamJobSettings(Jobs.LOCATION, servers, settings, settings.load(servers)));
    SubmittedJob before = submitted(null, List.of("profiles.names"));

    List<String> lines = check.uncounted(new FlinkRest(cluster.url()), Optional.of(before));
    cluster.stop();

    assertThat(lines)
        .containsExactly(
            "Job lastfix-location was submitted without located.topic before: job"
                + " lastfix-location-rules makes no alert of what it stored then");
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
