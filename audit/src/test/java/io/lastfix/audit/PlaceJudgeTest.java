package io.lastfix.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.audit.PlaceJudge.Verdict;
import io.lastfix.audit.stored.Place;
import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.audit.tree.OwnPosition;
import io.lastfix.model.Radio;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of the join, and the exceptions for stored positions. */
class PlaceJudgeTest {
  private static final Duration WAIT = Duration.ofMinutes(1);
  private static final Instant CAME = Instant.parse("2026-11-20T12:00:00Z");
  private static final Instant BEFORE = CAME.minus(Duration.ofHours(1));
  private static final Instant LONG_AFTER = CAME.plus(WAIT).plusMillis(1);
  private static final Instant NEXT_DAY = CAME.plus(Duration.ofDays(1));
  private static final Instant SOON_AFTER = CAME.plus(WAIT);

  private static final Place HERE = new Place(-122.4, 37.8);
  private static final Place THERE = new Place(-122.3, 37.7);

  private ScratchDatabase scratch;
  private Catalog catalog;
  private boolean isBacklogFull;
  private long offset;

  @BeforeEach
  void open() throws Exception {
    scratch = new ScratchDatabase();
    catalog = new Catalog(scratch);
  }

  @AfterEach
  void close() throws Exception {
    scratch.close();
  }

