package io.lastfix.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PacerTest {
  private static final long SECOND = 1_000_000_000L;
  private long nowNanos;

  @Test
  void holdsTheRateEvenly() {
    Pacer pacer = pacerThatMovesTheClock(1_000);

    for (int i = 0; i < 5_000; i++) {
      pacer.await(1);
      assertThat(nowNanos).isCloseTo(i * SECOND / 1_000, within(SECOND / 500));
    }
  }

  @Test
  void aMessageOfManyRecordsTakesTheTimeOfAll() {
    Pacer pacer = pacerThatMovesTheClock(1_000);

    pacer.await(500);
    pacer.await(1);

    assertThat(nowNanos).isEqualTo(SECOND / 2);
  }

  @Test
  void aStallIsNotMadeGoodByAFlood() {
    Pacer pacer = pacerThatMovesTheClock(1_000);
    pacer.await(1);
    nowNanos = 60 * SECOND;

    for (int i = 0; i < 1_000; i++) {
      pacer.await(1);
    }

    assertThat(nowNanos - 60 * SECOND)
        .isCloseTo(SECOND - Pacer.MAX_CATCH_UP_NANOS, within(SECOND / 100));
  }

  @Test
  void aRateOfNothingIsRefused() {
    assertThatThrownBy(() -> Pacer.ofRate(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rate: expected more than 0 records a second, found 0.0");
  }

  private Pacer pacerThatMovesTheClock(double rate) {
    return Pacer.ofRate(rate, () -> nowNanos, nanos -> nowNanos += nanos);
  }
}
