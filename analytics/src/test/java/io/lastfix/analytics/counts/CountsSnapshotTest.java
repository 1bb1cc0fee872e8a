package io.lastfix.analytics.counts;

import static io.lastfix.analytics.counts.TestRecords.T;
import static io.lastfix.analytics.counts.TestRecords.cell;
import static io.lastfix.analytics.counts.TestRecords.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.counts.WindowCount.State;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.Test;

/** This build restores state of former builds. */
class CountsSnapshotTest {
  private static final long HOUR = 3_600_000;
  private static final Grouping BY_CELL = new Grouping(List.of(CountBy.CELL), 13);

  /**
   * Writes the fixtures into a directory: of a window that is closed and can still change, one that
   * is open, and the records that were in them. Run it once for a new version of the state, and
   * keep the older ones.
   */
  public static void main(String[] args) throws Exception {
    CountsHarness harness = new CountsHarness(BY_CELL);
    harness
        .watermark(T - 1)
        .record(record("a", 1, T))
        .record(record("b", 1, T + 1))
        .record(record("c", 1, T + 11_000))
        .watermark(T + 12_000)
        .record(record("c", 1, T + 11_000))
        .second();
    CountsHarness.Snapshot snapshot = harness.checkpoint(1);
    OperatorSnapshotUtil.writeStateHandle(snapshot.distinct(), args[0] + file("distinct"));
    OperatorSnapshotUtil.writeStateHandle(snapshot.count(), args[0] + file("count"));
    harness.close();
  }

  @Test
  void stateOfAFormerBuildIsRestoredWithNumbersRevisionsTimersAndWhatWasSeen() throws Exception {
    CountsHarness harness =
        new CountsHarness(BY_CELL)
            .restored(
                new CountsHarness.Snapshot(
                    state("distinct"), OperatorSubtaskState.builder().build(), state("count")));

    harness
        .record(record("a", 1, T))
        .record(record("d", 1, T + 2))
        .record(record("e", 1, T + 12_500))
        .second()
        .record(record("c", 1, T + 11_000))
        .watermark(T + 20_000);

    assertThat(harness.stored().values())
        .containsExactlyInAnyOrder(
            new WindowCount(T, CountBy.CELL, cell(1), 3, State.CLOSED, 2),
            new WindowCount(T + 10_000, CountBy.CELL, cell(1), 2, State.CLOSED, 1));

    harness.watermark(T + 20_000 + HOUR);
    assertThat(harness.stateEntries()).isZero();
    harness.close();
  }

  /** The watermark is part of the state. */
  @Test
  void whatWasTooLateForAFormerBuildIsTooLate() throws Exception {
    CountsHarness harness =
        new CountsHarness(BY_CELL)
            .restored(
                new CountsHarness.Snapshot(
                    state("distinct"), OperatorSubtaskState.builder().build(), state("count")));

    harness.record(record("f", 1, T + 11_999 - HOUR)).watermark(T + 12_000).second();

    assertThat(harness.stored()).isEmpty();
    harness.close();
  }

  private static String file(String operator) {
    return "/counts-%s-version-1.bin".formatted(operator);
  }

  private static OperatorSubtaskState state(String operator) throws Exception {
    Path file = Path.of(CountsSnapshotTest.class.getResource(file(operator)).toURI());
    return OperatorSnapshotUtil.readStateHandle(file.toString());
  }
}
