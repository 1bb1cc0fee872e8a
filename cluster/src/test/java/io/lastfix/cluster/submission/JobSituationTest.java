package io.lastfix.cluster.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.submission.JobSituation.State;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobSituationTest {
  private static final String NAME = "lastfix-location";

  @ParameterizedTest
  @CsvSource({
    "RUNNING, RUNS",
    "RESTARTING, RUNS",
    "INITIALIZING, RUNS",
    "CREATED, RUNS",
    "CANCELLING, CANCELED",
    "FAILING, RUNS",
    "FAILED, FAILED",
    "CANCELED, CANCELED",
    "FINISHED, STOPPED"
  })
  void flinksStatesAreThose(String flinks, State expected) {
    assertThat(JobSituation.of(List.of(job(flinks)), NAME).state()).isEqualTo(expected);
  }

  @Test
  void aClusterThatHasOnlyOthersDoesNotKnowIt() {
    FlinkRest.Job other = new FlinkRest.Job("id", "another", "RUNNING", Instant.EPOCH);

    assertThat(JobSituation.of(List.of(other), NAME))
        .isEqualTo(new JobSituation(State.UNKNOWN, ""));
  }

  @Test
  void oneThatRunsCountsMoreThanALaterOneThatHasEnded() {
    assertThat(JobSituation.of(List.of(job("FAILED"), job("RUNNING")), NAME))
        .isEqualTo(new JobSituation(State.RUNS, "id-RUNNING"));
  }

  @Test
  void oneThatRunsCountsMoreThanALaterOneThatIsBeingCancelled() {
    assertThat(JobSituation.of(List.of(job("CANCELLING"), job("RUNNING")), NAME))
        .isEqualTo(new JobSituation(State.RUNS, "id-RUNNING"));
  }

  @Test
  void ofThoseThatHaveEndedTheLatestCounts() {
    assertThat(JobSituation.of(List.of(job("FAILED"), job("CANCELED")), NAME))
        .isEqualTo(new JobSituation(State.FAILED, "id-FAILED"));
  }

  private static FlinkRest.Job job(String state) {
    return new FlinkRest.Job("id-" + state, NAME, state, Instant.EPOCH);
  }
}
