package io.lastfix.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AskedInTimeTest {
  private static final double EVERY = millis(10);

  private final Latencies latencies = new Latencies();
  private long now;
  private long oversleptNanos;

  @Test
  void aServerThatIsFastEnoughIsAskedAtEachMoment() {
    ask(millis(100), millis(2));

    assertThat(latencies.count()).isEqualTo(10);
    assertMillis(0, 2);
    assertMillis(100, 2);
  }

  @Test
  void aQuestionThatHadToWaitIsAsOldAsIfItHadNot() {
    ask(millis(30), millis(25));

    // Due at 0, 10 and 20 ms; answered at 25, 50 and 75 ms.
    assertThat(latencies.count()).isEqualTo(3);
    assertMillis(0, 25);
    assertMillis(50, 40);
    assertMillis(100, 55);
  }

  @Test
  void whatTheClientOversleepsIsNotTheServers() {
    oversleptNanos = millis(3);

    ask(millis(100), millis(2));

    assertMillis(100, 2);
  }

  private void ask(long end, long answerNanos) {
    new AskedInTime(() -> now, nanos -> now += nanos + oversleptNanos)
        .ask(0, EVERY, end, () -> now += answerNanos, latencies);
  }

  private void assertMillis(double percent, double millis) {
    assertThat(latencies.percentile(percent)).isCloseTo(millis, within(0.1));
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
