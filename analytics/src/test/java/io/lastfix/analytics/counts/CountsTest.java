package io.lastfix.analytics.counts;

import static io.lastfix.analytics.counts.TestRecords.T;
import static io.lastfix.analytics.counts.TestRecords.cell;
import static io.lastfix.analytics.counts.TestRecords.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.analytics.time.LocatedWatermarks;
import io.lastfix.analytics.time.PartitionTime;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.counts.WindowCount.State;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.util.clock.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From located records to counts, without servers. */
class CountsTest {
  private static final long HOUR = 3_600_000;

  private CountsHarness harness;

  @BeforeEach
  void start() throws Exception {
    harness = new CountsHarness(new Grouping(List.of(CountBy.CELL), 13));
    // The stream has a watermark before the first record of a test.
    harness.watermark(T - 60_000);
  }

  @AfterEach
  void stop() throws Exception {
    harness.close();
  }

  private static WindowCount count(long windowMillis, int cid, long n, State state, long rev) {
    return new WindowCount(windowMillis, CountBy.CELL, cell(cid), n, state, rev);
  }

  @Test
  void aPartialNumberIsPublishedOnceASecondAndTheLastOneWhenTheWindowCloses() throws Exception {
    harness.record(record("a", 1, T)).record(record("b", 1, T + 1)).record(record("a", 2, T + 2));
    assertThat(harness.published()).isEmpty();
    harness.second();
    assertThat(harness.published())
        .containsExactlyInAnyOrder(count(T, 1, 2, State.OPEN, 0), count(T, 2, 1, State.OPEN, 0));

    harness.record(record("c", 1, T + 9_999)).watermark(T + 9_998);
    assertThat(harness.published()).hasSize(2);
    harness.watermark(T + 9_999);

    assertThat(harness.published().subList(2, 5))
        .containsExactlyInAnyOrder(
            count(T, 1, 3, State.OPEN, 1),
            count(T, 1, 3, State.CLOSED, 2),
            count(T, 2, 1, State.CLOSED, 1));
  }

  /** Of a source whose partition has nothing more to read. */
  @Test
  void afterARestartAWindowClosesWithoutAFurtherRecord() throws Exception {
    ManualClock clock = new ManualClock(T * 1_000_000);
    LocatedWatermarks source =
        new LocatedWatermarks(Duration.ofSeconds(10), clock, PartitionTime.NONE);
    source.onRecord(T, T);
    harness.record(record("a", 1, T)).second();
    PartitionTime reached = source.time();
    harness = harness.restored(harness.checkpoint(1));

    LocatedWatermarks restored = new LocatedWatermarks(Duration.ofSeconds(10), clock, reached);
    long[] watermark = {Long.MIN_VALUE};
    WatermarkOutput output =
        new WatermarkOutput() {
          @Override
          public void emitWatermark(Watermark emitted) {
            watermark[0] = emitted.getTimestamp();
          }

          @Override
          public void markIdle() {}

          @Override
          public void markActive() {}
        };
    for (int second = 0; second < 30; second++) {
      clock.advanceTime(Duration.ofSeconds(1));
      restored.onFetched(true, clock.relativeTimeMillis());
      restored.updateIdleness();
      restored.mark(output, false);
      restored.emit(output);
      harness.watermark(watermark[0]).second();
    }

    assertThat(harness.stored().values()).containsExactly(count(T, 1, 1, State.CLOSED, 1));
  }

  @Test
  void aRepeatedRecordCountsOnce() throws Exception {
    LocatedRecord record = record("a", 1, T);
    harness.record(record).record(record).second().record(record).second();

    assertThat(harness.published()).containsExactly(count(T, 1, 1, State.OPEN, 0));
  }

  @Test
  void twoRecordsOfOneMillisecondAtDifferentCellsBothCount() throws Exception {
    harness.record(record("a", 1, T)).record(record("a", 2, T)).record(record("a", 1, T)).second();

    assertThat(harness.published())
        .containsExactlyInAnyOrder(count(T, 1, 1, State.OPEN, 0), count(T, 2, 1, State.OPEN, 0));
  }

  @Test
  void aLateRecordRewritesItsWindow() throws Exception {
    harness.record(record("a", 1, T)).watermark(T + HOUR);
    harness.record(record("b", 1, T + 1)).second();

    assertThat(harness.published())
        .containsExactly(
            count(T, 1, 1, State.OPEN, 0),
            count(T, 1, 1, State.CLOSED, 1),
            count(T, 1, 2, State.CLOSED, 2));
  }

  @Test
  void aRecordThatIsAnHourLateCountsAndALaterOneDoesNot() throws Exception {
    harness.watermark(T + HOUR).record(record("a", 1, T)).second();
    assertThat(harness.published()).containsExactly(count(T, 1, 1, State.CLOSED, 0));

    harness.watermark(T + HOUR + 1).record(record("b", 1, T)).second();
    assertThat(harness.published()).hasSize(1);
  }

  @Test
  void whatCanNoLongerChangeLeavesTheState() throws Exception {
    for (int i = 0; i < 500; i++) {
      harness.record(record("u" + i % 7, i % 5, T + i * 30_000L)).watermark(T + i * 30_000L - 5);
    }
    assertThat(harness.stateEntries()).isPositive();

    harness.watermark(T + 500 * 30_000L + HOUR + 10_000);

    assertThat(harness.stateEntries()).isZero();
  }

  /** A new attempt begins without a watermark; what is too late must still be. */
  @Test
  void aRepetitionOfARecordThatTheStateHasForgottenDoesNotCountAfterARestore() throws Exception {
    harness.record(record("a", 1, T)).watermark(T + 2 * HOUR);
    assertThat(harness.stored().values()).extracting(WindowCount::n).containsExactly(1L);

    harness = harness.restored(harness.checkpoint(1));
    harness.record(record("a", 1, T)).record(record("a", 1, T + 1)).second();
    harness.watermark(T + 2 * HOUR);

    assertThat(harness.stored().values()).extracting(WindowCount::n).containsExactly(1L);
  }

  @Test
  void aLateRecordRightAfterARestoreIsPublished() throws Exception {
    harness.record(record("a", 1, T)).watermark(T + 20_000);
    harness = harness.restored(harness.checkpoint(1));

    harness.record(record("b", 1, T + 1)).second().watermark(T + 20_000);

    assertThat(harness.stored().values()).containsExactly(count(T, 1, 2, State.CLOSED, 2));
  }

  @Test
  void beforeTheFirstWatermarkNumbersWaitForIt() throws Exception {
    harness = harness.restored(null);
    harness.record(record("a", 1, T)).record(record("a", 1, T + 15_000)).second();
    assertThat(harness.published()).isEmpty();

    harness.watermark(T + 10_000);

    assertThat(harness.published()).containsExactly(count(T, 1, 1, State.CLOSED, 0));
  }

  @Test
  void eachRecordIsInOneGroupOfEachKind() throws Exception {
    harness.close();
    harness = new CountsHarness(new Grouping(List.of(CountBy.values()), 13));
    harness.watermark(T - 1).record(record("a", 1, T)).second();

    assertThat(harness.published())
        .extracting(count -> count.by().text() + ":" + count.key() + "=" + count.n())
        .containsExactlyInAnyOrder(
            "total:all=1",
            "cell:310-260-7-1=1",
            "area:"
                + TestRecords.groupOf(
                    new Grouping(List.of(CountBy.AREA), 13), record("a", 1, T), CountBy.AREA)
                + "=1",
            "network:310-260=1",
            "source:cell=1");
  }
}
