package io.lastfix.gateway.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeliveryWatchTest {
  private long nanos = 5_000_000_000L;
  private final DeliveryWatch watch =
      new DeliveryWatch("topic", Duration.ofMinutes(1), () -> nanos);

  private void pass(int seconds) {
    nanos += Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void aNewConnectionIsProbedAtOnceAndAgainEachTwoSecondsForTwentySeconds() {
    for (int probe = 0; probe < 10; probe++) {
      assertThat(watch.isOverdue()).isFalse();
      assertThat(watch.takeProbe()).isTrue();
      pass(1);
      assertThat(watch.takeProbe()).isFalse();
      pass(1);
    }

    assertThat(watch.isOverdue()).isTrue();
    assertThat(watch.hasDelivered()).isFalse();
  }

  @Test
  void aProbeThatHasComeBackIsGoodForAMinute() {
    watch.returned();
    pass(59);
    assertThat(watch.takeProbe()).isFalse();
    pass(1);

    assertThat(watch.takeProbe()).isTrue();
    pass(19);
    assertThat(watch.isOverdue()).isFalse();
    pass(1);
    assertThat(watch.isOverdue()).isTrue();
    assertThat(watch.isProven()).isTrue();
  }

  @Test
  void messagesPutTheProbeOff() {
    watch.returned();
    pass(59);
    watch.delivered();
    pass(59);

    assertThat(watch.takeProbe()).isFalse();
  }

  @Test
  void whatComesBeforeAProbeProvesNothingYet() {
    watch.delivered();

    assertThat(watch.hasDelivered()).isTrue();
    assertThat(watch.isProven()).isFalse();
    pass(20);
    assertThat(watch.isOverdue()).isTrue();
  }

  @Test
  void timeInWhichTheBrokerCouldNotDeliverIsNoSilence() {
    watch.returned();
    pass(79);
    watch.restart();

    assertThat(watch.isOverdue()).isFalse();
    assertThat(watch.takeProbe()).isFalse();
  }
}
