package io.lastfix.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lastfix.bench.LiveJob.Rates;
import io.lastfix.bench.QueryLoadResult.Rounds;
import io.lastfix.bench.load.Latencies;
import io.lastfix.bench.measure.ProcessCpu.Reading;
import io.lastfix.bench.servers.QueryLoad.Query;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QueryLoadResultTest {
  private static final double P99_MILLIS = 20;
  private static final double LEAST_SHARE = 0.5;
  private static final double FULL_RATE = 10_000;
  private static final QueryLoadResult GOOD = result(1_200, 15, 6_000, 1);

  @Test
  void ofSeveralRoundsTheMedianCounts() {
    Rounds rounds =
        new Rounds(List.of(GOOD, result(1_500, 5, 9_000, 1), result(1_400, 5, 9_000, 1)));

    assertThat(rounds.median(QueryLoadResult::perSecond)).isEqualTo(1_400);
    assertThat(rounds.spread(QueryLoadResult::perSecond, 0)).isEqualTo("1,200–1,500");
    assertThat(rounds.perSecondOfGood(P99_MILLIS, LEAST_SHARE)).isEqualTo(1_400);
  }

  @Test
  void thereIsNoFigureWhereNothingWaitedAnyMoreInARound() {
    Rounds rounds = new Rounds(List.of(GOOD, result(980, 5, 9_000, 0)));

    assertThat(rounds.areValid()).isFalse();
    assertThat(rounds.median(QueryLoadResult::perSecond)).isNaN();
    assertThat(rounds.spread(QueryLoadResult::perSecond, 0)).isEqualTo("–");
    assertThat(rounds.perSecondOfGood(P99_MILLIS, LEAST_SHARE)).isNaN();
    assertThat(rounds.p99OfGood(LEAST_SHARE)).isNaN();
  }

  @Test
  void thereIsNoFigureWhereNothingIsKnownOfTheIngestWithoutQuestions() {
    assertThat(
            new QueryLoadResult("full", Query.WHERE, 8, 900, new Latencies(), rates(0, 500), 0, 1)
                .isValid())
        .isFalse();
  }

  @Test
  void nothingHasToWaitWhereItIsNotFullIngestThatIsMeasured() {
    assertThat(
            new QueryLoadResult(
                    "50 %", Query.WHERE, 8, 900, new Latencies(), rates(500, 500), Double.NaN, 0)
                .isValid())
        .isTrue();
  }

  @Test
  void aRoundOfSlowAnswersOrOfAnIngestThatStandsStillIsAsNone() {
    // The separate medians, 1,400 a second at 15 ms and 8,000 records/s, would meet the goal.
    Rounds rounds =
        new Rounds(List.of(result(1_500, 15, 3_000, 1), GOOD, result(1_400, 40, 8_000, 1)));

    assertThat(rounds.perSecondOfGood(P99_MILLIS, LEAST_SHARE)).isZero();
  }

  @Test
  void oneGoodRoundOfTwoIsNotHalfOfTheGoal() {
    Rounds rounds = new Rounds(List.of(result(3_330, 5, 9_000, 1), result(3_330, 40, 9_000, 1)));

    assertThat(rounds.perSecondOfGood(P99_MILLIS, LEAST_SHARE)).isZero();
    assertThat(rounds.p99OfGood(LEAST_SHARE)).isCloseTo(40, within(0.1));
  }

  @Test
  void fastAnswersWhileNothingIsStoredAreNone() {
    assertThat(new Rounds(List.of(result(1_000, 5, 1_000, 1))).p99OfGood(LEAST_SHARE)).isInfinite();
  }

  private static QueryLoadResult result(
      double perSecond, long millis, double storedRate, long lag) {
    Latencies latencies = new Latencies();
    latencies.add(TimeUnit.MILLISECONDS.toNanos(millis));
    return new QueryLoadResult(
        "full", Query.WHERE, 8, perSecond, latencies, rates(0, storedRate), FULL_RATE, lag);
  }

  private static Rates rates(double sent, double stored) {
    return new Rates(sent, stored, new Reading(Map.of(), Double.NaN));
  }
}
