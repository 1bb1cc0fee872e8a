package io.lastfix.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.bench.Asked.Rounds;
import io.lastfix.cli.bench.QueryLoad.Question;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AskedTest {
  private static final double P99_MILLIS = 20;
  private static final double LEAST_STORED = 5_000;

  @Test
  void ofSeveralRoundsTheMedianCounts() {
    Rounds rounds =
        new Rounds(
            List.of(asked(900, 5, 9_000, 1), asked(1_000, 5, 9_000, 1), asked(980, 5, 9_000, 1)));

    assertThat(rounds.median(Asked::perSecond)).isEqualTo(980);
    assertThat(rounds.spread(Asked::perSecond, 0)).isEqualTo("900–1,000");
  }

  @Test
  void oneRoundWithNothingLeftToStoreWasNotAtFullIngest() {
    assertThat(
            new Rounds(List.of(asked(900, 5, 9_000, 1), asked(980, 5, 9_000, 0)))
                .wereAtFullIngest())
        .isFalse();
    assertThat(new Rounds(List.of(asked(900, 5, 9_000, 1))).wereAtFullIngest()).isTrue();
  }

  @Test
  void theMostQuestionsCountThatWereAnsweredInTimeWhileTheJobWasBusy() {
    Rounds best = round(1_200, 15, 6_000);

    assertThat(Rounds.best(List.of(round(700, 5, 9_000), best), P99_MILLIS, LEAST_STORED))
        .contains(best);
  }

  @Test
  void slowAnswersAndAnIngestThatStandsStillDoNotCount() {
    assertThat(
            Rounds.best(
                List.of(round(1_200, 25, 9_000), round(3_000, 5, 4_000)), P99_MILLIS, LEAST_STORED))
        .isEmpty();
  }

  private static Rounds round(double perSecond, long millis, double storedRate) {
    return new Rounds(List.of(asked(perSecond, millis, storedRate, 1)));
  }

  private static Asked asked(double perSecond, long millis, double storedRate, long lag) {
    Latencies latencies = new Latencies();
    latencies.add(TimeUnit.MILLISECONDS.toNanos(millis));
    return new Asked("full", Question.WHERE, 8, perSecond, latencies, 0, storedRate, lag);
  }
}
