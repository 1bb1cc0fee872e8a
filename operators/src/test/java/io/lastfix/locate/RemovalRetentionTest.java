package io.lastfix.locate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemovalRetentionTest {
  private static final Instant STOPPED = Instant.parse("2026-11-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "P30D, P15D, P27D",
    "P1D, PT12H, PT21H36M",
    // Less than an hour would lie between the two: the source begins an hour before the join.
    "PT2H, PT48M, PT1H48M",
    "PT70M, PT3M, PT63M",
    "PT1H, PT0S, PT54M",
    "PT1S, PT0S, PT0.9S",
    "PT0S, PT0S, PT0S",
  })
  void theSourceReadsAnewWellBeforeTheJoinForgets(
      Duration kept, Duration anew, Duration forgotten) {
    RemovalRetention removals = new RemovalRetention(kept);

    assertThat(removals.isReadAnew(STOPPED, STOPPED.plus(anew))).isTrue();
    assertThat(removals.isForgotten(STOPPED, STOPPED.plus(forgotten))).isTrue();
    if (!anew.isZero()) {
      assertThat(removals.isReadAnew(STOPPED, STOPPED.plus(anew).minusNanos(1))).isFalse();
    }
    if (!forgotten.isZero()) {
      assertThat(removals.isForgotten(STOPPED, STOPPED.plus(forgotten).minusNanos(1))).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT1M", "PT90M", "P1D", "P30D", "P3650D"})
  void whenTheJoinForgetsTheSourceReadsAnewAlsoIfItsClockIsAnHourBehind(Duration kept) {
    RemovalRetention removals = new RemovalRetention(kept);
    for (int minutes = 0; minutes < 60 * 24 * 40; minutes += 7) {
      Instant now = STOPPED.plus(Duration.ofMinutes(minutes));
      if (removals.isForgotten(STOPPED, now)) {
        assertThat(removals.isReadAnew(STOPPED, now.minus(RemovalRetention.LEAST_DISTANCE)))
            .as("after %d minutes", minutes)
            .isTrue();
      }
    }
  }

  @Test
  void aTopicThatKeepsRemovalsForEverMakesNoStateOld() {
    RemovalRetention removals = new RemovalRetention(Duration.ofMillis(Long.MAX_VALUE));

    assertThat(removals.isReadAnew(Instant.EPOCH, STOPPED)).isFalse();
    assertThat(removals.isForgotten(Instant.EPOCH, STOPPED)).isFalse();
  }

  @Test
  void aClockThatWasSetBackMakesNoStateOld() {
    assertThat(RemovalRetention.DEFAULT.isReadAnew(STOPPED, STOPPED.minusSeconds(60))).isFalse();
  }

  @Test
  void aNegativeOneIsRefused() {
    assertThatThrownBy(() -> new RemovalRetention(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("kept: expected 0 or more, found PT-0.001S");
  }
}
