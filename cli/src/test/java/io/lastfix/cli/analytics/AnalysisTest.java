package io.lastfix.cli.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.query.TimeRange;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AnalysisTest {
  private static final Instant T = Instant.parse("2026-11-20T12:00:00Z");

  @Test
  void recordsThatCameTooLateAreAddedOfWholeHoursOnly() {
    assertThat(Analysis.wholeHours(new TimeRange(T, T.plusSeconds(7_200))))
        .contains(new TimeRange(T, T.plusSeconds(7_200)));
    assertThat(Analysis.wholeHours(new TimeRange(T.plusMillis(1), T.plusSeconds(7_199))))
        .as("no hour is whole")
        .isEmpty();
    assertThat(Analysis.wholeHours(new TimeRange(T.minusMillis(1), T.plusSeconds(3_601))))
        .contains(new TimeRange(T, T.plusSeconds(3_600)));
    assertThat(Analysis.wholeHours(TimeRange.ALL)).isPresent();
  }
}
