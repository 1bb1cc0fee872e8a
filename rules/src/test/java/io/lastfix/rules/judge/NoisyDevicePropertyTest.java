package io.lastfix.rules.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.alert.Alert;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * A device stands in a circle for a day, with a record each 10 s and a noise of up to 150 m in each
 * axis. It has not left the circle, though the noise moves some records out of it.
 */
class NoisyDevicePropertyTest {
  private static final int SEEDS = 20;
  private static final int DAY_SECONDS = 86_400;
  private static final int INTERVAL_SECONDS = 10;

  /** Of the circle of {@link TestBook#with}. */
  private static final double RADIUS_METERS = 500;

  private static final double NOISE_METERS = 150;

  /** From the border: at this depth the noise moves 0.4 % of the records out of the circle. */
  private static final double DEPTH_METERS = 163;

  private static TestRule left() {
    return TestRule.of(Alert.Kind.LEFT);
  }

  private static DeviceRun day(long seed, double depthMeters, TestRule... rules) {
    Random random = new Random(seed);
    DeviceRun run = new DeviceRun(TestBook.with(rules).set());
    for (int second = 0; second < DAY_SECONDS; second += INTERVAL_SECONDS) {
      double east = RADIUS_METERS - depthMeters + noise(random);
      run.arrive(TestRecord.at(second, east, noise(random)));
      run.watermark(TestRecord.millis(second - 5));
    }
    return run;
  }

  private static double noise(Random random) {
    return NOISE_METERS * (2 * random.nextDouble() - 1);
  }

  /** No record is more than 70 m from the circle. */
  @Property(tries = SEEDS)
  void withAMarginADeviceNearTheBorderFiresNothing(@ForAll long seed) {
    DeviceRun run = day(seed, 100, left().lasting(60).margin(100), left().id("at-once"));

    assertThat(run.alerts("left")).isEmpty();
    assertThat(run.alerts("at-once")).hasSizeGreaterThan(1_000);
  }

  @Property(tries = SEEDS)
  void withForAloneADeviceThatIsDeepEnoughFiresNothing(@ForAll long seed) {
    DeviceRun run = day(seed, DEPTH_METERS, left().lasting(60), left().id("at-once"));

    assertThat(run.alerts("left")).isEmpty();
    assertThat(run.alerts("at-once")).isNotEmpty();
  }

  /**
   * {@code for: 60s} fires after six records in a row outside. So the property above fails by
   * chance in one of 10^9 runs at most. One metre less would not do.
   */
  @Test
  void theDepthIsThatAtWhichChanceFiresOnceInABillionRunsAtMost() {
    assertThat(runsWithAnAlert(DEPTH_METERS)).isLessThan(1e-9);
    assertThat(runsWithAnAlert(DEPTH_METERS - 1)).isGreaterThan(1e-9);
  }

  /** An upper bound: each record may be the first of six outside. */
  private static double runsWithAnAlert(double depthMeters) {
    int records = SEEDS * DAY_SECONDS / INTERVAL_SECONDS;
    return records * Math.pow(shareOutside(depthMeters), 6);
  }

  /** The share of the records that are outside, summed over the noise to the north. */
  private static double shareOutside(double depthMeters) {
    int steps = 3_000;
    double easternmost = RADIUS_METERS - depthMeters + NOISE_METERS;
    return IntStream.range(0, steps)
        .mapToDouble(i -> NOISE_METERS * (2 * (i + 0.5) / steps - 1))
        .map(north -> easternmost - Math.sqrt(RADIUS_METERS * RADIUS_METERS - north * north))
        .map(outside -> Math.max(0, outside) / (2 * NOISE_METERS))
        .average()
        .orElseThrow();
  }
}
