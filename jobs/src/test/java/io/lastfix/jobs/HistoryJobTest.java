package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryJobTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  private static List<Instant> cuts(Duration stored) {
    return HistoryJob.cuts(new TimeRange(START, START.plus(stored)));
  }

  @Test
  void anHourIsDividedEvenlySoThatAllSubtasksHaveSomethingToRead() {
    List<Instant> cuts = cuts(Duration.ofMinutes(64));

    assertThat(cuts).hasSize(31).isSorted();
    assertThat(cuts.get(0)).isEqualTo(START.plus(Duration.ofMinutes(2)));
    assertThat(cuts.get(30)).isEqualTo(START.plus(Duration.ofMinutes(62)));
  }

  @Test
  void noPartIsShorterThanASecond() {
    assertThat(cuts(Duration.ofSeconds(3)))
        .containsExactly(START.plusSeconds(1), START.plusSeconds(2));
    assertThat(cuts(Duration.ofMillis(1))).isEmpty();
  }

  @Test
  void monthsAreDividedIntoDaysOnly() {
    assertThat(cuts(Duration.ofDays(32))).isEmpty();
    assertThat(cuts(Duration.ofDays(31))).hasSize(31);
  }
}
