package io.lastfix.analytics.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import java.nio.file.Path;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.Test;

/** This build restores state of former builds. */
class TimelineSnapshotTest {
  private static final long T = 1_795_176_000_000L;
  private static final long MINUTE = 60_000;

  /**
   * Writes the fixtures into a directory: of a person on a trip, one who was restored and not seen
   * by a watermark since, and what density and flows keep of that. Run it once for a new version of
   * the state, and keep the older ones.
   */
  public static void main(String[] args) throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness
          .watermark(T - 1)
          .record(at("traveller", 1, T))
          .record(at("traveller", 2, T + 12 * MINUTE))
          .watermark(T + 13 * MINUTE)
          .restore()
          .record(at("waiting", 2, T + 14 * MINUTE));
      OperatorSnapshotUtil.writeStateHandle(harness.timelinesState(), args[0] + file("timelines"));
      OperatorSnapshotUtil.writeStateHandle(harness.densityState(), args[0] + file("density"));
      OperatorSnapshotUtil.writeStateHandle(harness.flowsState(), args[0] + file("flows"));
    }
  }

  @Test
  void stateOfAFormerBuildIsRestoredWithTimersWindowsAndWhatWaits() throws Exception {
    try (TimelineHarness harness =
        new TimelineHarness(
            TimelineOptions.defaults(), 0, state("timelines"), state("density"), state("flows"))) {
      harness
          .watermark(T + 14 * MINUTE)
          .record(at("traveller", 3, T + 16 * MINUTE))
          .record(at("traveller", 3, T + 26 * MINUTE))
          .watermark(T + 5 * 60 * MINUTE);

      assertThat(harness.collected.stays())
          .containsExactly(
              "traveller cell %d %s %d ABSENT"
                  .formatted(T + 16 * MINUTE, cell(3), T + 26 * MINUTE));
      assertThat(harness.collected.trips())
          .containsExactly(
              "traveller cell %d %s %s %d 1"
                  .formatted(T + 12 * MINUTE, cell(1), cell(3), T + 16 * MINUTE));
      assertThat(harness.storedDensity())
          .containsEntry("cell %s %d".formatted(cell(2), T + 14 * MINUTE), 2)
          .containsEntry("cell %s %d".formatted(cell(2), T + 16 * MINUTE), 1)
          .containsEntry("cell %s %d".formatted(cell(2), T + 44 * MINUTE), 0);
      assertThat(harness.storedFlows())
          .containsEntry("cell %s %s %d".formatted(cell(1), cell(2), T), "1/1")
          .containsEntry("cell %s %s %d".formatted(cell(2), cell(3), T), "1/1");
      assertThat(harness.stateEntries()).isZero();
    }
  }

  @Test
  void aStateOfOtherSettingsIsRefusedAndEachIsNamed() throws Exception {
    TimelineOptions saved = TimelineOptions.defaults();
    OperatorSubtaskState state;
    try (TimelineHarness harness = new TimelineHarness(0)) {
      state = harness.watermark(T - 1).record(at("any", 1, T)).timelinesState();
    }
    TimelineOptions others =
        new TimelineOptions(
            saved.absence().plusMinutes(1),
            saved.pingPong(),
            saved.minimumStay(),
            saved.lateness(),
            saved.areaLevel() + 1);

    assertThatThrownBy(() -> new TimelineHarness(others, 0, state, null, null))
        .isInstanceOf(SuppressRestartsException.class)
        .cause()
        .hasMessageContaining(
            "analytics.absence was 1800000 ms, and is 1860000 ms; analytics.area-level was 13, and"
                + " is 14. Restore the former values");
  }

  private static CellId cell(int number) {
    return new CellId(310, 410, 1, number);
  }

  private static LocatedRecord at(String user, int cell, long millis) {
    return new LocatedRecord(user, cell(cell), millis, null);
  }

  private static String file(String operator) {
    return "/timeline-%s-version-1.bin".formatted(operator);
  }

  private static OperatorSubtaskState state(String operator) throws Exception {
    Path file = Path.of(TimelineSnapshotTest.class.getResource(file(operator)).toURI());
    return OperatorSnapshotUtil.readStateHandle(file.toString());
  }
}
