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
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** This build restores state of former builds. */
class LocateSnapshotTest {
  private static final LocateOptions OPTIONS =
      new LocateOptions(Duration.ofSeconds(32), 10, 1 << 20);

  /**
   * Writes the fixtures of each state backend into a directory. Run it once for a new version of
   * the state, and keep the older fixtures. Version 3 has the instant of the checkpoint, version 4
   * places and ranges.
   */
  public static void main(String[] args) throws Exception {
    for (Run run : List.of(Run.ON_HEAP, Run.ON_ROCKSDB)) {
      try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
        harness
            .entry(entry(CELL, tower(Radio.LTE, FERRY_BUILDING), tower(Radio.GSM, UNION_SQUARE)))
            .record(record(OTHER_CELL))
            .record(record(CELL_IN_OTHER_AREA));
        OperatorSnapshotUtil.writeStateHandle(harness.snapshot(), args[0] + fixture(run, 4));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void stateOfAFormerBuildIsRestoredWithWhatIsKnownAndWhatWaits(Run run, int version)
      throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, run, state(run, version))) {
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
  @MethodSource("fixtures")
  void whatAFormerBuildLeftWaitingLeavesFirstWhereThereIsTooMuchOfIt(Run run, int version)
      throws Exception {
    LocateOptions few = new LocateOptions(Duration.ofSeconds(32), 2, 1 << 20);
    LocationRecord newcomer = record(TestCells.inArea(1));
    try (LocateHarness harness = new LocateHarness(few, run, state(run, version))) {
      harness.record(newcomer).restore().record(newcomer);

      assertThat(harness.records())
          .containsExactlyInAnyOrder(
              record(OTHER_CELL).at(null), record(CELL_IN_OTHER_AREA).at(null));
      assertThat(harness.gauge("waiting")).isEqualTo(2);
    }
  }

  private static Stream<Arguments> fixtures() {
    return Stream.of(Run.ON_HEAP, Run.ON_ROCKSDB)
        .flatMap(
            run -> IntStream.rangeClosed(1, 4).mapToObj(version -> Arguments.of(run, version)));
  }

  private static String fixture(Run run, int version) {
    return "/locate-state-version-%d%s.bin"
        .formatted(version, run == Run.ON_ROCKSDB ? "-rocksdb" : "");
  }

  private static OperatorSubtaskState state(Run run, int version) throws Exception {
    Path file = Path.of(LocateSnapshotTest.class.getResource(fixture(run, version)).toURI());
    return OperatorSnapshotUtil.readStateHandle(file.toString());
  }
}
