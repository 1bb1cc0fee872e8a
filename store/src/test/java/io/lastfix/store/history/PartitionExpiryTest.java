package io.lastfix.store.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of two clocks decides the expiry of partitions. */
class PartitionExpiryTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private static Instant of(Instant here, Instant server) throws Exception {
    return PartitionExpiry.of(InstantSource.fixed(here), InstantSource.fixed(server));
  }

  @Test
  void theEarlierClockCountsWhicheverItIs() throws Exception {
    Instant later = NOW.plus(PartitionExpiry.MOST_APART);

    assertThat(of(NOW, later)).isEqualTo(NOW);
    assertThat(of(later, NOW)).isEqualTo(NOW);
    assertThat(of(NOW, NOW)).isEqualTo(NOW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT10M0.001S", "-PT10M0.001S", "P3650D", "-P3650D"})
  void clocksThatAreMoreThanTenMinutesApartGiveNoTimeAndTheMessageNamesBoth(Duration apart) {
    Instant server = NOW.plus(apart);

    assertThatThrownBy(() -> of(NOW, server))
        .isInstanceOf(ClocksDisagreeException.class)
        .hasMessageContaining(NOW.toString())
        .hasMessageContaining(server.toString());
  }
}
