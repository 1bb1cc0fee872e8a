package io.lastfix.it.harness;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;

/** How far the tests of faults go: short in {@code mvn verify}, long with {@code -Pchaos}. */
public final class Chaos {
  private Chaos() {}

  /** Whether this is the long form. */
  public static boolean isLong() {
    return Boolean.getBoolean("lastfix.chaos");
  }

  /** Lets a fault last until so long after its beginning. */
  public static void last(Instant began, Duration duration) {
    Instant end = began.plus(duration);
    await("the end of the fault")
        .atMost(duration.plusSeconds(1))
        .until(() -> Instant.now().isAfter(end));
  }

  /** One of two numbers, of rounds, records or seconds. */
  public static int shortOrLong(int shortForm, int longForm) {
    return isLong() ? longForm : shortForm;
  }
}
