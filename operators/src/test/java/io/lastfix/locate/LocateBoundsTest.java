package io.lastfix.locate;

import static io.lastfix.locate.LocateHarness.APPENDED;
import static io.lastfix.locate.TestCells.CELL;
import static io.lastfix.locate.TestCells.CELL_IN_OTHER_AREA;
import static io.lastfix.locate.TestCells.FERRY_BUILDING;
import static io.lastfix.locate.TestCells.NOON;
import static io.lastfix.locate.TestCells.OTHER_CELL;
import static io.lastfix.locate.TestCells.entry;
import static io.lastfix.locate.TestCells.record;
import static io.lastfix.locate.TestCells.recordAt;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.locate.LocateHarness.Output;
import io.lastfix.locate.LocateHarness.Run;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The limits of waiting records, and which records leave beyond them. */
class LocateBoundsTest {
  private static final Duration WAIT = Duration.ofSeconds(32);
  private static final long MUCH_MEMORY = 1L << 30;
  private static final LocateOptions THREE = new LocateOptions(WAIT, 3, MUCH_MEMORY);

  @ParameterizedTest
  @EnumSource(
      value = Run.class,
      names = {"ON_HEAP", "ON_ROCKSDB"})
  void aBusyCellWhoseCatalogueComesFourSecondsLateKeepsAllItsPositions(Run run) throws Exception {
    int records = 100_000;
    try (LocateHarness harness = new LocateHarness(LocateOptions.defaults(), run)) {
      for (int i = 0; i < records; i++) {
        harness.record(recordAt(NOON + i));
      }
      harness.advance(4_000).entry(entry(CELL, FERRY_BUILDING));

      assertThat(harness.counter("located")).isEqualTo(records);
      assertThat(harness.records()).hasSize(records).allMatch(LocatedRecord::isLocated);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Run.class,
      names = {"ON_HEAP", "ON_ROCKSDB"})
  void ofRecordsWithoutNumberInAsManyUnknownCellsTheNewestWaitAndTheOldestLeave(Run run)
      throws Exception {
    int records = 400_000;
    try (LocateHarness harness = new LocateHarness(LocateOptions.defaults(), run)) {
      for (int cid = 0; cid < records; cid++) {
        harness.record(record(new CellId(311, 480, 9728, cid)));
      }

      long waiting = harness.gauge("waiting");
      assertThat(waiting).isBetween(100_000L, 200_000L);
      assertThat(harness.gauge("waitingBytes")).isLessThanOrEqualTo(64L << 20);
      assertThat(harness.counter("unlocated.waitFull")).isEqualTo(records - waiting);
      assertThat(
              harness.records().stream().map(record -> Objects.requireNonNull(record.cell()).cid()))
          .as("in the order in which they came")
          .containsExactlyElementsOf(LongStream.range(0, records - waiting).boxed().toList());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Run.class,
      names = {"ON_HEAP", "ON_ROCKSDB"})
  void aBusyCellThatIsNeverKnownStaysWithinTheBound(Run run) throws Exception {
    int bound = 20_000;
    LocateOptions options = new LocateOptions(WAIT, bound, MUCH_MEMORY);
    try (LocateHarness harness = new LocateHarness(options, run)) {
      for (int i = 0; i < 6 * bound; i++) {
        harness.record(recordAt(NOON + i));
      }
      List<LocatedRecord> left = harness.records();

      assertThat(harness.gauge("waiting")).isBetween(bound - bound / 16L, (long) bound);
      assertThat(left.stream().map(LocatedRecord::timestampMillis))
          .isSorted()
          .hasSize(6 * bound - (int) harness.gauge("waiting"));
      assertThat(left.get(0).timestampMillis()).isEqualTo(NOON);
    }
  }

  @ParameterizedTest
  @EnumSource(Run.class)
  void theOldestOfTheSubtaskLeavesWhicheverItsCell(Run run) throws Exception {
    LocationRecord first = recordAt(NOON);
    LocationRecord second = record(OTHER_CELL);
    LocationRecord third = recordAt(NOON + 2);
    LocationRecord fourth = recordAt(NOON + 3);
    try (LocateHarness harness = new LocateHarness(THREE, run)) {
      harness.record(first).record(second).record(third).record(fourth);
      assertThat(harness.outputs()).containsExactly(new Output(first.at(null), APPENDED));

      harness.record(recordAt(NOON + 4));

      assertThat(harness.records()).containsExactly(first.at(null), second.at(null));
      assertThat(harness.counter("unlocated.waitFull")).isEqualTo(2);
      assertThat(harness.gauge("waiting")).isEqualTo(3);
      harness.entry(entry(CELL, FERRY_BUILDING));
      assertThat(harness.counter("located")).isEqualTo(3);
      assertThat(harness.gauge("waiting")).isZero();
      assertThat(harness.gauge("waitingBytes")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Run.class)
  void theMemoryThatWaitingRecordsTakeIsBoundedToo(Run run) throws Exception {
    LocationRecord first = recordAt(NOON);
    long ofTwo = 2L * WaitingRecord.bytes(TestCells.USER.length());
    LocateOptions options = new LocateOptions(WAIT, 1_000, ofTwo);
    try (LocateHarness harness = new LocateHarness(options, run)) {
      harness.record(first).record(record(OTHER_CELL));
      assertThat(harness.outputs()).isEmpty();
      assertThat(harness.gauge("waitingBytes")).isEqualTo(ofTwo);

      harness.record(record(CELL_IN_OTHER_AREA));

      assertThat(harness.records()).containsExactly(first.at(null));
      assertThat(harness.gauge("waitingBytes")).isEqualTo(ofTwo);
    }
  }

  @ParameterizedTest
  @EnumSource(Run.class)
  void whatWasLocatedMeanwhileTakesNoRoomAndNoTurn(Run run) throws Exception {
    LocationRecord located = recordAt(NOON);
    LocationRecord oldest = record(OTHER_CELL);
    try (LocateHarness harness = new LocateHarness(THREE, run)) {
      harness.record(located).record(oldest).entry(entry(CELL, FERRY_BUILDING));
      List<LocationRecord> further = new ArrayList<>();
      for (int cid = 1; cid <= 3; cid++) {
        further.add(record(new CellId(311, 480, 9728, cid)));
        harness.record(further.get(cid - 1));
      }

      assertThat(harness.records()).containsExactly(located.at(FERRY_BUILDING), oldest.at(null));
      harness.finish();
      assertThat(harness.records())
          .hasSize(5)
          .containsAll(further.stream().map(record -> record.at(null)).toList());
    }
  }

  @Test
  void ofWhatTwoSubtasksHeldTheOldestLeavesFirstWhereOneIsLeftOfThem() throws Exception {
    LocateOptions two = new LocateOptions(WAIT, 2, MUCH_MEMORY);
    LocationRecord first = recordAt(NOON);
    LocationRecord second = record(OTHER_CELL);
    try (LocateHarness harness = new LocateHarness(THREE, Run.ON_HEAP)) {
      harness.record(first).advance(10).record(second).record(recordAt(NOON + 2));
      try (LocateHarness after = new LocateHarness(two, Run.ON_HEAP, harness.snapshot())) {
        after.record(recordAt(NOON + 3));

        assertThat(after.records()).containsExactly(first.at(null), second.at(null));
        assertThat(after.gauge("waiting")).isEqualTo(2);
      }
    }
  }
}
