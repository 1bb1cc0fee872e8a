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
import io.lastfix.model.Radio;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.Test;

/** State that a former build wrote is restored by this one. */
class LocateSnapshotTest {
  private static final LocateOptions OPTIONS = new LocateOptions(Duration.ofSeconds(32), 10);
  private static final String VERSION_1 = "/locate-state-version-1.bin";

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

  @Test
  void stateOfVersion1IsRestoredWithWhatIsKnownAndWhatWaits() throws Exception {
    Path fixture = Path.of(LocateSnapshotTest.class.getResource(VERSION_1).toURI());
    try (LocateHarness harness =
        new LocateHarness(
            OPTIONS, Run.ON_HEAP, OperatorSnapshotUtil.readStateHandle(fixture.toString()))) {
      assertThat(harness.gauge("waiting")).isEqualTo(2);

      harness.record(RECORD).entry(entry(OTHER_CELL, UNION_SQUARE)).advance(33_000);

      assertThat(harness.records())
          .containsExactly(
              RECORD.at(FERRY_BUILDING),
              record(OTHER_CELL).at(UNION_SQUARE),
              record(CELL_IN_OTHER_AREA).at(null));
    }
  }
}
