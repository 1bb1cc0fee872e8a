package io.lastfix.cluster.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.flink.CannedCluster;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.submission.SubmittedJob.End;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code lastfix stop} of a job that does not run. */
class StopTest {
  @TempDir private Path directory;

  private final CannedCluster cluster = new CannedCluster();

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  /** From then on nobody expects it to run, see {@link ExpectedRules}. */
  @ParameterizedTest
  @CsvSource({
    "'{''jid'':''%s'',''name'':''%s'',''state'':''CANCELED''}', NONE, CANCELED",
    "'{''jid'':''%s'',''name'':''%s'',''state'':''FAILED''}', NONE, STOPPED",
    "'', NONE, STOPPED",
    "'', TAKEN_DOWN, STOPPED",
    "'', STOPPED, STOPPED"
  })
  void isRemembered(String listed, End before, End after) throws IOException {
    SettingsExample settings = SettingsExample.of(cluster.url());
    StackHome home = new StackHome(directory);
    SubmittedJobs submitted = SubmittedJobs.elsewhere(home);
    String id = SubmittedJobExamples.ID;
    submitted.remember(
        SubmittedJob.started(
                new Submission(
                    settings.name(),
                    cluster.url(),
                    "/lib/lastfix-jobs-job.jar",
                    null,
                    List.of(),
                    Map.of(),
                    "f",
                    null,
                    null,
                    "kafka:9092",
                    "location"),
                id,
                null)
            .ended(before));
    cluster.answers(
        "/jobs/overview",
        "{\"jobs\":[%s]}".formatted(listed.replace('\'', '"').formatted(id, settings.name())));
    ResumableJob job =
        new ResumableJob(
            settings.submission(),
            new FlinkRest(cluster.url()),
            home,
            () -> directory,
            (jar, arguments, savepoint, environment) -> id);

    assertThatThrownBy(() -> job.stop(null, Duration.ofSeconds(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("job '", "run");
    assertThat(submitted.find(settings.name()).orElseThrow().end()).isEqualTo(after);
  }
}
