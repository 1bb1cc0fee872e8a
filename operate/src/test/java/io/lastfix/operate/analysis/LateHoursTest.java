package io.lastfix.operate.analysis;

import static io.lastfix.store.counts.NumberKind.COUNTS;
import static io.lastfix.store.counts.NumberKind.FLOWS;
import static io.lastfix.store.counts.NumberKind.TRIPS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.analytics.timeline.TimelineOptions;
import io.lastfix.operate.analysis.LateHours.Part;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.LateQueries.Hour;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LateHoursTest {
  private static final Instant T = Instant.parse("2026-11-20T00:00:00Z");
  private static final Instant NOW = T.plus(Duration.ofDays(90));

  private static Hour hour(int hours, NumberKind kind, long records) {
    return new Hour(T.plus(Duration.ofHours(hours)), kind, records, false, T);
  }

  private static Hour addedHour(int hours, NumberKind kind, long records) {
    return new Hour(T.plus(Duration.ofHours(hours)), kind, records, true, T);
  }

  private static Part part(int from, int to, NumberKind... kinds) {
    return new Part(
        new TimeRange(T.plus(Duration.ofHours(from)), T.plus(Duration.ofHours(to))),
        List.of(kinds));
  }

  private static LateHours of(List<Hour> hours, int settledHours, boolean isBehind) {
    return LateHours.of(
        hours,
        NOW,
        T.plus(Duration.ofHours(settledHours)),
        isBehind,
        TimelineOptions.defaults(),
        NOW);
  }

  @Test
  void justTheHoursWithLateRecordsAreComputedAndJustTheNumbersThatLackThem() {
    LateHours late = of(List.of(hour(0, COUNTS, 3), hour(5, COUNTS, 4)), 1_000, false);

    assertThat(late.parts()).containsExactly(part(0, 1, COUNTS), part(5, 6, COUNTS));
    assertThat(late.records()).isEqualTo(7);
    assertThat(late.waiting()).isZero();
  }

  @Test
  void hoursThatFollowEachOtherAreComputedTogether() {
    assertThat(of(List.of(hour(1, COUNTS, 3), hour(0, COUNTS, 4)), 1_000, false).parts())
        .containsExactly(part(0, 2, COUNTS));
  }

  /** Trips need records of 27 hours before theirs, and of 26 after it. */
  @Test
  void hoursWhoseAnalysesWouldReadTheSameRecordsAreComputedTogether() {
    assertThat(of(List.of(hour(0, TRIPS, 3), hour(53, TRIPS, 4)), 1_000, false).parts())
        .containsExactly(part(0, 54, TRIPS));
    assertThat(of(List.of(hour(0, TRIPS, 3), hour(54, TRIPS, 4)), 1_000, false).parts())
        .containsExactly(part(0, 1, TRIPS), part(54, 55, TRIPS));
  }

  @Test
  void aRecordThatSeveralKindsLackIsOneRecord() {
    LateHours late =
        of(List.of(hour(0, TRIPS, 3), hour(0, COUNTS, 5), hour(9, FLOWS, 2)), 1_000, false);

    assertThat(late.parts()).containsExactly(part(0, 10, COUNTS, FLOWS, TRIPS));
    assertThat(late.records()).isEqualTo(7);
  }

  /** Trips of up to an hour after the record's hour. */
  @Test
  void anHourWaitsWhileTheStreamMayRewriteWhatItsRecordsChange() {
    List<Hour> hours = List.of(hour(0, COUNTS, 3), hour(0, TRIPS, 3), hour(1, COUNTS, 1));

    assertThat(of(hours, 1, false)).isEqualTo(new LateHours(List.of(), 0, 4, hourAt(1)));
    assertThat(of(hours, 2, false))
        .isEqualTo(new LateHours(List.of(part(0, 2, COUNTS, TRIPS)), 4, 0, hourAt(2)));
  }

  private static Instant hourAt(int hours) {
    return T.plus(Duration.ofHours(hours));
  }

  @Test
  void anHourWaitsWhileHistoryMayNotHaveItsNewestRecords() {
    Instant stored = NOW.minus(Duration.ofMinutes(15));
    List<Hour> hours =
        List.of(
            new Hour(T, COUNTS, 3, false, stored),
            new Hour(hourAt(5), COUNTS, 4, false, T),
            new Hour(hourAt(5), TRIPS, 4, false, stored.plusMillis(1)));
    for (boolean isBehind : new boolean[] {false, true}) {
      assertThat(LateHours.of(hours, stored, NOW, isBehind, TimelineOptions.defaults(), NOW))
          .isEqualTo(new LateHours(List.of(part(0, 1, COUNTS)), 3, 4, NOW));
    }
  }

  @Test
  void whileEventTimeIsBehindTheClockNothingWaits() {
    LateHours late = of(List.of(hour(0, TRIPS, 3)), 1, true);

    assertThat(late.parts()).containsExactly(part(0, 1, TRIPS));
    assertThat(late.records()).isEqualTo(3);
    assertThat(late.waiting()).isZero();
  }

  @Test
  void anHourThatWasComputedTooEarlyIsComputedOnceMoreWhenItIsSettled() {
    List<Hour> hours = List.of(addedHour(0, TRIPS, 3));

    assertThat(of(hours, 1, true).parts()).as("event time stands still").isEmpty();
    assertThat(of(hours, 1, false).waiting()).as("its records are in the numbers").isZero();
    LateHours late = of(hours, 2, false);
    assertThat(late.parts()).containsExactly(part(0, 1, TRIPS));
    assertThat(late.records()).as("they were added before").isZero();
  }

  @Test
  void recordsThatCameAfterTheFirstAnalysisAreAddedByASecondOne() {
    LateHours late = of(List.of(addedHour(0, COUNTS, 3), hour(0, TRIPS, 1)), 1, true);

    assertThat(late.parts()).containsExactly(part(0, 1, COUNTS, TRIPS));
    assertThat(late.records()).isEqualTo(1);
  }
}
