package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.analytics.timeline.TimelineOptions;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnalyzeTimesTest {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:04Z");
  private static final TimelineOptions OPTIONS = TimelineOptions.defaults();

  private static AnalyzeTimes times(String from, String to) {
    return new AnalyzeTimes(range(from, to), OPTIONS, NOW);
  }

  private static TimeRange range(String from, String to) {
    return new TimeRange(Instant.parse(from), Instant.parse(to));
  }

  @Test
  void theResultsAreOfWholeWindows() {
    AnalyzeTimes times = times("2026-11-20T12:34:56Z", "2026-11-20T13:00:01Z");
    TimeRange windows = range("2026-11-20T12:34:50Z", "2026-11-20T13:00:10Z");

    assertThat(times.results(NumberKind.COUNTS)).contains(windows);
    assertThat(times.results(NumberKind.DENSITY)).contains(windows);
    assertThat(times.results(NumberKind.FLOWS))
        .contains(range("2026-11-20T12:00:00Z", "2026-11-20T14:00:00Z"));
    assertThat(times.results(NumberKind.TRIPS))
        .contains(range("2026-11-20T12:34:56Z", "2026-11-20T13:00:01Z"));
  }

  /** As LateReach says; so an analysis of them can forget all records of these hours. */
  @Test
  void ofLateRecordsJustWhatTheyChangeIsReplaced() {
    AnalyzeTimes times =
        AnalyzeTimes.ofLateRecords(
            range("2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z"), OPTIONS, NOW);

    assertThat(times.results(NumberKind.COUNTS))
        .contains(range("2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z"));
    assertThat(times.results(NumberKind.DENSITY))
        .isEqualTo(times.results(NumberKind.FLOWS))
        .contains(range("2026-11-20T11:00:00Z", "2026-11-20T14:00:00Z"));
    assertThat(times.results(NumberKind.STAYS))
        .isEqualTo(times.results(NumberKind.TRIPS))
        .contains(range("2026-11-19T12:00:00Z", "2026-11-20T14:00:00Z"));
    assertThat(times.records(List.of(NumberKind.COUNTS)))
        .isEqualTo(range("2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z"));
    assertThat(times.records(List.of(NumberKind.values())))
        .isEqualTo(range("2026-11-19T09:00:00Z", "2026-11-21T14:00:00Z"));
  }

  /** Absences of the future would be a guess. */
  @Test
  void densityEndsBeforeTheWindowThatIsNotOver() {
    assertThat(times("2026-11-20T12:00:00Z", "2026-12-01T00:00:00Z").results(NumberKind.DENSITY))
        .contains(range("2026-11-20T12:00:00Z", "2026-11-25T12:00:00Z"));
    assertThat(times("2026-11-30T12:00:00Z", "2026-12-01T00:00:00Z").results(NumberKind.DENSITY))
        .isEmpty();
  }

  @Test
  void recordsAroundTheRangeAreRead() {
    AnalyzeTimes times = times("2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z");

    assertThat(times.records(List.of(NumberKind.COUNTS)))
        .isEqualTo(range("2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z"));
    assertThat(times.records(List.of(NumberKind.DENSITY)))
        .isEqualTo(range("2026-11-20T09:00:00Z", "2026-11-20T13:30:00Z"));
    assertThat(times.records(List.of(NumberKind.values())))
        .isEqualTo(range("2026-11-20T09:00:00Z", "2026-11-21T13:00:00Z"));
  }

  /** Before the range it is twice the time of absence. */
  @Test
  void aLongAbsenceWidensTheMargins() {
    TimelineOptions options =
        new TimelineOptions(
            Duration.ofHours(13),
            OPTIONS.pingPong(),
            OPTIONS.minimumStay(),
            OPTIONS.lateness(),
            OPTIONS.areaLevel());

    assertThat(
            new AnalyzeTimes(range("2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z"), options, NOW)
                .records(List.of(NumberKind.STAYS)))
        .isEqualTo(range("2026-11-19T10:00:00Z", "2026-11-21T13:00:00Z"));
  }

  @Test
  void withoutARangeAllIsRead() {
    AnalyzeTimes times = new AnalyzeTimes(TimeRange.ALL, OPTIONS, NOW);

    assertThat(times.records(List.of(NumberKind.values()))).isEqualTo(TimeRange.ALL);
  }

  @Test
  void absenceIsKnownUpToThePresentOrTheLastRecordRead() {
    List<NumberKind> stays = List.of(NumberKind.STAYS);

    assertThat(times("2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z").knownUntil(stays))
        .isEqualTo(Instant.parse("2026-11-21T12:30:00Z"));
    assertThat(new AnalyzeTimes(TimeRange.ALL, OPTIONS, NOW).knownUntil(stays))
        .isEqualTo(NOW.minus(OPTIONS.absence()));
  }
}
