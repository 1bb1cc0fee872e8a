package io.lastfix.analytics.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.located.Arrival;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkOutputMultiplexer;
import org.apache.flink.util.clock.Clock;
import org.apache.flink.util.clock.ManualClock;
import org.junit.jupiter.api.Test;

/**
 * The section "Event time" of docs/operate/analytics.md, with Flink's own multiplexer of
 * partitions.
 */
class LocatedWatermarksTest {
  private static final long BOUND = 10_000;
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60_000;
  private static final long HOUR = 3_600_000;
  private static final long NOW = Instant.parse("2026-11-26T12:00:00Z").toEpochMilli();

  /** A day that is replayed. */
  private static final long DAY = Instant.parse("2026-11-20T00:00:00Z").toEpochMilli();

  private final ManualClock time = new ManualClock(NOW * 1_000_000);

  private final Clock clock =
      new Clock() {
        @Override
        public long absoluteTimeMillis() {
          return time.absoluteTimeMillis();
        }

        @Override
        public long relativeTimeMillis() {
          // Not the absolute time, as on a machine.
          return time.relativeTimeMillis() - NOW;
        }

        @Override
        public long relativeTimeNanos() {
          throw new UnsupportedOperationException();
        }
      };

  private final Map<String, LocatedWatermarks> partitions = new LinkedHashMap<>();
  private WatermarkOutputMultiplexer outputs = new WatermarkOutputMultiplexer(new Combined());
  private long watermark = Long.MIN_VALUE;
  private boolean isIdle;

  private final class Combined implements WatermarkOutput {
    @Override
    public void emitWatermark(Watermark emitted) {
      watermark = emitted.getTimestamp();
      isIdle = false;
    }

    @Override
    public void markIdle() {
      isIdle = true;
    }

    @Override
    public void markActive() {
      isIdle = false;
    }
  }

  @Test
  void followsTheGreatestTimestamp() {
    LocatedWatermarks a = partition("A");

    a.onRecord(NOW - 5 * SECOND, Arrival.UNKNOWN);
    a.onRecord(NOW - 8 * SECOND, Arrival.UNKNOWN);
    emit();

    assertThat(watermark).isEqualTo(after(NOW - 5 * SECOND));
  }

  @Test
  void neverPassesTheClock() {
    LocatedWatermarks a = partition("A");

    a.onRecord(NOW + 4 * MINUTE, Arrival.UNKNOWN);
    emit();
    assertThat(watermark).isEqualTo(after(NOW));

    fetchForAWhile(Duration.ofMinutes(5));
    assertThat(watermark).isEqualTo(after(now()));
  }

  @Test
  void theJobsEventTimeIsThatOfThePartitionFurthestBehind() {
    partition("A").onRecord(NOW - SECOND, Arrival.UNKNOWN);
    partition("B").onRecord(NOW - 9 * SECOND, Arrival.UNKNOWN);
    emit();

    assertThat(watermark).isEqualTo(after(NOW - 9 * SECOND));
  }

  @Test
  void aQuietPartitionThatIsReadToItsEndGoesToTheClock() {
    LocatedWatermarks a = partition("A");
    a.onRecord(NOW - 59 * MINUTE, Arrival.UNKNOWN);

    fetchForAWhile(Duration.ofMillis(1_800));
    assertThat(watermark).isEqualTo(after(NOW - 59 * MINUTE));
    fetchForAWhile(Duration.ofMillis(200));
    assertThat(watermark).isEqualTo(after(NOW + 2 * SECOND));
    fetchForAWhile(Duration.ofHours(6));
    assertThat(watermark).isEqualTo(after(now()));
  }

  @Test
  void aPartitionWithUnreadRecordsWaitsForThem() {
    LocatedWatermarks a = partition("A");
    a.onRecord(NOW - 5 * SECOND, Arrival.UNKNOWN);
    a.onFetched(false, clock.relativeTimeMillis());

    emitForAWhile(Duration.ofHours(3));

    assertThat(watermark).isEqualTo(after(NOW - 5 * SECOND));
  }

