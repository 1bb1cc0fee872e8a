package io.lastfix.kit.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PollTest {
  private static final Duration INTERVAL = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofMinutes(10);

  @Test
  void aPauseLastsAtLeastOneInterval() throws Exception {
    Poll poll = new Poll(INTERVAL, LONG);
    long began = System.nanoTime();

    poll.pause(() -> new IOException("too late"));

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(INTERVAL);
    assertThat(poll.isOver()).isFalse();
  }

  @Test
  void afterTheLimitItFailsInsteadOfPausing() throws Exception {
    Poll poll = new Poll(LONG, INTERVAL);
    await().until(poll::isOver);

    assertThatThrownBy(() -> poll.pause(() -> new IOException("too late")))
        .isInstanceOf(IOException.class)
        .hasMessage("too late");
  }

  @Test
  void aWaitThatMadeProgressHasItsWholeLimitAgain() throws Exception {
    Poll poll = new Poll(INTERVAL, Duration.ofSeconds(1));
    await().until(poll::isOver);

    poll.restart();

    assertThat(poll.isOver()).isFalse();
  }

  @Test
  void aReadingIsRepeatedUntilItIsAsWanted() throws Exception {
    AtomicInteger readings = new AtomicInteger();

    int found =
        Poll.until(Duration.ofMillis(1), LONG, readings::incrementAndGet, value -> value == 3);

    assertThat(found).isEqualTo(3);
    assertThat(readings).hasValue(3);
  }

  @Test
  void afterTheLimitTheLastReadingIsReturned() throws Exception {
    assertThat(Poll.until(LONG, Duration.ZERO, () -> "as before", "new"::equals))
        .isEqualTo("as before");
  }
}
