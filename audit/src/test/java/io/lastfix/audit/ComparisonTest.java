package io.lastfix.audit;

import static io.lastfix.audit.Messages.HEARD;
import static io.lastfix.audit.Messages.recordOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.Discrepancy.Kind;
import io.lastfix.audit.stored.Place;
import io.lastfix.audit.tree.FoundRecord;
import java.time.Duration;
import java.time.Instant;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/** Both comparisons, in the audit's order. */
class ComparisonTest extends ComparisonFixture {
  private static final long TS = HEARD.toEpochMilli();
  private static final FoundRecord RECORD = recordOf("user", HEARD);
  private static final long LATER = HEARD.plus(Duration.ofHours(2)).toEpochMilli();
  private static final Place HERE = new Place(-122.4, 37.8);
  private static final AuditRange ONE_HOUR = new AuditRange(HEARD, HEARD.plus(Duration.ofHours(1)));

  @Test
  void aRecordThatIsStoredOnceIsInOrder() throws Exception {
    say(RECORD);
    stored.put(HISTORY, history(RECORD));

    compare(ALL);

    assertThat(findings.history).isEqualTo(1);
    assertThat(findings.shown()).isEmpty();
  }

  @Test
  void aSecondDocumentOfOneIdIsExtraAndItsRecordCountsOnce() throws Exception {
    say(RECORD);
    stored.put(HISTORY, history(RECORD));
    stored.put(HISTORY, history(RECORD));
    stored.put(HISTORY, history(RECORD));

    compare(ALL);

    assertThat(findings.history).isEqualTo(1);
    assertThat(findings.count(Kind.EXTRA)).isEqualTo(2);
    assertThat(findings.shown().get(0).detail()).isEqualTo("another document with the same _id");
  }

  @Test
  void ofTwoDocumentsOfOneIdTheOneThatAgreesIsTheRecords() throws Exception {
    say(RECORD);
    stored.put(HISTORY, history(RECORD).append("cell", new BsonString("1-2-3-4")));
    stored.put(HISTORY, history(RECORD));

    compare(ALL);

    assertThat(findings.count(Kind.DIFFERENT)).isZero();
    assertThat(findings.count(Kind.EXTRA)).isEqualTo(1);
  }

  @Test
  void allDocumentsOfAnIdThatNoMessageSaysAreExtra() throws Exception {
    stored.put(HISTORY, history(RECORD));
    stored.put(HISTORY, history(RECORD));

    compare(ALL);

    assertThat(findings.count(Kind.EXTRA)).isEqualTo(2);
  }

  @Test
  void ofAnExpiredPartitionNothingIsSaidAndLastKnownLocationMayComeFromIt() throws Exception {
    FoundRecord dropped = recordOf("dropped", HEARD);
    FoundRecord nobodys = recordOf("nobody", HEARD.plusSeconds(1));
    sightings.add(new ExpectedRecord(dropped, TS, Demand.EXPIRED));
    sightings.add(new ExpectedRecord(RECORD, TS, Demand.EXPIRED));
    stored.put(HISTORY, history(nobodys));
    stored.put(LAST_KNOWN, StoredInMemory.lastKnown("user", TS, RECORD.cell(), HERE));
    long nextMonth = millis("2026-12-01T00:00:00Z");

    compare(new Coverage(ALL, Long.MIN_VALUE, Long.MAX_VALUE, nextMonth));

    assertThat(stored.filters).containsOnlyKeys(LAST_KNOWN);
    assertThat(findings.count(Kind.MISSING)).isZero();
    assertThat(findings.count(Kind.EXTRA)).isZero();
    assertThat(findings.count(Kind.LAST_MISSING)).isZero();
    assertThat(findings.count(Kind.LAST_EXTRA)).isZero();
    assertThat(findings.history).isZero();
    assertThat(findings.rejectedReadableNow).isZero();
  }

  private static long millis(String moment) {
    return Instant.parse(moment).toEpochMilli();
  }

