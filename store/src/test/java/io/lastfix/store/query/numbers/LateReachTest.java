package io.lastfix.store.query.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LateReachTest {
  private static final Instant T = Instant.parse("2026-11-20T12:00:00Z");

  private static TimeRange hours(int from, int to) {
    return new TimeRange(T.plus(Duration.ofHours(from)), T.plus(Duration.ofHours(to)));
  }

  @Test
  void aRangeLacksTheRecordsOfItsOwnHoursAndOfThoseThatReachIntoIt() {
    TimeRange tenMinutes = new TimeRange(T.plusSeconds(1_800), T.plusSeconds(2_400));

    assertThat(LateReach.of(NumberKind.COUNTS).causesOf(tenMinutes))
        .isEqualTo(new TimeRange(T, T.plusSeconds(2_400)));
    assertThat(LateReach.of(NumberKind.DENSITY).causesOf(tenMinutes))
        .isEqualTo(new TimeRange(T.minusSeconds(3_600), T.plusSeconds(6_000)));
    assertThat(LateReach.of(NumberKind.STAYS).causesOf(TimeRange.ALL)).isEqualTo(TimeRange.ALL);
  }

  /** What an analysis of the printed range adds is no longer said, and nothing else. */
  @ParameterizedTest
  @EnumSource(NumberKind.class)
  void theNumbersThatRecordsChangeAreTheLeastRangeThatAddsThem(NumberKind kind) {
    LateReach reach = LateReach.of(kind);
    TimeRange numbers = reach.effectsOf(hours(0, 2));

    assertThat(reach.hoursWithin(numbers)).contains(hours(0, 2));
    assertThat(reach.hoursWithin(new TimeRange(numbers.from().plusMillis(1), numbers.to())))
        .contains(hours(1, 2));
    assertThat(reach.hoursWithin(new TimeRange(numbers.from(), numbers.to().minusMillis(1))))
        .contains(hours(0, 1));
    assertThat(reach.hoursWithin(hours(0, 1)))
        .isEqualTo(kind == NumberKind.COUNTS ? Optional.of(hours(0, 1)) : Optional.empty());
    assertThat(reach.hoursWithin(TimeRange.ALL)).isPresent();
  }
}
