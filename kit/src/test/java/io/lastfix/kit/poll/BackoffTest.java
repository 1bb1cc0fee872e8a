package io.lastfix.kit.poll;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

  @Test
  void pausesDoubleUpToTheLongest() {
    assertThat(backoff.longer(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(2));
    assertThat(backoff.longer(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(5));
    assertThat(backoff.longer(Duration.ofSeconds(5))).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void thePauseAfterAnAttemptIsTheFirstOneDoubledForEachEarlierAttempt() {
    assertThat(backoff.after(1)).isEqualTo(Duration.ofSeconds(1));
    assertThat(backoff.after(3)).isEqualTo(Duration.ofSeconds(4));
    assertThat(backoff.after(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(5));
  }
}