  @Test
  void aPartitionWhoseBrokerHasNotAnsweredYetHoldsTheOthersBack() {
    partition("A").onRecord(NOW - 5 * SECOND, Arrival.UNKNOWN);
    partition("B");

    emitForAWhile(Duration.ofMinutes(10));

    assertThat(watermark).isEqualTo(Long.MIN_VALUE);
    assertThat(isIdle).isFalse();
  }

  @Test
  void anEmptyPartitionDoesNotHoldTheOthersBack() {
    LocatedWatermarks a = partition("A");
    a.onRecord(NOW - 5 * SECOND, Arrival.UNKNOWN);
    partition("B").onFetched(true, clock.relativeTimeMillis());

    emit();

    assertThat(watermark).isEqualTo(after(NOW - 5 * SECOND));
  }

  @Test
  void allThatIsEmptyIsIdle() {
    partition("A");

    fetchForAWhile(Duration.ofMinutes(1));

    assertThat(isIdle).isTrue();
    assertThat(watermark).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void aReplayedPartitionAdvancesByTheTimeOfQuiet() {
    partition("A").onRecord(DAY, Arrival.UNKNOWN);

    fetchForAWhile(Duration.ofSeconds(90));

    assertThat(watermark).isEqualTo(after(DAY + 90 * SECOND));
    assertThat(isIdle).isFalse();
  }

  @Test
  void aReplayedPartitionThatIsQuietForTwoMinutesHoldsNobodyBackUntilItsNextRecord() {
    LocatedWatermarks a = partition("A");
    LocatedWatermarks b = partition("B");
    b.onRecord(DAY, Arrival.UNKNOWN);
    for (long t = DAY; t < DAY + 5 * HOUR; t += HOUR) {
      a.onRecord(t, Arrival.UNKNOWN);
      fetchForAWhile(Duration.ofSeconds(25));
    }
    assertThat(watermark).isEqualTo(after(DAY + 4 * HOUR + 25 * SECOND));

    b.onRecord(DAY + 5 * HOUR, Arrival.UNKNOWN);
    a.onRecord(DAY + 6 * HOUR, Arrival.UNKNOWN);
    emit();
    assertThat(watermark).isEqualTo(after(DAY + 5 * HOUR));
  }

  /** The task was held back for three minutes, and the timer of watermarks went on. */
  @Test
  void aReplayedPartitionWithUnreadRecordsIsNotIdle() {
    LocatedWatermarks a = partition("A");
    LocatedWatermarks b = partition("B");
    a.onRecord(DAY + 6 * HOUR, Arrival.UNKNOWN);
    b.onRecord(DAY + 3 * HOUR, Arrival.UNKNOWN);
    emit();

    emitForAWhile(Duration.ofMinutes(3));
    a.onRecord(DAY + 6 * HOUR + SECOND, Arrival.UNKNOWN);
    emit();

    assertThat(watermark).isEqualTo(after(DAY + 3 * HOUR));
  }

  /** The other partition is read all the time. */
  @Test
  void aReplayedPartitionThatHasNotHadItsTurnIsNotIdle() {
    LocatedWatermarks a = partition("A");
    LocatedWatermarks b = partition("B");
    b.onRecord(DAY, Arrival.UNKNOWN);
    for (long t = DAY; t < DAY + 5 * HOUR; t += MINUTE) {
      a.onRecord(t, Arrival.UNKNOWN);
      a.onFetched(false, clock.relativeTimeMillis());
      b.onFetched(false, clock.relativeTimeMillis());
      emitForAWhile(Duration.ofSeconds(1));
    }

    assertThat(watermark).isEqualTo(after(DAY));
  }

  @Test
  void recordsOfADeviceWhoseClockIsBehindAreNoNewsInAPartitionOfOthers() {
    LocatedWatermarks a = partition("A");
    a.onRecord(NOW - SECOND, Arrival.UNKNOWN);
    for (int minute = 0; minute < 69; minute++) {
      if (minute == 55) {
        assertThat(watermark).as("as if nothing came").isEqualTo(after(now()));
      } else if (minute > 65) {
        assertThat(a.isIdle()).isTrue();
      }
      for (int second = 0; second < 60; second++) {
        a.onRecord(now() - 70 * MINUTE, Arrival.UNKNOWN);
        fetchForAWhile(Duration.ofSeconds(1));
      }
    }
  }

  @Test
  void aReplayThatIsReadToItsEndAllTheTimeHoldsTheOthersBack() {
    LocatedWatermarks a = partition("A");
    LocatedWatermarks b = partition("B");
    for (long t = DAY; t < DAY + 10 * HOUR; t += 10 * SECOND) {
      a.onRecord(t + 3 * HOUR, Arrival.UNKNOWN);
      b.onRecord(t, Arrival.UNKNOWN);
      fetchForAWhile(Duration.ofSeconds(1));
      assertThat(watermark).isLessThanOrEqualTo(after(t));
    }
  }

  @Test
  void aReplayInRealTimeHasAWatermarkThatFollowsItsRecords() {
    LocatedWatermarks a = partition("A");

    for (int second = 0; second < 1_000; second++) {
      a.onRecord(DAY + second * SECOND, Arrival.UNKNOWN);
      fetchForAWhile(Duration.ofSeconds(1));
    }

    assertThat(watermark).isEqualTo(after(DAY + 999 * SECOND));
  }

  @Test
  void whatAFetchHasFoundIsForgottenIfTheTaskIsHeldBack() {
    LocatedWatermarks a = partition("A");
    a.onRecord(NOW, Arrival.UNKNOWN);
    fetchForAWhile(Duration.ofSeconds(10));
    long before = watermark;

    time.advanceTime(Duration.ofHours(2));
    emit();
    assertThat(watermark).isEqualTo(before);

    a.onFetched(true, clock.relativeTimeMillis());
    emit();
    assertThat(watermark).as("the time of the stall is no quiet").isEqualTo(before);
    fetchForAWhile(Duration.ofSeconds(2));
    assertThat(watermark).isEqualTo(after(now()));
  }

  @Test
  void anIdlePartitionHoldsTheOthersBackAgainIfItMayHaveUnreadRecords() {
    LocatedWatermarks a = partition("A");
    LocatedWatermarks b = partition("B");
    b.onRecord(DAY, Arrival.UNKNOWN);
    a.onRecord(DAY, Arrival.UNKNOWN);
    fetchForAWhile(Duration.ofMinutes(3));
    assertThat(isIdle).isTrue();

    b.onFetched(false, clock.relativeTimeMillis());
    a.onRecord(DAY + 5 * HOUR, Arrival.UNKNOWN);
    emit();

    assertThat(b.isIdle()).isFalse();
    assertThat(watermark).isLessThanOrEqualTo(after(DAY + 2 * MINUTE));
  }

  @Test
  void afterARestartEventTimeContinuesWithoutARecord() {
    partition("A").onRecord(NOW - SECOND, Arrival.UNKNOWN);
    fetchForAWhile(Duration.ofMinutes(10));
    long reached = now();

    restart(Duration.ofHours(8));
    emit();
    assertThat(watermark).isEqualTo(after(reached));
    fetchForAWhile(Duration.ofSeconds(118));
    assertThat(watermark).isEqualTo(after(reached + 118 * SECOND));
    fetchForAWhile(Duration.ofSeconds(2));
    assertThat(watermark).isEqualTo(after(now()));
    fetchForAWhile(Duration.ofHours(6));
    assertThat(watermark).isEqualTo(after(now()));
  }

  @Test
  void afterARestartUnreadRecordsAreWaitedFor() {
    partition("A").onRecord(NOW - SECOND, Arrival.UNKNOWN);
    fetchForAWhile(Duration.ofMinutes(10));
    long reached = now();

    LocatedWatermarks a = restart(Duration.ofHours(8)).get("A");
    emitForAWhile(Duration.ofHours(2));
    assertThat(watermark).isEqualTo(after(reached));

    a.onRecord(reached + MINUTE, Arrival.UNKNOWN);
    a.onFetched(false, clock.relativeTimeMillis());
    emitForAWhile(Duration.ofMinutes(5));
    assertThat(watermark).isEqualTo(after(reached + MINUTE));
  }

  @Test
  void afterARestartAReplayIsAReplay() {
    partition("A").onRecord(DAY, Arrival.UNKNOWN);
    emit();

    restart(Duration.ofMinutes(1));
    fetchForAWhile(Duration.ofMinutes(1));
    assertThat(watermark).isEqualTo(after(DAY + MINUTE));
    fetchForAWhile(Duration.ofHours(1));
    assertThat(watermark).isLessThan(after(DAY + 2 * MINUTE));
    assertThat(isIdle).isTrue();
  }

  @Test
  void aCheckpointContainsRecordsWhoseWatermarkIsNotOutYet() {
    LocatedWatermarks a = partition("A");
    a.onRecord(NOW - SECOND, Arrival.UNKNOWN);

    assertThat(a.time()).isEqualTo(new PartitionTime(NOW - SECOND, true));
  }

  /** A clock that was ahead may have saved it. */
  @Test
  void aTimeAheadOfTheClockIsNotRestored() {
    partition("A", new PartitionTime(NOW + 3 * HOUR, true));
    emit();
    assertThat(watermark).isLessThanOrEqualTo(after(now()));

    partition("B", new PartitionTime(Instant.parse("2100-01-01T00:00:00Z").toEpochMilli(), true));
    emit();
    assertThat(watermark).isLessThanOrEqualTo(after(now()));
  }

  private LocatedWatermarks partition(String name) {
    return partition(name, PartitionTime.NONE);
  }

  private LocatedWatermarks partition(String name, PartitionTime from) {
    outputs.registerNewOutput(name, ignored -> {});
    LocatedWatermarks created = new LocatedWatermarks(Duration.ofMillis(BOUND), clock, from);
    partitions.put(name, created);
    return created;
  }

  /** The next attempt, with the state of this one. */
  private Map<String, LocatedWatermarks> restart(Duration outage) {
    Map<String, LocatedWatermarks> former = Map.copyOf(partitions);
    partitions.clear();
    outputs = new WatermarkOutputMultiplexer(new Combined());
    watermark = Long.MIN_VALUE;
    time.advanceTime(outage);
    former.forEach((name, watermarks) -> partition(name, watermarks.time()));
    return partitions;
  }

  private void emit() {
    partitions.values().forEach(LocatedWatermarks::updateIdleness);
    partitions.forEach(
        (name, watermarks) -> watermarks.mark(outputs.getImmediateOutput(name), false));
    partitions.forEach((name, watermarks) -> watermarks.emit(outputs.getImmediateOutput(name)));
  }

  /** The watermarks' timer continues, but the reader fetches nothing. */
  private void emitForAWhile(Duration duration) {
    for (long millis = 0; millis < duration.toMillis(); millis += 200) {
      time.advanceTime(Duration.ofMillis(200));
      emit();
    }
  }

  /** Fetches find nothing; the first one at once, the further ones after ten seconds each. */
  private void fetchForAWhile(Duration duration) {
    for (long millis = 0; millis < duration.toMillis(); millis += 200) {
      if (millis % 10_000 == 0) {
        partitions
            .values()
            .forEach(watermarks -> watermarks.onFetched(true, clock.relativeTimeMillis()));
      }
      time.advanceTime(Duration.ofMillis(200));
      emit();
    }
  }

  private long now() {
    return time.absoluteTimeMillis();
  }

  /** The watermark if event time has come to an instant. */
  private static long after(long millis) {
    return millis - BOUND - 1;
  }
}
