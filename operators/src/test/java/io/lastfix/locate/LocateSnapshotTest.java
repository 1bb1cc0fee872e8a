package io.lastfix.locate;

import static io.lastfix.locate.TestCells.CELL;
import static io.lastfix.locate.TestCells.CELL_IN_OTHER_AREA;
import static io.lastfix.locate.TestCells.FERRY_BUILDING;
import static io.lastfix.locate.TestCells.OTHER_CELL;
import static io.lastfix.locate.TestCells.RECORD;
import static io.lastfix.locate.TestCells.UNION_SQUARE;
import static io.lastfix.locate.TestCells.entry;
import static io.lastfix.locate.TestCells.record;
import static io.lastfix.locate.TestCells.tower;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.locate.LocateHarness.Run;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Radio;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** State that a former build wrote is restored by this one. */
class LocateSnapshotTest {
  private static final LocateOptions OPTIONS =
      new LocateOptions(Duration.ofSeconds(32), 10, 1 << 20);
  private static final String VERSION_1 = "/locate-state-version-1.bin";
  private static final String VERSION_2 = "/locate-state-version-2.bin";

  /** Writes the fixture: run it once for a new version of the state, and keep the older ones. */
  public static void main(String[] args) throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, Run.ON_HEAP)) {
      harness
          .entry(entry(CELL, tower(Radio.LTE, FERRY_BUILDING), tower(Radio.GSM, UNION_SQUARE)))
          .record(record(OTHER_CELL))
          .record(record(CELL_IN_OTHER_AREA));
      OperatorSnapshotUtil.writeStateHandle(harness.snapshot(), args[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {VERSION_1, VERSION_2})
  void stateOfAFormerBuildIsRestoredWithWhatIsKnownAndWhatWaits(String version) throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, Run.ON_HEAP, state(version))) {
      assertThat(harness.gauge("waiting")).isEqualTo(2);
      assertThat(harness.timers()).isZero();

      harness.record(RECORD).entry(entry(OTHER_CELL, UNION_SQUARE)).advance(33_000);

      assertThat(harness.records())
          .containsExactly(
              RECORD.at(FERRY_BUILDING),
              record(OTHER_CELL).at(UNION_SQUARE),
              record(CELL_IN_OTHER_AREA).at(null));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {VERSION_1, VERSION_2})
  void whatAFormerBuildLeftWaitingLeavesFirstWhereThereIsTooMuchOfIt(String version)
      throws Exception {
    LocateOptions few = new LocateOptions(Duration.ofSeconds(32), 2, 1 << 20);
    LocationRecord newcomer = record(TestCells.inArea(1));
    try (LocateHarness harness = new LocateHarness(few, Run.ON_HEAP, state(version))) {
      harness.record(newcomer).restore().record(newcomer);

      assertThat(harness.records())
          .containsExactlyInAnyOrder(
              record(OTHER_CELL).at(null), record(CELL_IN_OTHER_AREA).at(null));
      assertThat(harness.gauge("waiting")).isEqualTo(2);
    }
  }

  private static OperatorSubtaskState state(String name) throws Exception {
    Path fixture = Path.of(LocateSnapshotTest.class.getResource(name).toURI());
    return OperatorSnapshotUtil.readStateHandle(fixture.toString());
  }
}
