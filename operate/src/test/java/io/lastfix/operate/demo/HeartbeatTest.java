package io.lastfix.operate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The demo's progress, with a clock of the test's own. */
class HeartbeatTest {
  private final List<String> lines = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final Heartbeat heartbeat = new Heartbeat(lines::add, nanos::get);

  @Test
  void aStepThatTakesLongRepeatsWhatIsDoneOfHowMuch() {
    heartbeat.step("Pushing");
    pass(3);
    heartbeat.show("10 of 30 sent");
    pass(1);
    heartbeat.show("20 of 30 sent");
    pass(3);
    pass(1);

    assertThat(lines)
        .containsExactly(
            "==> Pushing", "    ... 10 of 30 sent (4 s)", "    ... 20 of 30 sent (8 s)");
  }

  @Test
  void aLineThatIsPrintedAnywayDelaysTheNext() {
    heartbeat.step("Pushing");
    pass(3);
    heartbeat.say("pushed");
    pass(3);

    assertThat(lines).containsExactly("==> Pushing", "    pushed");
  }

  private void pass(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    heartbeat.check();
  }
}
