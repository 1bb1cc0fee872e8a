package io.lastfix.analytics.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.analytics.timeline.Journeys.Arrival;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.timeline.WindowState;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Whatever order records arrive in, whenever the watermark moves and the job restarts: what is
 * stored at last is what {@link BruteForce} says. Nothing is kept then.
 */
class TimelineFunctionPropertyTest {
  @Property(tries = 150)
  void resultsAreThoseOfTheBruteForce(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    int users = 1 + random.nextInt(6);
    List<LocatedRecord> records = Journeys.records(random, users, 1 + random.nextInt(60));
    try (TimelineHarness harness = new TimelineHarness(0)) {
      long watermark = Long.MIN_VALUE;
      for (Arrival arrival :
          Journeys.arrivals(random, records, TimelineOptions.defaults().lateness().toMillis())) {
        if (arrival.record() != null) {
          harness.record(arrival.record());
        } else {
          watermark = arrival.watermark();
          harness.watermark(watermark);
        }
        if (random.nextInt(50) == 0) {
          harness.restore();
          if (watermark != Long.MIN_VALUE && random.nextBoolean()) {
            // The first watermark of a restarted job is often behind the last one.
            harness.watermark(watermark - random.nextInt(600_000));
          }
        }
      }
      BruteForce expected = new BruteForce(records);
      harness.collected.assertEqualTo(expected);
      assertThat(harness.storedDensity()).as("density").isEqualTo(expected.density);
      assertThat(harness.storedFlows()).as("flows").isEqualTo(expected.flows);
      assertThat(harness.storedStates()).isSubsetOf(WindowState.CLOSED);
      assertThat(harness.stateEntries()).as("state").isZero();
      assertThat(harness.timelineTimers()).as("timers").isZero();
    }
  }
}
