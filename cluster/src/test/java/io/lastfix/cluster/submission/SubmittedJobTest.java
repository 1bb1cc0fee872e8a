package io.lastfix.cluster.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.submission.JobSituation.State;
import io.lastfix.cluster.submission.SubmittedJob.End;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubmittedJobTest {
  private static final SubmittedJob JOB = SubmittedJobExamples.elsewhere("lastfix-location");

  @ParameterizedTest
  @CsvSource({
    "NONE, CANCELED, CANCELED",
    "NONE, STOPPED, STOPPED",
    "NONE, FAILED, FAILED",
    "NONE, UNKNOWN, NONE",
    "FAILED, RUNS, NONE",
    "TAKEN_DOWN, STOPPED, TAKEN_DOWN",
    "TAKEN_DOWN, FAILED, TAKEN_DOWN",
    "TAKEN_DOWN, RUNS, NONE",
    "STOP_REQUESTED, RUNS, STOP_REQUESTED",
    "STOP_REQUESTED, UNKNOWN, STOP_REQUESTED",
    "STOP_REQUESTED, STOPPED, STOPPED",
    "STOP_REQUESTED, FAILED, STOPPED",
    "STOPPED, FAILED, STOPPED",
    "CANCELED, FAILED, CANCELED",
    "CANCELED, UNKNOWN, CANCELED"
  })
  void whatTheClusterListsIsRemembered(End before, State listed, End after) {
    assertThat(JOB.ended(before).updatedFrom(new JobSituation(listed, JOB.id())).end())
        .isEqualTo(after);
  }

  @ParameterizedTest
  @CsvSource({"CANCELED, RUNS, CANCELED", "NONE, FAILED, NONE", "NONE, CANCELED, CANCELED"})
  void anotherJobOfThatNameTellsOnlyWhatAPersonDid(End before, State listed, End after) {
    assertThat(JOB.ended(before).updatedFrom(new JobSituation(listed, "another")).end())
        .isEqualTo(after);
  }
}
