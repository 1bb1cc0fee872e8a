package io.lastfix.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestartBackoffTest {
  private static final Instant BEGIN = Instant.parse("2026-11-21T12:00:00Z");

  private final RestartBackoff backoff =
      new RestartBackoff(Duration.ofSeconds(1), Duration.ofSeconds(8));

  @Test
  void theFirstTryIsDueAtOnceAndEachPauseIsTwiceTheOneBeforeUpToTheLongest() {
    assertThat(triesWithin(0, 40)).containsExactly(0L, 1L, 3L, 7L, 15L, 23L, 31L, 39L);
  }

  @Test
  void afterAWhileWithoutATryItBeginsAnew() {
    triesWithin(0, 16);

    assertThat(triesWithin(100, 104)).containsExactly(100L, 101L, 103L);
  }

  /** The seconds at which a try is due, if it is queried every second. */
  private List<Long> triesWithin(long from, long to) {
    List<Long> tries = new ArrayList<>();
    for (long second = from; second <= to; second++) {
      if (backoff.tryAttempt(BEGIN.plusSeconds(second))) {
        tries.add(second);
      }
    }
    return tries;
  }
}
