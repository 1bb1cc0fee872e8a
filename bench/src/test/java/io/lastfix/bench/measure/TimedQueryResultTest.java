package io.lastfix.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lastfix.bench.load.Latencies;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimedQueryResultTest {
  private static final double EVERY = millis(10);

  private final Latencies latencies = new Latencies();
  private long now;
  private long oversleptNanos;

  @Test
  void aServerThatIsFastEnoughIsAskedAtEachMoment() {
    assertThat(run(millis(100), millis(2))).isEqualTo(10);

    assertMillis(0, 2);
    assertMillis(100, 2);
  }

  @Test
  void aQuestionThatHadToWaitIsAsOldAsIfItHadNot() {
    // Due at 0, 10 and 20 ms; answered at 12, 24 and 36 ms.
    assertThat(run(millis(30), millis(12))).isEqualTo(3);

    assertMillis(0, 12);
    assertMillis(50, 14);
    assertMillis(100, 16);
  }

  @Test
  void whatCouldNotBeAskedAnyMoreIsAsOldAsItIsAtTheEnd() {
    // Due at 0, 10, 20 and 30 ms; the first is answered at 50 ms.
    assertThat(run(millis(40), millis(50))).isEqualTo(1);

    assertThat(latencies.count()).isEqualTo(4);
    assertMillis(0, 10);
    assertMillis(100, 50);
  }

  @Test
  void whatTheClientOversleepsIsNotTheServers() {
    oversleptNanos = millis(3);

    assertThat(run(millis(100), millis(2))).isEqualTo(10);

    assertMillis(100, 2);
  }

  private long run(long end, long answerNanos) {
    return new TimedQueryResult(() -> now, nanos -> now += nanos + oversleptNanos)
        .run(0, EVERY, end, () -> now += answerNanos, latencies);
  }

  private void assertMillis(double percent, double millis) {
    assertThat(latencies.percentile(percent)).isCloseTo(millis, within(0.1));
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
