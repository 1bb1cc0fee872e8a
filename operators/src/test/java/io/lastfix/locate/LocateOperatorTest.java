package io.lastfix.locate;

import static io.lastfix.locate.LocateHarness.APPENDED;
import static io.lastfix.locate.LocateHarness.CATALOG_LIMIT;
import static io.lastfix.locate.TestCells.CELL;
import static io.lastfix.locate.TestCells.CELL_IN_OTHER_AREA;
import static io.lastfix.locate.TestCells.CELL_WITHOUT_AREA;
import static io.lastfix.locate.TestCells.FERRY_BUILDING;
import static io.lastfix.locate.TestCells.NOON;
import static io.lastfix.locate.TestCells.OTHER_CELL;
import static io.lastfix.locate.TestCells.RECORD;
import static io.lastfix.locate.TestCells.TWIN_PEAKS;
import static io.lastfix.locate.TestCells.UNION_SQUARE;
import static io.lastfix.locate.TestCells.USER;
import static io.lastfix.locate.TestCells.entry;
import static io.lastfix.locate.TestCells.record;
import static io.lastfix.locate.TestCells.recordAt;
import static io.lastfix.locate.TestCells.tower;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.locate.LocateHarness.Output;
import io.lastfix.locate.LocateHarness.Run;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocateOperatorTest {
  private static final int RANGE_METERS = 1_000;
  private static final LocateOptions OPTIONS =
      new LocateOptions(Duration.ofSeconds(32), 10, 1 << 20);

  /** The maximum wait of a record: the configured wait and its 32nd part. */
  private static final long LONGEST_WAIT = 33_000;

  /** A catalogue, a record, and the expected position (null: forwarded at once without one). */
  static Stream<Arguments> lookups() {
    CellEntry lteAndGsm =
        entry(CELL, tower(Radio.LTE, FERRY_BUILDING), tower(Radio.GSM, UNION_SQUARE));
    CellEntry moved =
        entry(
            CELL,
            new Tower(
                Radio.LTE,
                List.of(
                    new CellVersion(NOON, FERRY_BUILDING),
                    new CellVersion(NOON + 10, UNION_SQUARE),
                    new CellVersion(NOON + 20, TWIN_PEAKS))));
    CellEntry here = entry(CELL, FERRY_BUILDING);
    CellEntry there = entry(CELL_IN_OTHER_AREA, UNION_SQUARE);
    return Stream.of(
        Arguments.of("known cell", List.of(here), RECORD, FERRY_BUILDING),
        Arguments.of("no radio given", List.of(here), record(CELL), FERRY_BUILDING),
        Arguments.of("no area given", List.of(here), record(CELL_WITHOUT_AREA), FERRY_BUILDING),
        Arguments.of("narrowed by area", List.of(here, there), RECORD, FERRY_BUILDING),
        Arguments.of(
            "narrowed by area, the other",
            List.of(here, there),
            record(CELL_IN_OTHER_AREA),
            UNION_SQUARE),
        Arguments.of("several areas", List.of(here, there), record(CELL_WITHOUT_AREA), null),
        Arguments.of(
            "narrowed by radio", List.of(lteAndGsm), record(CELL, Radio.GSM), UNION_SQUARE),
        Arguments.of("several radios", List.of(lteAndGsm), record(CELL), null),
        Arguments.of(
            "narrowed by radio across areas",
            List.of(lteAndGsm, there),
            record(CELL_WITHOUT_AREA, Radio.GSM),
            UNION_SQUARE),
        Arguments.of(
            "several at the same place are several",
            List.of(here, entry(CELL_IN_OTHER_AREA, FERRY_BUILDING)),
            record(CELL_WITHOUT_AREA),
            null),
        Arguments.of("before all versions", List.of(moved), recordAt(NOON - 1), FERRY_BUILDING),
        Arguments.of("at a version's start", List.of(moved), recordAt(NOON + 10), UNION_SQUARE),
        Arguments.of("before the next one", List.of(moved), recordAt(NOON + 19), UNION_SQUARE),
        Arguments.of("after all versions", List.of(moved), recordAt(NOON + 99), TWIN_PEAKS),
        Arguments.of("replaced entry", List.of(here, entry(CELL, TWIN_PEAKS)), RECORD, TWIN_PEAKS),
        Arguments.of(
            "replaced by an entry without the radio it had",
            List.of(lteAndGsm, entry(CELL, tower(Radio.GSM, TWIN_PEAKS))),
            record(CELL),
            TWIN_PEAKS),
        Arguments.of(
            "no longer ambiguous once one is removed",
            List.of(here, there, entry(CELL_IN_OTHER_AREA)),
            record(CELL_WITHOUT_AREA),
            FERRY_BUILDING));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("lookups")
  void aRecordOfAKnownCellGoesOnAtOnce(
      String name, List<CellEntry> catalogue, LocationRecord record, @Nullable Position expected)
      throws Exception {
    for (Run run : Run.values()) {
      try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
        for (CellEntry entry : catalogue) {
          harness.entry(entry);
        }
        harness.record(record);

        assertThat(harness.outputs())
            .as("%s, %s", name, run)
            .containsExactly(new Output(record.at(expected), APPENDED));
        assertThat(harness.counter("located")).isEqualTo(expected == null ? 0 : 1);
        assertThat(harness.counter("unlocated.ambiguous")).isEqualTo(expected == null ? 1 : 0);
        assertCountsReconcile(harness);
      }
    }
  }

  /** 36 bits are all ones in NR, 28 in LTE, 16 in GSM; Android gives its greatest int. */
  @ParameterizedTest
  @ValueSource(longs = {65_534, 65_535, 268_435_455, 2_147_483_647, 4_294_967_295L, CellId.MAX_CID})
  void aCidThatMarksAnUnknownCellIsOnlyThatOfItsArea(long cid) throws Exception {
    CellId inArea = new CellId(CELL.mcc(), CELL.mnc(), CELL.area(), cid);
    for (int area : new int[] {CellId.NO_AREA, 0, 65_535, CELL.area() + 1}) {
      try (LocateHarness harness = new LocateHarness(OPTIONS, Run.ON_HEAP)) {
        LocationRecord elsewhere = record(new CellId(CELL.mcc(), CELL.mnc(), area, cid));
        harness
            .entry(entry(inArea, FERRY_BUILDING))
            .record(record(inArea))
            .record(elsewhere)
            .finish();

        assertThat(harness.outputs())
            .as("area %d", area)
            .containsExactly(
                new Output(record(inArea).at(FERRY_BUILDING), APPENDED),
                new Output(elsewhere.at(null), APPENDED));
        assertCountsReconcile(harness);
      }
    }
  }

  @Test
  void withoutItsAreaSuchARecordWaitsForNothing() throws Exception {
    for (Run run : Run.values()) {
      try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
        LocationRecord unknown =
            record(new CellId(CELL.mcc(), CELL.mnc(), CellId.NO_AREA, Integer.MAX_VALUE));
        LocationRecord awaited =
            record(new CellId(CELL.mcc(), CELL.mnc(), CELL.area(), Integer.MAX_VALUE));
        harness.record(unknown).record(awaited);

        assertThat(harness.outputs())
            .as("%s", run)
            .containsExactly(new Output(unknown.at(null), APPENDED));
        assertThat(harness.counter("unlocated.ambiguous")).isEqualTo(1);
        harness.finish();
        assertCountsReconcile(harness);
      }
    }
  }

  @Test
  void aTowerAtZeroZeroIsNone() throws Exception {
    Position zero = new Position(0, 0);
    CellEntry atZero = entry(CELL, tower(Radio.GSM, zero));
    CellEntry movedFromZero =
        entry(
            OTHER_CELL,
            new Tower(
                Radio.LTE,
                List.of(new CellVersion(0, zero), new CellVersion(NOON + 1, UNION_SQUARE))));
    LocationRecord unknown = record(CELL, Radio.GSM);
    LocationRecord known = record(OTHER_CELL, Radio.LTE);
    LocationRecord own = withFixAndCell(metersNorthOfFerryBuilding(5));
    for (Run run : Run.values()) {
      try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
        harness.entry(atZero).entry(movedFromZero);
        harness.record(unknown).record(known).record(own).finish();

        assertThat(harness.outputs())
            .as("%s", run)
            .containsExactlyInAnyOrder(
                new Output(unknown.at(null), APPENDED),
                new Output(known.at(UNION_SQUARE), APPENDED),
                new Output(own.at(null), APPENDED));
        assertCountsReconcile(harness);
      }
    }
  }

  @Test
  void aRecordAtItsCellHasTheRangeOfThatTime() throws Exception {
    CellVersion first = new CellVersion(NOON, FERRY_BUILDING, RANGE_METERS);
    CellVersion second = new CellVersion(NOON + 10, UNION_SQUARE, 2 * RANGE_METERS);
    CellVersion last = new CellVersion(NOON + 20, TWIN_PEAKS);
    for (Run run : Run.values()) {
      try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
        harness
            .entry(entry(CELL, new Tower(Radio.LTE, List.of(first, second, last))))
            .record(recordAt(NOON))
            .record(recordAt(NOON + 10))
            .record(recordAt(NOON + 20));

        assertThat(harness.records())
            .as("%s", run)
            .containsExactly(
                recordAt(NOON).atCell(first),
                recordAt(NOON + 10).atCell(second),
                recordAt(NOON + 20).at(TWIN_PEAKS));
      }
    }
  }

  static Stream<Arguments> placesWithAPosition() {
    CellEntry here =
        entry(
            CELL, new Tower(Radio.LTE, List.of(new CellVersion(0, FERRY_BUILDING, RANGE_METERS))));
    LocationRecord nearby = withFixAndCell(metersNorthOfFerryBuilding(5_900));
    LocationRecord beyond = withFixAndCell(metersNorthOfFerryBuilding(6_300));
    return Stream.of(
        Arguments.of(
            "no cell",
            here,
            new LocationRecord(USER, new Place.AtFix(metersNorthOfFerryBuilding(5)), NOON),
            null,
            false),
        Arguments.of("known cell", here, nearby, FERRY_BUILDING, false),
        Arguments.of("known cell far away", here, beyond, FERRY_BUILDING, true),
        Arguments.of(
            "known cell of unknown range",
            entry(CELL, FERRY_BUILDING),
            withFixAndCell(metersNorthOfFerryBuilding(12_000)),
            FERRY_BUILDING,
            false),
        Arguments.of("unknown cell", entry(OTHER_CELL, UNION_SQUARE), nearby, null, false),
        Arguments.of(
            "ambiguous cell",
            entry(CELL, tower(Radio.LTE, FERRY_BUILDING), tower(Radio.GSM, UNION_SQUARE)),
            new LocationRecord(
                USER, new Place.AtFixAndCell(metersNorthOfFerryBuilding(5), CELL, null), NOON),
            null,
            false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("placesWithAPosition")
  void aRecordWithAPositionOfItsOwnGoesOnAtOnceWithItsCellsPositionBeside(
      String name,
      CellEntry catalogue,
      LocationRecord record,
      @Nullable Position cellPosition,
      boolean isFar)
      throws Exception {
    for (Run run : Run.values()) {
      try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
        harness.entry(catalogue).record(record);

        assertThat(harness.outputs())
            .as("%s, %s", name, run)
            .containsExactly(
                new Output(
                    cellPosition == null ? record.at(null) : record.at(cellPosition, isFar),
                    APPENDED));
        assertThat(harness.counter("fixes")).isEqualTo(1);
        assertThat(harness.counter("far")).isEqualTo(isFar ? 1 : 0);
        assertThat(harness.gauge("waiting")).isZero();
        assertCountsReconcile(harness);
      }
    }
  }

  /** Radius of {@link #metersNorthOfFerryBuilding} is 100 m, so that 6,100 m are just not far. */
  private static LocationRecord withFixAndCell(Fix fix) {
    return new LocationRecord(USER, new Place.AtFixAndCell(fix, CELL, Radio.LTE), NOON);
  }

  private static Fix metersNorthOfFerryBuilding(double meters) {
    double degrees = Math.toDegrees(meters / 6_371_009);
    return new Fix(
        new Position(FERRY_BUILDING.lon(), FERRY_BUILDING.lat() + degrees),
        PositionSource.GNSS,
        100.0,
        null,
        null);
  }

  static Stream<Arguments> catalogueArrivesLate() {
    CellEntry here = entry(CELL, FERRY_BUILDING);
    return Stream.of(
        Arguments.of("known cell", here, RECORD, FERRY_BUILDING),
        Arguments.of("no area given", here, record(CELL_WITHOUT_AREA), FERRY_BUILDING),
        Arguments.of(
            "several radios",
            entry(CELL, tower(Radio.LTE, FERRY_BUILDING), tower(Radio.GSM, UNION_SQUARE)),
            record(CELL),
            null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("catalogueArrivesLate")
  void aWaitingRecordGoesOnWithItsOwnTimestampWhenItsCellArrives(
      String name, CellEntry entry, LocationRecord record, @Nullable Position expected)
      throws Exception {
    for (Run run : Run.values()) {
      try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
        harness.record(record).advance(1_000);
        assertThat(harness.outputs()).isEmpty();
        assertThat(harness.gauge("waiting")).isEqualTo(1);
        assertCountsReconcile(harness);

        harness.entry(entry);

        assertThat(harness.outputs())
            .as("%s, %s", name, run)
            .containsExactly(new Output(record.at(expected), APPENDED));
        assertThat(harness.gauge("waiting")).isZero();
        assertCountsReconcile(harness);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Run.class)
  void aRecordWithoutStreamTimestampGoesOnWithoutOne(Run run) throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
      harness.record(new StreamRecord<>(RECORD)).entry(entry(CELL, FERRY_BUILDING));

      assertThat(harness.outputs())
          .containsExactly(new Output(RECORD.at(FERRY_BUILDING), WaitingRecord.NO_TIMESTAMP));
    }
  }

  @ParameterizedTest
  @EnumSource(Run.class)
  void anEntryOfAnotherAreaOrRadioLeavesTheRecordWaiting(Run run) throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
      harness
          .record(RECORD)
          .entry(entry(CELL_IN_OTHER_AREA, FERRY_BUILDING))
          .entry(entry(CELL, tower(Radio.GSM, UNION_SQUARE)))
          .entry(entry(OTHER_CELL, TWIN_PEAKS));

      assertThat(harness.outputs()).isEmpty();
      assertThat(harness.gauge("waiting")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Run.class,
      names = {"ON_HEAP", "ON_ROCKSDB"}) // A restore restarts the wait.
  void aWaitingRecordGoesOnWithoutCoordinatesAtItsDeadlineAndNotBefore(Run run) throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
      harness.record(RECORD).advance(OPTIONS.maxWait().toMillis() - 1);
      assertThat(harness.outputs()).isEmpty();

      harness.advance(LONGEST_WAIT - OPTIONS.maxWait().toMillis() + 1);

      assertThat(harness.outputs()).containsExactly(new Output(RECORD.at(null), APPENDED));
      assertThat(harness.counter("unlocated.waitExpired")).isEqualTo(1);
      assertThat(harness.gauge("waiting")).isZero();
      assertCountsReconcile(harness);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Run.class,
      names = {"ON_HEAP", "ON_ROCKSDB"}) // A restore restarts the wait.
  void everyRecordHasADeadlineOfItsOwn(Run run) throws Exception {
    LocationRecord later = recordAt(NOON + 1);
    try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
      harness.record(RECORD).advance(10_000).record(later);

      harness.advance(LONGEST_WAIT - 10_000);
      assertThat(harness.records()).containsExactly(RECORD.at(null));

      harness.advance(10_000);
      assertThat(harness.records()).containsExactly(RECORD.at(null), later.at(null));
    }
  }

  @ParameterizedTest
  @EnumSource(Run.class)
  void whenBothInputsEndNothingIsLeftWaiting(Run run) throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
      harness.record(RECORD).record(record(OTHER_CELL)).finish();

      assertThat(harness.records())
          .containsExactlyInAnyOrder(RECORD.at(null), record(OTHER_CELL).at(null));
      assertThat(harness.counter("unlocated.waitExpired")).isEqualTo(2);
      assertCountsReconcile(harness);
    }
  }

  @ParameterizedTest
  @EnumSource(Run.class)
  void recordsAfterARemovalWaitAgain(Run run) throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
      harness.entry(entry(CELL, FERRY_BUILDING)).entry(entry(CELL)).record(RECORD);

      assertThat(harness.outputs()).isEmpty();
      assertThat(harness.gauge("waiting")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Run.class)
  void aRecordWhoseDeadlinePassedWhileTheJobWasDownStillMeetsItsCellAfterTheRestore(Run run)
      throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
      harness.record(RECORD).restoreAfter(3_600_000);

      assertThat(harness.outputs()).isEmpty();
      assertThat(harness.gauge("waiting")).isEqualTo(1);
      harness.entry(entry(CELL, FERRY_BUILDING));

      assertThat(harness.outputs())
          .containsExactly(new Output(RECORD.at(FERRY_BUILDING), APPENDED));
      assertCountsReconcile(harness);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Run.class,
      names = {"ON_HEAP", "ON_ROCKSDB"})
  void aRestoredRecordGoesOnWithoutCoordinatesAfterOneMoreWaitAndNotBefore(Run run)
      throws Exception {
    LocationRecord later = recordAt(NOON + 1);
    try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
      harness.record(RECORD).record(record(OTHER_CELL)).advance(10_000).record(later);
      harness.restoreAfter(3_600_000);

      // An entry that locates none of the key's waiting records, but causes a check of all of them.
      harness.entry(entry(CELL_IN_OTHER_AREA, UNION_SQUARE));
      harness.advance(OPTIONS.maxWait().toMillis() - 1);
      assertThat(harness.outputs()).isEmpty();
      harness.advance(LONGEST_WAIT - OPTIONS.maxWait().toMillis() + 1);

      assertThat(harness.records())
          .containsExactlyInAnyOrder(RECORD.at(null), later.at(null), record(OTHER_CELL).at(null));
      assertThat(harness.counter("unlocated.waitExpired")).isEqualTo(3);
      assertCountsReconcile(harness);
    }
  }

  @Test
  void aShorterWaitAfterARestoreHoldsForNewcomers() throws Exception {
    LocateOptions shorter = new LocateOptions(Duration.ofSeconds(1), 10, 1 << 20);
    LocationRecord newcomer = recordAt(NOON + 1);
    try (LocateHarness before = new LocateHarness(OPTIONS, Run.ON_HEAP)) {
      before.record(RECORD);
      try (LocateHarness after = new LocateHarness(shorter, Run.ON_HEAP, before.snapshot())) {
        after.record(newcomer);
        after.advance(1_100);
        assertThat(after.records()).containsExactly(newcomer.at(null));

        after.advance(LONGEST_WAIT);
        assertThat(after.records()).containsExactly(newcomer.at(null), RECORD.at(null));
      }
    }
  }

  @Test
  void withoutAWaitARecordGoesOnAsSoonAsTheClockIsRead() throws Exception {
    LocateOptions noWait = new LocateOptions(Duration.ZERO, 10, 1 << 20);
    try (LocateHarness harness = new LocateHarness(noWait, Run.ON_HEAP)) {
      harness.record(RECORD).advance(0);

      assertThat(harness.records()).containsExactly(RECORD.at(null));
    }
  }

  @Test
  void aRemovedCellLeavesNoStateBehindOnceItsRemovalIsForgotten() throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, Run.ON_HEAP)) {
      harness.record(RECORD).entry(entry(CELL, FERRY_BUILDING));
      assertThat(harness.stateEntries()).isPositive();

      harness.entry(entry(CELL));
      assertThat(harness.stateEntries()).as("that it was removed").isEqualTo(1);
      harness.advance(KnownCellsState.REMOVAL_KEPT.toMillis());

      assertThat(harness.stateEntries()).isZero();
    }
  }

  /** Kafka may have deleted the removal meanwhile, so the source rereads the catalogue. */
  @ParameterizedTest
  @EnumSource(
      value = Run.class,
      names = {"ON_HEAP", "ON_ROCKSDB"})
  void stateThatIsOlderThanARemovalIsKeptKnowsNoCellUntilItsEntryIsReadAnew(Run run)
      throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
      harness.entry(entry(CELL, FERRY_BUILDING)).entry(entry(OTHER_CELL, UNION_SQUARE));
      harness.restoreAfter(Duration.ofDays(30).toMillis());

      harness.entry(entry(OTHER_CELL, UNION_SQUARE)).record(record(OTHER_CELL)).record(RECORD);
      harness.advance(LONGEST_WAIT);

      assertThat(harness.records())
          .containsExactly(record(OTHER_CELL).at(UNION_SQUARE), RECORD.at(null));
      assertCountsReconcile(harness);
    }
  }

  /** Its entry arrives at the end of the catalogue's reread. */
  @ParameterizedTest
  @EnumSource(
      value = Run.class,
      names = {"ON_HEAP", "ON_ROCKSDB"})
  void aRestoredRecordWaitsAsLongAsReadingTheCatalogueAnewMayTake(Run run) throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
      harness.record(RECORD).record(record(OTHER_CELL));
      harness.restoreAfter(Duration.ofDays(15).toMillis());

      harness.advance(CATALOG_LIMIT.toMillis() - 1);
      assertThat(harness.outputs()).isEmpty();
      harness.entry(entry(CELL, FERRY_BUILDING)).advance(1);

      assertThat(harness.records())
          .containsExactly(RECORD.at(FERRY_BUILDING), record(OTHER_CELL).at(null));
      assertCountsReconcile(harness);
    }
  }

  /** If the reread exceeds its time limit, the job fails and resumes from its checkpoint. */
  @ParameterizedTest
  @EnumSource(
      value = Run.class,
      names = {"ON_HEAP", "ON_ROCKSDB"})
  void aRestoredRecordWaitsAsLongAlsoInTheNextAttemptToReadTheCatalogue(Run run) throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
      harness.record(RECORD);
      harness.restoreAfter(Duration.ofDays(30).toMillis());
      harness.advance(CATALOG_LIMIT.toMillis() - 1).restoreAfter(1_000);

      harness.advance(CATALOG_LIMIT.toMillis() - 1);
      assertThat(harness.outputs()).isEmpty();
      harness.entry(entry(CELL, FERRY_BUILDING));

      assertThat(harness.records()).containsExactly(RECORD.at(FERRY_BUILDING));
    }
  }

  /** The first record arrives after the catalogue has been read. */
  @Test
  void aRecordThatComesAfterTheRestoreWaitsNoLongerThanAnyOther() throws Exception {
    LocationRecord newcomer = recordAt(NOON + 1);
    try (LocateHarness harness = new LocateHarness(OPTIONS, Run.ON_HEAP)) {
      harness.record(RECORD);
      harness.restoreAfter(Duration.ofDays(15).toMillis()).record(newcomer);

      harness.advance(LONGEST_WAIT);
      assertThat(harness.records()).containsExactly(newcomer.at(null));
      harness.restore().advance(LONGEST_WAIT);

      assertThat(harness.records()).containsExactly(newcomer.at(null), RECORD.at(null));
    }
  }

  @Test
  void youngerStateKnowsItsCells() throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, Run.ON_HEAP)) {
      harness.entry(entry(CELL, FERRY_BUILDING));
      harness.restoreAfter(Duration.ofDays(27).toMillis() - 1).record(RECORD);

      assertThat(harness.records()).containsExactly(RECORD.at(FERRY_BUILDING));
    }
  }

  @Test
  void theNextCheckpointIsYoungAgain() throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, Run.ON_HEAP)) {
      harness.restoreAfter(Duration.ofDays(30).toMillis()).entry(entry(CELL, FERRY_BUILDING));
      harness.restoreAfter(1_000).record(RECORD);

      assertThat(harness.records()).containsExactly(RECORD.at(FERRY_BUILDING));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Run.class,
      names = {"ON_HEAP", "ON_ROCKSDB"})
  void oldStateStillHasWhatWaitsAndWhatWasRemoved(Run run) throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, run)) {
      harness.entry(entry(CELL).withRevision(new Revision(NOON, 5, 0)));
      harness.record(RECORD).record(record(OTHER_CELL));
      harness.restoreAfter(Duration.ofDays(27).toMillis());

      harness.entry(entry(CELL, FERRY_BUILDING).withRevision(new Revision(NOON, 3, 0)));
      harness.entry(entry(OTHER_CELL, UNION_SQUARE)).advance(CATALOG_LIMIT.toMillis());

      assertThat(harness.records())
          .containsExactly(record(OTHER_CELL).at(UNION_SQUARE), RECORD.at(null));
    }
  }

  @Test
  void theGaugesSayWhenTheyWereRead() throws Exception {
    try (LocateHarness harness = new LocateHarness(OPTIONS, Run.ON_HEAP)) {
      harness.advance(5_000);

      assertThat(harness.gauge("waitingAsOf")).isEqualTo(NOON + 5_000);
    }
  }

  private static void assertCountsReconcile(LocateHarness harness) {
    assertThat(harness.counter("records"))
        .isEqualTo(
            harness.counter("located")
                + harness.counter("fixes")
                + harness.counter("unlocated.ambiguous")
                + harness.counter("unlocated.waitExpired")
                + harness.counter("unlocated.waitFull")
                + harness.gauge("waiting"));
  }
}