  @Test
  void theOnlyTowerGivesItsPlace() throws Exception {
    publish(BEFORE, 1, tower(Radio.LTE, HERE));

    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(FoundRecord.NO_AREA, Radio.LTE), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, null), THERE)).isEqualTo(Verdict.WRONG);
    assertThat(judge(record(1, null), null)).isEqualTo(Verdict.WRONG);
  }

  @Test
  void anUnknownCellGivesNone() throws Exception {
    assertThat(judge(record(1, null), null)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.WRONG);
  }

  @Test
  void areaAndRadioNarrowWhereTheyAreGiven() throws Exception {
    publish(BEFORE, 1, tower(Radio.LTE, HERE), tower(Radio.GSM, THERE));

    assertThat(judge(record(2, null), null)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(2, null), HERE)).isEqualTo(Verdict.WRONG);
    assertThat(judge(record(1, Radio.GSM), THERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, Radio.GSM), HERE)).isEqualTo(Verdict.WRONG);
    assertThat(judge(record(1, Radio.NR), null)).isEqualTo(Verdict.RIGHT);
  }

  @Test
  void anAmbiguousCellGivesNoneAndAGuessIsNotConfirmed() throws Exception {
    publish(BEFORE, 1, tower(Radio.LTE, HERE));
    publish(BEFORE, 2, tower(Radio.LTE, THERE));

    assertThat(judge(record(FoundRecord.NO_AREA, null), null)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(FoundRecord.NO_AREA, null), HERE)).isEqualTo(Verdict.UNDECIDED);
    assertThat(judge(record(2, null), THERE)).isEqualTo(Verdict.RIGHT);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {65_534, 65_535, 268_435_455, 2_147_483_647, 4_294_967_295L, 68_719_476_735L})
  void aCellIdThatStandsForAnUnknownCellGivesAPlaceOnlyWithItsArea(long cid) throws Exception {
    add(BEFORE, "{\"cell\":\"1-2-1-%d\",\"towers\":[%s]}".formatted(cid, tower(Radio.LTE, HERE)));
    FoundRecord inArea = new FoundRecord("user", 1, 2, 1, cid, null, CAME.toEpochMilli());
    FoundRecord anywhere =
        new FoundRecord("user", 1, 2, FoundRecord.NO_AREA, cid, null, CAME.toEpochMilli());

    assertThat(judge(inArea, HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(anywhere, null)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(anywhere, HERE)).isEqualTo(Verdict.WRONG);
  }

  @Test
  void aTowerAtZeroZeroGivesNoPlace() throws Exception {
    Place zero = new Place(0, 0);
    publish(BEFORE, 1, tower(Radio.GSM, zero), tower(Radio.LTE, HERE));

    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, Radio.GSM), null)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, Radio.GSM), zero)).isEqualTo(Verdict.WRONG);
    assertThatThrownBy(() -> publish(BEFORE, 1, tower(Radio.GSM, zero)))
        .hasMessage("expected a position other than (0, 0)");
  }

  @Test
  void theVersionIsTheOneValidAtTheRecordsTimeAndTheEarliestBeforeAll() throws Exception {
    publish(
        BEFORE,
        1,
        "{\"radio\":\"LTE\",\"versions\":[%s,%s]}"
            .formatted(version(CAME, HERE), version(CAME.plusSeconds(1), THERE)));

    assertThat(judge(at(CAME.minusSeconds(9)), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(at(CAME), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(at(CAME.plusSeconds(1)), THERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(at(CAME.plusSeconds(1)), HERE)).isEqualTo(Verdict.WRONG);
  }

  @Test
  void aLaterEntryMayHaveCountedAlready() throws Exception {
    publish(BEFORE, 1, tower(Radio.LTE, HERE));
    publish(LONG_AFTER, 1, tower(Radio.LTE, THERE));

    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, null), THERE)).isEqualTo(Verdict.RIGHT);
  }

  /** The job read the record after a stop, with the catalogue of that time. */
  @Test
  void aPlaceThatTheNewestEntryGivesIsLaterWhereThatCameLongAfterTheWait() throws Exception {
    publish(BEFORE, 1, tower(Radio.LTE, HERE));
    publish(NEXT_DAY, 1, tower(Radio.LTE, THERE));
    publish(NEXT_DAY, 2, tower(Radio.LTE, THERE));

    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, null), THERE)).isEqualTo(Verdict.LATER);
    assertThat(judge(record(2, null), THERE)).isEqualTo(Verdict.LATER);
    assertThat(judge(record(2, null), HERE)).isEqualTo(Verdict.WRONG);
    assertThat(judge(record(2, null), null)).isEqualTo(Verdict.RIGHT);
  }

  @Test
  void aLaterEntryThatIsNotTheNewestIsNeitherConfirmedNorRefuted() throws Exception {
    publish(BEFORE, 1, tower(Radio.LTE, HERE));
    publish(NEXT_DAY, 1, tower(Radio.LTE, THERE));
    publish(NEXT_DAY.plusSeconds(1), 1, tower(Radio.LTE, HERE));

    assertThat(judge(record(1, null), THERE)).isEqualTo(Verdict.UNDECIDED);
  }

  /** If entries are gone, it is unknown which was the newest. */
  @Test
  void aPlaceOfTheNewestEntryOfAnIncompleteCatalogueIsNeitherConfirmedNorRefuted()
      throws Exception {
    publish(BEFORE, 1, tower(Radio.LTE, HERE));
    publish(NEXT_DAY, 1, tower(Radio.LTE, THERE));
    catalog.lacksEntries();

    assertThat(judge(record(1, null), THERE)).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void theNewestEntryGivesThePlaceOfTheRecordsTimeAndNoOther() throws Exception {
    publish(BEFORE, 1, tower(Radio.LTE, HERE));
    publish(
        NEXT_DAY,
        1,
        "{\"radio\":\"LTE\",\"versions\":[%s,%s]}"
            .formatted(version(Instant.EPOCH, HERE), version(CAME, THERE)));

    assertThat(judge(at(CAME), THERE)).isEqualTo(Verdict.LATER);
    assertThat(judge(at(CAME.minusMillis(1)), THERE)).isEqualTo(Verdict.WRONG);
  }

  @Test
  void aPlaceThatIsAmbiguousByTheNewestEntriesIsNotConfirmedByThem() throws Exception {
    publish(BEFORE, 1, tower(Radio.LTE, HERE));
    publish(NEXT_DAY, 1, tower(Radio.LTE, THERE));
    publish(NEXT_DAY, 2, tower(Radio.LTE, HERE));

    assertThat(judge(record(FoundRecord.NO_AREA, null), THERE)).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void aCellThatWasTakenOutLongAfterTheWaitDoesNotConfirmThatNoneIsStored() throws Exception {
    publish(BEFORE, 1, tower(Radio.LTE, HERE));
    remove(NEXT_DAY, 1);

    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, null), null)).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void anOvertakenEntryIsNeitherConfirmedNorRefuted() throws Exception {
    publish(BEFORE.minusSeconds(1), 1, tower(Radio.LTE, THERE));
    publish(BEFORE, 1, tower(Radio.LTE, HERE));

    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, null), THERE)).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void aCellThatCameAfterTheWaitMayBeMissing() throws Exception {
    publish(LONG_AFTER, 1, tower(Radio.LTE, HERE));

    assertThat(judge(record(1, null), null)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
  }

  @Test
  void aCellThatCameWithinTheWaitMustCountUnlessTooManyWaited() throws Exception {
    publish(SOON_AFTER, 1, tower(Radio.LTE, HERE));

    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, null), null)).isEqualTo(Verdict.WRONG);
    isBacklogFull = true;
    assertThat(judge(record(1, null), null)).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void aCellThatWasTakenOutGivesNone() throws Exception {
    publish(BEFORE.minusSeconds(1), 1, tower(Radio.LTE, HERE));
    remove(BEFORE, 1);

    assertThat(judge(record(1, null), null)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void whereEntriesAreGoneNoEntryRefutes() throws Exception {
    publish(LONG_AFTER, 1, tower(Radio.LTE, HERE));
    publish(BEFORE, 2, tower(Radio.LTE, HERE));
    catalog.lacksEntries();

    assertThat(judge(record(1, null), THERE)).isEqualTo(Verdict.UNDECIDED);
    assertThat(judge(record(2, null), THERE)).isEqualTo(Verdict.UNDECIDED);
    assertThat(judge(record(2, null), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(3, null), THERE)).isEqualTo(Verdict.UNDECIDED);
  }

  /** Compaction deletes the lower offset, but the job keeps the greater revision. */
  @Test
  void aPlaceByAGreaterRevisionThatCompactionDeletedIsNeitherConfirmedNorRefuted()
      throws Exception {
    publishIn(0, 6, BEFORE, revised("\"revision\":50,", HERE));
    catalog.lacksEntries();

    assertThat(judge(record(1, null), THERE)).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void theFlatFormOfAnEntryIsReadToo() throws Exception {
    add(BEFORE, "{\"cell\":\"1-2-1-3\",\"radio\":\"lte\",\"lon\":-122.4,\"lat\":37.8}");

    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
  }

  /**
   * With another partitioner, or more partitions, the entry published last may not be read last.
   */
  @Test
  void ofEntriesInSeveralPartitionsTheNewerOneCounts() throws Exception {
    publishIn(1, 0, BEFORE, revised("", HERE));
    publishIn(0, 900, BEFORE.minusSeconds(1), revised("", THERE));

    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, null), THERE)).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void aRevisionGoesBeforeTheTimeOfTheMessage() throws Exception {
    publishIn(0, 1, BEFORE, revised("\"revision\":8,", THERE));
    publishIn(0, 0, BEFORE.minusSeconds(1), revised("\"revision\":9,", HERE));

    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, null), THERE)).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void aRevisionOfMoreThanADayAheadOfItsMessageIsNoEntry() throws Exception {
    long dayAhead = BEFORE.toEpochMilli() + 86_400_000;
    publishIn(0, 0, BEFORE, revised("\"revision\":%d,".formatted(dayAhead), HERE));

    assertThatThrownBy(
            () ->
                publishIn(0, 1, BEFORE, revised("\"revision\":%d,".formatted(dayAhead + 1), THERE)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
  }

  /** A later message with a smaller revision changes nothing, so it explains nothing. */
  @Test
  void anOlderRevisionThatIsPublishedSoonAfterTheRecordDoesNotConfirm() throws Exception {
    publishIn(0, 0, BEFORE, revised("\"revision\":9,", HERE));
    publishIn(0, 1, CAME.plusSeconds(1), revised("\"revision\":8,", THERE));

    assertThat(judge(record(1, null), HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judge(record(1, null), THERE)).isEqualTo(Verdict.UNDECIDED);
  }

  /** A record with a position of its own never waits for its cell. */
  @Test
  void besideAnOwnPositionACellThatIsUnknownThenMayBeMissingAndOneThatIsKnownMayNot()
      throws Exception {
    publish(CAME.plusMillis(1), 1, tower(Radio.LTE, HERE));
    publish(BEFORE, 2, tower(Radio.LTE, HERE));
    publish(CAME.minusSeconds(59), 4, tower(Radio.LTE, HERE));

    assertThat(judgeCell(1, null)).isEqualTo(Verdict.RIGHT);
    assertThat(judgeCell(1, HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judgeCell(2, null)).isEqualTo(Verdict.WRONG);
    assertThat(judgeCell(2, HERE)).isEqualTo(Verdict.RIGHT);
    assertThat(judgeCell(2, THERE)).isEqualTo(Verdict.WRONG);
    assertThat(judgeCell(4, null)).as("not read yet, perhaps").isEqualTo(Verdict.RIGHT);
    assertThat(judgeCell(5, null)).isEqualTo(Verdict.RIGHT);
  }

  @Test
  void besideAnOwnPositionACellThatCameLongAfterIsLater() throws Exception {
    publish(NEXT_DAY, 1, tower(Radio.LTE, HERE));

    assertThat(judgeCell(1, HERE)).isEqualTo(Verdict.LATER);
    assertThat(judgeCell(1, null)).isEqualTo(Verdict.RIGHT);
  }

  /** A job reads thousands of entries a second, and so it may be minutes behind an import. */
  @Test
  void besideAnOwnPositionACellOfAnImportMayHaveBeenUnreadStill() throws Exception {
    publish(CAME.minus(Duration.ofHours(3)), 2, tower(Radio.LTE, HERE));
    for (int cid = 0; cid < 31_000; cid++) {
      add(
          CAME.minusSeconds(91),
          "{\"cell\":\"9-9-9-%d\",\"radio\":\"LTE\",\"lon\":1,\"lat\":1}".formatted(cid));
    }
    publish(CAME.minusSeconds(90), 1, tower(Radio.LTE, HERE));
    publish(CAME.minusSeconds(150), 5, tower(Radio.LTE, HERE));

    assertThat(judgeCell(1, null)).isEqualTo(Verdict.UNDECIDED);
    assertThat(judgeCell(5, null)).isEqualTo(Verdict.WRONG);
    assertThat(judgeCell(2, null)).as("long before the import").isEqualTo(Verdict.WRONG);
    assertThat(judge(record(1, null), null)).as("it would have waited").isEqualTo(Verdict.WRONG);
  }

  @Test
  void aRecordWithoutACellHasNoPositionOfOne() throws Exception {
    FoundRecord record = FoundRecord.withoutCell("user", CAME.toEpochMilli(), own(HERE, null));

    assertThat(judge().judgeCell(List.of(came(record)), null)).isEqualTo(Verdict.RIGHT);
    assertThat(judge().judgeCell(List.of(came(record)), HERE)).isEqualTo(Verdict.WRONG);
  }

  @Test
  void aPositionFoundLaterIsRightByTheCatalogueOfThatTime() throws Exception {
    publish(NEXT_DAY, 1, tower(Radio.LTE, HERE));
    publish(NEXT_DAY.plusSeconds(3_600), 1, tower(Radio.LTE, THERE));
    List<ExpectedRecord> sightings = List.of(came(record(1, null)));
    long between = NEXT_DAY.plusSeconds(60).toEpochMilli();

    assertThat(judge().judge(sightings, HERE)).isEqualTo(Verdict.UNDECIDED);
    assertThat(judge().judgeLocatedLater(sightings, HERE, between)).isEqualTo(Verdict.RIGHT);
    assertThat(judge().judgeLocatedLater(sightings, new Place(1, 1), between))
        .isEqualTo(Verdict.WRONG);
  }

  @ParameterizedTest
  @CsvSource({
    // Kilometres between both, accuracy and range in metres, and what is right.
    "4.9, , 1, false",
    "5.1, , 1, true",
    "6.0, 900, 1, true",
    "5.9, 1000, 1, false",
    "6.9, 1000, 1000, false",
    "7.1, 1000, 1000, true",
    "12, , , false",
    "12, 1000, 0, false"
  })
  void farIsMoreThanAccuracyRangeAndFiveKilometres(
      double kilometres, @Nullable Double accuracy, @Nullable Integer range, boolean isFar)
      throws Exception {
    Place cell = new Place(HERE.lon(), HERE.lat() + kilometres / 111.195);
    add(
        BEFORE,
        "{\"cell\":\"1-2-1-3\",\"radio\":\"LTE\",\"lon\":%s,\"lat\":%s%s}"
            .formatted(cell.lon(), cell.lat(), range == null ? "" : ",\"range\":" + range));
    List<ExpectedRecord> sightings = List.of(came(record(1, null).at(own(HERE, accuracy))));

    assertThat(judge().judgeFar(sightings, cell, isFar)).isEqualTo(Verdict.RIGHT);
    assertThat(judge().judgeFar(sightings, cell, !isFar)).isEqualTo(Verdict.WRONG);
  }

  @Test
  void atTheLimitOrWithoutTheCellsEntryNothingIsSaidOfFar() throws Exception {
    Place cell = new Place(HERE.lon(), HERE.lat() + 5 / 111.195);
    add(
        BEFORE,
        "{\"cell\":\"1-2-1-3\",\"radio\":\"LTE\",\"lon\":%s,\"lat\":%s,\"range\":1}"
            .formatted(cell.lon(), cell.lat()));
    List<ExpectedRecord> sightings = List.of(came(record(1, null).at(own(HERE, null))));

    for (boolean isMarked : new boolean[] {true, false}) {
      assertThat(judge().judgeFar(sightings, cell, isMarked)).isEqualTo(Verdict.RIGHT);
      assertThat(judge().judgeFar(sightings, new Place(1, 1), isMarked))
          .isEqualTo(Verdict.UNDECIDED);
    }
  }

  /** The job may have known an entry without a range, which an import replaced. */
  @Test
  void aMarkThatNoRangeExplainsIsUndecidedIfEntriesAreGone() throws Exception {
    Place cell = new Place(HERE.lon(), HERE.lat() + 12 / 111.195);
    add(
        BEFORE,
        "{\"cell\":\"1-2-1-3\",\"radio\":\"LTE\",\"lon\":%s,\"lat\":%s,\"range\":1000}"
            .formatted(cell.lon(), cell.lat()));
    List<ExpectedRecord> sightings = List.of(came(record(1, null).at(own(HERE, null))));
    assertThat(judge().judgeFar(sightings, cell, false)).isEqualTo(Verdict.WRONG);

    catalog.lacksEntries();

    assertThat(judge().judgeFar(sightings, cell, false)).isEqualTo(Verdict.UNDECIDED);
    assertThat(judge().judgeFar(sightings, cell, true)).isEqualTo(Verdict.RIGHT);
  }

  private static OwnPosition own(Place place, @Nullable Double accuracy) {
    return new OwnPosition(place.lon(), place.lat(), "gnss", accuracy, null, null);
  }

  private Verdict judgeCell(long area, @Nullable Place stored) throws Exception {
    return judge().judgeCell(List.of(came(record(area, null).at(own(HERE, null)))), stored);
  }

  private static ExpectedRecord came(FoundRecord record) {
    return new ExpectedRecord(record, CAME.toEpochMilli(), Demand.REQUIRED);
  }

  private void publishIn(int partition, long at, Instant when, String value) throws Exception {
    catalog.add(partition, at, when.toEpochMilli(), null, value.getBytes(UTF_8));
  }

  private static String revised(String revision, Place place) {
    return "{\"cell\":\"1-2-1-3\",%s\"towers\":[%s]}".formatted(revision, tower(Radio.LTE, place));
  }

  private Verdict judge(FoundRecord record, @Nullable Place stored) throws Exception {
    return judge().judge(came(record), stored);
  }

  private PlaceJudge judge() throws Exception {
    catalog.refresh();
    return new PlaceJudge(catalog, (from, to) -> isBacklogFull, WAIT.toMillis());
  }

  private static FoundRecord record(long area, @Nullable Radio radio) {
    return new FoundRecord("user", 1, 2, area, 3, radio, CAME.toEpochMilli());
  }

  private static FoundRecord at(Instant ts) {
    return new FoundRecord("user", 1, 2, 1, 3, null, ts.toEpochMilli());
  }

  private void publish(Instant when, long area, String... towers) throws Exception {
    add(when, "{\"cell\":\"1-2-%d-3\",\"towers\":[%s]}".formatted(area, String.join(",", towers)));
  }

  private void remove(Instant when, long area) throws Exception {
    catalog.add(0, offset++, when.toEpochMilli(), "1-2-%d-3".formatted(area), null);
  }

  private void add(Instant when, String value) throws Exception {
    catalog.add(0, offset++, when.toEpochMilli(), null, value.getBytes(UTF_8));
  }

  private static String tower(Radio radio, Place place) {
    return "{\"radio\":\"%s\",\"versions\":[%s]}".formatted(radio, version(Instant.EPOCH, place));
  }

  private static String version(Instant from, Place place) {
    return "{\"from\":\"%s\",\"lon\":%s,\"lat\":%s}".formatted(from, place.lon(), place.lat());
  }
}
