package io.lastfix.console.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReportAgeTest {
  private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");

  private final ReportAge age = new ReportAge();

  private Duration age(String job, Instant asOf, long passedSeconds) {
    Duration passed = Duration.ofSeconds(passedSeconds);
    return age.of(job, asOf, NOON.plus(passed), passed.toNanos());
  }

  @Test
  void theFirstReportIsAsOldAsItsTimestamp() {
    assertThat(age("a", NOON.minusSeconds(3_600), 0)).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void aReportThatStaysTheSameBecomesOlder() {
    assertThat(age("a", NOON.minusSeconds(4), 0)).isEqualTo(Duration.ofSeconds(4));
    assertThat(age("a", NOON.minusSeconds(4), 70)).isEqualTo(Duration.ofSeconds(74));
  }

  @Test
  void aNewReportOfATaskManagerWithASlowClockIsNew() {
    assertThat(age("a", NOON.minusSeconds(600), 0)).isEqualTo(Duration.ofMinutes(10));
    assertThat(age("a", NOON.minusSeconds(590), 10)).isEqualTo(Duration.ZERO);
  }

  @Test
  void aDeadTaskManagerWithAFastClockIsSeen() {
    assertThat(age("a", NOON.plusSeconds(600), 0)).isEqualTo(Duration.ZERO);
    assertThat(age("a", NOON.plusSeconds(600), 40)).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void anotherJobBeginsAnew() {
    assertThat(age("a", NOON, 0)).isEqualTo(Duration.ZERO);
    assertThat(age("b", NOON.minusSeconds(9), 0)).isEqualTo(Duration.ofSeconds(9));
  }
}