  @Test
  void onlyThePeriodsAndIdsOfTheRangeAreRead() throws Exception {
    FoundRecord nextMonth = recordOf("user", HEARD.plus(Duration.ofDays(30)));
    say(RECORD);
    stored.put(HISTORY, history(RECORD));
    stored.put("history_2026_12", history(nextMonth));
    stored.put("history_2026_10", history(nextMonth));

    compare(ONE_HOUR);

    assertThat(stored.filters).containsOnlyKeys(HISTORY, LAST_KNOWN);
    assertThat(stored.filters.get(HISTORY)).isEqualTo(ONE_HOUR.filterOfIds());
    assertThat(findings.shown()).isEmpty();
  }

  @Test
  void aDocumentWithAnIdOfItsOwnIsExtraOnceWhereItsTimeIsInTheRange() throws Exception {
    FoundRecord later = recordOf("later", HEARD.plus(Duration.ofHours(1)));
    stored.put(HISTORY, history(RECORD).append("_id", new BsonString("madeup")));
    stored.put(HISTORY, history(later).append("_id", new BsonString("made up later")));

    compare(ONE_HOUR);

    assertThat(findings.count(Kind.EXTRA)).isEqualTo(1);
    assertThat(findings.shown()).extracting(Discrepancy::user).containsExactly(RECORD.user());
  }

  @Test
  void aDocumentWithAnIdOfItsOwnIsExtraOnceInAllTimeToo() throws Exception {
    stored.put(HISTORY, history(RECORD).append("_id", new BsonString("madeup")));

    compare(ALL);

    assertThat(findings.count(Kind.EXTRA)).isEqualTo(1);
  }

  @Test
  void aDocumentWithoutATimeIsExtraInEveryRange() throws Exception {
    stored.put(HISTORY, new BsonDocument("_id", new BsonString("madeup")));

    compare(ONE_HOUR);

    assertThat(findings.count(Kind.EXTRA)).isEqualTo(1);
  }

  @Test
  void aSecondDocumentOfAUserIsExtra() throws Exception {
    locate(RECORD);
    stored.put(LAST_KNOWN, lastKnown(RECORD));
    stored.put(LAST_KNOWN, lastKnown(RECORD));

    compare(ALL);

    assertThat(findings.users).isEqualTo(1);
    assertThat(findings.count(Kind.LAST_EXTRA)).isEqualTo(1);
  }

  @Test
  void anotherOrderOfFieldsInLastKnownLocationIsDifferent() throws Exception {
    locate(RECORD);
    BsonDocument swapped = lastKnown(RECORD);
    BsonDocument last = swapped.getDocument("last");
    last.append("ts", last.remove("ts"));
    stored.put(LAST_KNOWN, swapped);

    compare(ALL);

    assertThat(findings.count(Kind.LAST_DIFFERENT)).isEqualTo(1);
  }

  @Test
  void anotherOrderOfCoordinatesInLastKnownLocationIsDifferent() throws Exception {
    locate(RECORD);
    BsonDocument swapped = lastKnown(RECORD);
    BsonDocument loc = swapped.getDocument("last").getDocument("loc");
    loc.append("lon", loc.remove("lon"));
    stored.put(LAST_KNOWN, swapped);

    compare(ALL);

    assertThat(findings.count(Kind.LAST_DIFFERENT)).isEqualTo(1);
  }

  @Test
  void aUserWhomNoMessageNamesIsExtraWhereTheTimeIsInTheRange() throws Exception {
    stored.put(LAST_KNOWN, lastKnown(RECORD));
    stored.put(LAST_KNOWN, lastKnown(recordOf("later", HEARD.plus(Duration.ofHours(1)))));

    compare(ONE_HOUR);

    assertThat(findings.shown()).extracting(Discrepancy::kind).containsExactly(Kind.LAST_EXTRA);
    assertThat(findings.shown()).extracting(Discrepancy::user).containsExactly("user");
  }

