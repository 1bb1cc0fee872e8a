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
    "PT1H, PT30M, PT54M",
    "PT10S, PT5S, PT9S",
  })
  void theSourceReadsAnewAtHalfTheRetentionAndTheJoinForgetsAtNineTenths(
      Duration kept, Duration anew, Duration forgotten) {
    RemovalRetention removals = new RemovalRetention(kept);

    assertThat(removals.mustReread(STOPPED, STOPPED.plus(anew))).isTrue();
    assertThat(removals.mustReread(STOPPED, STOPPED.plus(anew).minusNanos(1))).isFalse();
    assertThat(removals.isTooOldToKeep(STOPPED, STOPPED.plus(forgotten))).isTrue();
    assertThat(removals.isTooOldToKeep(STOPPED, STOPPED.plus(forgotten).minusNanos(1))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT1S", "PT9.999S"})
  void aRetentionShorterThanTheStartOfAJobMakesNoStateOld(Duration kept) {
    RemovalRetention removals = new RemovalRetention(kept);

    assertThat(removals.mustReread(STOPPED, STOPPED.plus(Duration.ofDays(400)))).isFalse();
    assertThat(removals.isTooOldToKeep(STOPPED, STOPPED.plus(Duration.ofDays(400)))).isFalse();
  }

  @Test
  void aTopicThatKeepsRemovalsForEverMakesNoStateOld() {
    RemovalRetention removals = new RemovalRetention(Duration.ofMillis(Long.MAX_VALUE));

    assertThat(removals.mustReread(Instant.EPOCH, STOPPED)).isFalse();
    assertThat(removals.isTooOldToKeep(Instant.EPOCH, STOPPED)).isFalse();
  }

  @Test
  void aClockThatWasSetBackMakesNoStateOld() {
    assertThat(RemovalRetention.DEFAULT.mustReread(STOPPED, STOPPED.minusSeconds(60))).isFalse();
  }

  @Test
  void aNegativeOneIsRefused() {
    assertThatThrownBy(() -> new RemovalRetention(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("kept: expected 0 or more, found PT-0.001S");
  }
}
