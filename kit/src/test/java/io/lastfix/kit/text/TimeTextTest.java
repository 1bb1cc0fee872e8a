package io.lastfix.kit.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeTextTest {
  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT0.999S, 999 ms",
    "PT1S, 1 s",
    "PT1.04S, 1 s",
    "PT1.52S, 1.5 s",
    "PT1.96S, 1.9 s",
    "PT9.99S, 9.9 s",
    "PT10.5S, 10 s",
    "PT119S, 119 s",
    "PT119.96S, 119 s",
    "PT2M, 2 min",
    "PT1H59M59S, 119 min",
    "PT2H, 2 h",
    "PT47H59M, 47 h",
    "P2D, 2 days"
  })
  void aSpanHasTheLargestUnitOfWhichThereAreTwo(Duration span, String text) {
    assertThat(TimeText.span(span)).isEqualTo(text);
  }

  @Test
  void anAgeHasNoFractions() {
    assertThat(TimeText.ago(NOW.minusMillis(999), NOW)).isEqualTo("0 s ago");
    assertThat(TimeText.ago(NOW.minusMillis(5_400), NOW)).isEqualTo("5 s ago");
    assertThat(TimeText.ago(NOW.minusSeconds(130), NOW)).isEqualTo("2 min ago");
  }

  @Test
  void whatIsAheadIsNotOld() {
    assertThat(TimeText.ago(NOW.plusSeconds(3), NOW)).isEqualTo("0 s ago");
    assertThat(TimeText.span(Duration.ofSeconds(-5))).isEqualTo("0 s");
  }
}