  @Test
  void aUserAtAPlaceThatOnlyAnIncompleteCatalogueGivesIsUndecidedAndNotInOrder() throws Exception {
    publish(RECORD, LATER);
    catalog.lacksEntries();
    say(RECORD);
    stored.put(HISTORY, history(RECORD));
    stored.put(LAST_KNOWN, lastKnown(RECORD));

    compare(ALL);

    assertThat(findings.shown()).isEmpty();
    assertThat(findings.users).isZero();
    assertThat(findings.undecidedUsers).isEqualTo(1);
  }

  @Test
  void aUserAtAPlaceThatTheNewestEntryGivesIsInOrderAndCountedApart() throws Exception {
    publish(RECORD, LATER);
    say(RECORD);
    stored.put(HISTORY, history(RECORD));
    stored.put(LAST_KNOWN, lastKnown(RECORD));

    compare(ALL);

    assertThat(findings.shown()).isEmpty();
    assertThat(findings.users).isEqualTo(1);
    assertThat(findings.undecidedUsers).isZero();
    assertThat(findings.laterUsers).isEqualTo(1);
  }

  @Test
  void aRecordAtAPlaceThatTheNewestEntryGivesIsInOrderAndCountedApart() throws Exception {
    publish(RECORD, LATER);
    say(RECORD);
    stored.put(HISTORY, located(RECORD));
    stored.put(LAST_KNOWN, lastKnown(RECORD));

    compare(ALL);

    assertThat(findings.shown()).isEmpty();
    assertThat(findings.history).isEqualTo(1);
    assertThat(findings.users).isEqualTo(1);
    assertThat(findings.undecidedPlaces).isZero();
    assertThat(findings.laterPlaces).isEqualTo(1);
    assertThat(findings.laterUsers).isZero();
  }

  @Test
  void aRecordAtAPlaceThatOnlyAReplacedEntryGivesIsUndecided() throws Exception {
    publish(RECORD, 0, HEARD.minus(Duration.ofHours(2)).toEpochMilli(), HERE);
    publish(RECORD, 1, HEARD.minus(Duration.ofHours(1)).toEpochMilli(), new Place(-122.3, 37.7));
    say(RECORD);
    stored.put(HISTORY, located(RECORD));
    stored.put(LAST_KNOWN, lastKnown(RECORD));

    compare(ALL);

    assertThat(findings.shown()).isEmpty();
    assertThat(findings.history).isEqualTo(1);
    assertThat(findings.undecidedPlaces).isEqualTo(1);
    assertThat(findings.undecidedUsers).isZero();
  }

  private void say(FoundRecord record) throws Exception {
    sightings.add(new ExpectedRecord(record, TS, Demand.REQUIRED));
  }

  /** Adds a record with a known cell to the topic, and stores it. */
  private void locate(FoundRecord record) throws Exception {
    publish(record, TS);
    say(record);
    stored.put(HISTORY, located(record));
  }

  private BsonDocument located(FoundRecord record) {
    BsonDocument located = history(record);
    located.remove("radio");
    return located
        .append(
            "loc",
            new BsonDocument("lon", new BsonDouble(HERE.lon()))
                .append("lat", new BsonDouble(HERE.lat())))
        .append("src", new BsonString("cell"));
  }

  /** Publishes the position of the record's cell in the catalogue's topic. */
  private void publish(FoundRecord record, long publishedMillis) throws Exception {
    publish(record, 0, publishedMillis, HERE);
  }

  private void publish(FoundRecord record, long offset, long publishedMillis, Place place)
      throws Exception {
    catalog.add(
        0,
        offset,
        publishedMillis,
        null,
        "{\"cell\":\"%s\",\"radio\":\"LTE\",\"lon\":%s,\"lat\":%s}"
            .formatted(record.cell(), place.lon(), place.lat())
            .getBytes(UTF_8));
  }

  private BsonDocument history(FoundRecord record) {
    return StoredInMemory.history(layout, record.user(), record.timestampMillis(), record.cell());
  }

  private static BsonDocument lastKnown(FoundRecord record) {
    return StoredInMemory.lastKnown(record.user(), record.timestampMillis(), record.cell(), HERE);
  }
}
