package io.lastfix.model.located;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArrivalTest {
  @Test
  void isReadAsItWasWritten() {
    for (long millis : new long[] {0, 1_262_304_123_456L, Long.MAX_VALUE}) {
      assertThat(Arrival.read(Arrival.write(millis))).isEqualTo(millis);
    }
  }

  @Test
  void aHeaderThatLastfixDoesNotWriteCountsAsNone() {
    assertThat(Arrival.read(null)).isEqualTo(Arrival.UNKNOWN);
    assertThat(Arrival.read(new byte[7])).isEqualTo(Arrival.UNKNOWN);
    assertThat(Arrival.read(new byte[9])).isEqualTo(Arrival.UNKNOWN);
    assertThat(Arrival.read(Arrival.write(-1))).isEqualTo(Arrival.UNKNOWN);
  }
}
