package io.lastfix.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.bench.QueryLoad.Question;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AskedTest {
  private static final double INGEST_RATE = 10_000;

  @Test
  void theMostQuestionsCountThatWereAnsweredInTimeWhileTheJobWasBusy() {
    assertThat(
            Asked.wheresAtFullIngest(
                List.of(
                    asked(Question.WHERE, 700, 5, 9_000, 1),
                    asked(Question.WHERE, 1_200, 15, 6_000, 1),
                    asked(Question.HISTORY, 5_000, 5, 9_000, 1)),
                INGEST_RATE))
        .isEqualTo(1_200);
  }

  @Test
  void slowAnswersAndAnIngestThatStandsStillDoNotCount() {
    assertThat(
            Asked.wheresAtFullIngest(
                List.of(
                    asked(Question.WHERE, 1_200, 25, 9_000, 1),
                    asked(Question.WHERE, 3_000, 5, 4_000, 1)),
                INGEST_RATE))
        .isZero();
  }

  @Test
  void thereIsNoFigureWhereNothingWaitedAnyMore() {
    assertThat(
            Asked.wheresAtFullIngest(
                List.of(asked(Question.WHERE, 3_000, 5, 9_000, 0)), INGEST_RATE))
        .isNaN();
  }

  private static Asked asked(
      Question question, double perSecond, long millis, double storedRate, long lag) {
    Latencies latencies = new Latencies();
    latencies.add(TimeUnit.MILLISECONDS.toNanos(millis));
    return new Asked(question, 8, perSecond, latencies, 0, storedRate, lag);
  }
}
