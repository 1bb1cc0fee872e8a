package io.lastfix.audit;

import static io.lastfix.audit.Messages.HEARD;
import static io.lastfix.audit.Messages.recordOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.UpdateOneModel;
import io.lastfix.audit.Discrepancy.Kind;
import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.audit.tree.OwnPosition;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import io.lastfix.store.history.HistoryDocumentConverter;
import io.lastfix.store.lastknown.LastKnownLocationConverter;
import java.util.Objects;
import java.util.function.Consumer;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Both comparisons of records with positions of their own, over the documents that the sinks'
 * converters write.
 */
class OwnPositionComparisonTest extends ComparisonFixture {
  private static final long TS = HEARD.toEpochMilli();
  private static final FoundRecord AT_CELL = recordOf("user", HEARD);
  private static final Position CELL = new Position(-122.4, 37.8);
  private static final Position HERE = new Position(-122.41, 37.81);
  private static final String SHAPE = "{\"type\":\"Point\",\"coordinates\":[-122.41,37.81]}";
  private static final OwnPosition OWN =
      new OwnPosition(HERE.lon(), HERE.lat(), "gnss", 12.5, 30.0, SHAPE);
  private static final FoundRecord BOTH = AT_CELL.at(OWN);
  private static final FoundRecord FIX = FoundRecord.withoutCell("user", TS, OWN);

  @Test
  void recordsOfAllThreeKindsAsTheSinksStoreThemAreInOrder() throws Exception {
    publish(TS - 1);
    say(AT_CELL);
    say(BOTH);
    say(FIX);
    stored.put(HISTORY, history(AT_CELL, CELL, false));
    stored.put(HISTORY, history(BOTH, CELL, false));
    stored.put(HISTORY, history(FIX, null, false));
    stored.put(LAST_KNOWN, lastKnown(located(AT_CELL, CELL, false), located(BOTH, CELL, false)));

    compare(ALL);

    assertThat(findings.shown()).isEmpty();
    assertThat(findings.history).isEqualTo(3);
    assertThat(findings.users).isEqualTo(1);
  }

  @Test
  void aRadioStandsInADocumentWithoutAPositionAndMustBeTheRecords() throws Exception {
    FoundRecord onLte = withRadio(AT_CELL, Radio.LTE);
    say(onLte);
    stored.put(HISTORY, history(onLte, null, false));
    compare(ALL);
    assertThat(findings.shown()).isEmpty();

    expectDifferent(
        document -> document.put("radio", new BsonString("GSM")), "radio is not the record's");
    expectDifferent(document -> document.put("radio", BsonNull.VALUE), "radio is not the record's");
    expectDifferent(document -> document.put("radio", new BsonString("")), null);
  }

  @Test
  void aRadioThatTheRecordDoesNotNameIsNullWithoutAPosition() throws Exception {
    say(AT_CELL);
    BsonDocument withoutRadio = history(AT_CELL, null, false);
    withoutRadio.remove("radio");
    stored.put(HISTORY, withoutRadio.clone());
    compare(ALL);
    assertThat(findings.shown()).extracting(Discrepancy::kind).containsExactly(Kind.DIFFERENT);

    stored.clear(HISTORY);
    stored.put(HISTORY, withoutRadio.append("radio", BsonNull.VALUE));
    compare(ALL);
    assertThat(findings.shown()).isEmpty();

    expectDifferent(
        document -> document.put("radio", new BsonString("LTE")), "radio is not the record's");
    publish(TS - 1);
    expectDifferent(document -> document.append("loc", pair(CELL)), null);
  }

  /** The profile keeps shapes since after the document was stored. */
  @Test
  void aDocumentMayLackTheShapeButNotHaveAnother() throws Exception {
    say(FIX);
    BsonDocument history = history(FIX, null, false);
    history.remove("shape");
    stored.put(HISTORY, history);
    stored.put(LAST_KNOWN, lastKnown(located(FIX, null, false), located(FIX, null, false)));
    compare(ALL);
    assertThat(findings.shown()).isEmpty();

    expectDifferent(
        document -> document.put("shape", BsonDocument.parse(SHAPE.replace("37.81", "37.82"))),
        "acc, alt or shape are not the record's");
  }

  @Test
  void aPositionFoundLaterIsMarkedAndOnlyAtACell() throws Exception {
    publish(TS - 1);
    say(AT_CELL);
    stored.put(
        HISTORY, history(AT_CELL, CELL, false).append("located", new BsonDateTime(TS + 9_000_000)));
    stored.put(LAST_KNOWN, lastKnown(located(AT_CELL, CELL, false), null));
    compare(ALL);
    assertThat(findings.shown()).isEmpty();

    say(BOTH);
    stored.put(HISTORY, history(BOTH, CELL, false).append("located", new BsonDateTime(TS)));
    compare(ALL);
    assertThat(findings.shown())
        .extracting(Discrepancy::detail)
        .contains("its fields are not those of a record");
  }

  @Test
  void eachFieldOfAnOwnPositionMustBeTheRecords() throws Exception {
    publish(TS - 1);
    say(BOTH);
    stored.put(HISTORY, history(BOTH, CELL, false));
    stored.put(LAST_KNOWN, lastKnown(located(BOTH, CELL, false), located(BOTH, CELL, false)));
    compare(ALL);
    assertThat(findings.shown()).isEmpty();

    String notOfItsId = "its loc or src are not those of its _id";
    expectDifferent(document -> document.put("loc", pair(CELL)), notOfItsId);
    expectDifferent(document -> document.put("src", new BsonString("network")), notOfItsId);
    expectDifferent(document -> document.put("src", new BsonString("cell")), null);
    String notTheRecords = "acc, alt or shape are not the record's";
    expectDifferent(document -> document.put("acc", new BsonDouble(13)), notTheRecords);
    expectDifferent(document -> document.remove("acc"), notTheRecords);
    expectDifferent(document -> document.remove("alt"), notTheRecords);
    expectDifferent(document -> document.put("shape", new BsonDocument()), notTheRecords);
    expectDifferent(
        document -> document.remove("cellLoc"), "no cellLoc, though the catalogue had the cell");
    expectDifferent(
        document -> document.put("cellLoc", pair(HERE)),
        "cellLoc is not the cell's position in the catalogue");
    expectDifferent(
        document -> document.put("far", BsonBoolean.TRUE),
        "far, though loc and cellLoc are near each other, or the range is unknown");
    String noRecord = "its fields are not those of a record";
    expectDifferent(document -> document.put("far", BsonBoolean.FALSE), noRecord);
    expectDifferent(document -> document.put("acc", new BsonInt32(12)), noRecord);
    expectDifferent(document -> document.put("acc", new BsonDouble(0)), noRecord);
    expectDifferent(document -> document.put("src", new BsonString("wifi")), noRecord);
    expectDifferent(document -> document.put("radio", new BsonString("LTE")), noRecord);
    expectDifferent(document -> document.put("more", new BsonInt32(1)), noRecord);
  }

  @Test
  void fieldsOfAnOwnPositionDoNotStandInADocumentAtACell() throws Exception {
    publish(TS - 1);
    say(AT_CELL);
    stored.put(HISTORY, history(AT_CELL, CELL, false));
    stored.put(LAST_KNOWN, lastKnown(located(AT_CELL, CELL, false), null));
    compare(ALL);
    assertThat(findings.shown()).isEmpty();

    expectDifferent(document -> document.put("acc", new BsonDouble(5)), null);
    expectDifferent(document -> document.put("alt", new BsonDouble(5)), null);
    expectDifferent(document -> document.put("cellLoc", pair(CELL)), null);
    expectDifferent(
        document -> document.put("src", new BsonString("gnss")),
        "src is not cell, though the record has no position");
  }

  /**
   * History keeps the first, Last Known Location the greatest accuracy, and a rebuild of it writes
   * what History has.
   */
  @Test
  void recordsThatDifferInAccuracyAloneAreOneAndLastKnownLocationHasAnyOfTheirs() throws Exception {
    FoundRecord coarser = FIX.at(withAccuracy(OWN, 40.0));
    say(FIX);
    say(coarser);
    stored.put(HISTORY, history(FIX, null, false));
    LocatedRecord asInHistory = located(FIX, null, false);
    LocatedRecord greatest = located(coarser, null, false);
    expectLast(lastKnown(greatest, greatest), null, null);
    assertThat(findings.duplicates).isEqualTo(1);

    expectLast(lastKnown(asInHistory, asInHistory), null, null);
    LocatedRecord ofNone = located(FIX.at(withAccuracy(OWN, 20.0)), null, false);
    stored.clear(LAST_KNOWN);
    stored.put(LAST_KNOWN, lastKnown(ofNone, ofNone));
    compare(ALL);
    assertThat(findings.shown())
        .extracting(Discrepancy::detail)
        .as("one for the document, though last and fix both differ")
        .containsExactly("acc is not the record's");
    expectLast(
        lastKnown(greatest, asInHistory),
        Kind.LAST_DIFFERENT,
        "its fix is another than last, which has a position of its own");
  }

  @Test
  void twoFarPositionsMustBeMarked() throws Exception {
    OwnPosition away = new OwnPosition(-121, 37.8, "gnss", null, null, null);
    FoundRecord far = AT_CELL.at(away);
    publish(TS - 1);
    say(far);
    stored.put(HISTORY, history(far, CELL, true));
    stored.put(LAST_KNOWN, lastKnown(located(far, CELL, true), located(far, CELL, true)));
    compare(ALL);
    assertThat(findings.shown()).isEmpty();

    expectDifferent(
        document -> document.remove("far"), "not far, though loc and cellLoc are far apart");
  }

  /** As after the re-import that adds ranges: Kafka has compacted the entry without one away. */
  @Test
  void aMarkByAnEntryThatIsGoneIsUndecided() throws Exception {
    FoundRecord far = AT_CELL.at(new OwnPosition(-121, 37.8, "gnss", null, null, null));
    publish(TS - 1, 200_000);
    catalog.lacksEntries();
    say(far);
    stored.put(HISTORY, history(far, CELL, true));
    stored.put(LAST_KNOWN, lastKnown(located(far, CELL, true), located(far, CELL, true)));

    compare(ALL);

    assertThat(findings.shown()).isEmpty();
    assertThat(findings.undecidedPlaces).isEqualTo(1);
  }

  @Test
  void aFixThatIsMissingOlderOrOfNoMessageIsNamed() throws Exception {
    FoundRecord newer = at(FIX, TS + 1);
    FoundRecord nobodys = at(FIX, TS + 2);
    say(FIX);
    say(newer);
    stored.put(HISTORY, history(FIX, null, false));
    stored.put(HISTORY, history(newer, null, false));
    LocatedRecord last = located(newer, null, false);
    expectLast(lastKnown(last, last), null, null);

    BsonDocument withoutFix = lastKnown(last, null);
    expectLast(
        withoutFix,
        Kind.LAST_DIFFERENT,
        "it has no fix, expected 2026-11-20T12:00:01.002Z, no cell");
    BsonDocument withoutField = lastKnown(last, null);
    withoutField.remove("fix");
    expectLast(withoutField, Kind.LAST_DIFFERENT, "its fields are not those of a place");
    expectLast(
        lastKnown(last, located(FIX, null, false)),
        Kind.LAST_DIFFERENT,
        "its fix is older: 2026-11-20T12:00:01.001Z, no cell");
    expectLast(
        lastKnown(last, located(nobodys, null, false)),
        Kind.LAST_DIFFERENT,
        "its fix is newer than last: 2026-11-20T12:00:01.003Z, no cell");
    LocatedRecord ofNobody = located(nobodys, null, false);
    stored.clear(LAST_KNOWN);
    stored.put(LAST_KNOWN, lastKnown(ofNobody, ofNobody));
    compare(ALL);
    assertThat(findings.shown()).extracting(Discrepancy::kind).containsExactly(Kind.LAST_EXTRA);
    BsonDocument otherAccuracy = lastKnown(last, last);
    otherAccuracy.getDocument("fix").put("acc", new BsonDouble(99));
    expectLast(
        otherAccuracy,
        Kind.LAST_DIFFERENT,
        "its fix is another than last, which has a position of its own");
  }

  /** Of one cell and time, the position decides, then the source. */
  @Test
  void ofOneTimeTheGreaterPositionIsTheNewer() throws Exception {
    FoundRecord east = FIX.at(new OwnPosition(-122, 37.8, "gnss", 5.0, null, null));
    FoundRecord network = FIX.at(new OwnPosition(-122, 37.8, "network", null, null, null));
    for (FoundRecord record : new FoundRecord[] {FIX, east, network}) {
      say(record);
      stored.put(HISTORY, history(record, null, false));
    }
    LocatedRecord newest = located(network, null, false);

    expectLast(lastKnown(newest, newest), null, null);
    LocatedRecord older = located(east, null, false);
    expectLast(
        lastKnown(older, older),
        Kind.LAST_DIFFERENT,
        "it is older: 2026-11-20T12:00:01.001Z, no cell");
  }

  private void expectLast(BsonDocument document, @Nullable Kind kind, @Nullable String detail)
      throws Exception {
    stored.clear(LAST_KNOWN);
    stored.put(LAST_KNOWN, document);
    compare(ALL);
    if (kind == null) {
      assertThat(findings.shown()).isEmpty();
    } else {
      assertThat(findings.shown()).extracting(Discrepancy::kind).containsExactly(kind);
      assertThat(findings.shown()).extracting(Discrepancy::detail).containsExactly(detail);
    }
  }

  /** Changes the only document of History, and puts it back. */
  private void expectDifferent(Consumer<BsonDocument> change, @Nullable String detail)
      throws Exception {
    BsonDocument document = stored.all(HISTORY).get(0);
    BsonDocument changed = document.clone();
    change.accept(changed);
    stored.clear(HISTORY);
    stored.put(HISTORY, changed);
    compare(ALL);
    assertThat(findings.shown()).extracting(Discrepancy::kind).contains(Kind.DIFFERENT);
    if (detail != null) {
      assertThat(findings.shown()).extracting(Discrepancy::detail).contains(detail);
    }
    stored.clear(HISTORY);
    stored.put(HISTORY, document);
  }

  private void say(FoundRecord record) throws Exception {
    sightings.add(new ExpectedRecord(record, TS, Demand.REQUIRED));
  }

  private void publish(long publishedMillis) throws Exception {
    publish(publishedMillis, 1_000);
  }

  private void publish(long publishedMillis, int range) throws Exception {
    catalog.add(
        0,
        0,
        publishedMillis - 3_600_000,
        null,
        "{\"cell\":\"%s\",\"radio\":\"LTE\",\"lon\":%s,\"lat\":%s,\"range\":%d}"
            .formatted(AT_CELL.cell(), CELL.lon(), CELL.lat(), range)
            .getBytes(UTF_8));
  }

  private static FoundRecord withRadio(FoundRecord record, Radio radio) {
    return new FoundRecord(
        record.user(),
        record.mcc(),
        record.mnc(),
        record.area(),
        record.cid(),
        radio,
        record.timestampMillis(),
        record.own());
  }

  private static FoundRecord at(FoundRecord fix, long timestampMillis) {
    return FoundRecord.withoutCell(fix.user(), timestampMillis, fix.own());
  }

  private static OwnPosition withAccuracy(OwnPosition own, double meters) {
    return new OwnPosition(
        own.lon(), own.lat(), own.source(), meters, own.altitudeMeters(), own.shape());
  }

  private static BsonDocument pair(Position position) {
    return HistoryDocumentConverter.location(position);
  }

  /** The record as the job has it. */
  private static LocatedRecord located(
      FoundRecord record, @Nullable Position cellPosition, boolean isFar) {
    OwnPosition own = record.own();
    Fix fix =
        own == null
            ? null
            : new Fix(
                new Position(own.lon(), own.lat()),
                PositionSource.ofText(own.source()),
                own.accuracyMeters(),
                own.altitudeMeters(),
                own.shape());
    CellId cell = record.cell() == null ? null : CellId.parse(record.cell());
    return new LocatedRecord(
        record.user(),
        Place.of(cell, record.radio(), fix),
        record.timestampMillis(),
        cellPosition,
        isFar);
  }

  private static BsonDocument history(
      FoundRecord record, @Nullable Position cellPosition, boolean isFar) {
    return ((InsertOneModel<BsonDocument>)
            new HistoryDocumentConverter().apply(located(record, cellPosition, isFar)))
        .getDocument()
        .clone();
  }

  /** A user's document after the upserts of these two. */
  private static BsonDocument lastKnown(LocatedRecord last, @Nullable LocatedRecord fix) {
    return new BsonDocument("_id", new BsonString(last.user()))
        .append("last", newest(last).getDocument("last"))
        .append("fix", fix == null ? BsonNull.VALUE : newest(fix).getDocument("fix"));
  }

  private static BsonDocument newest(LocatedRecord record) {
    var write = (UpdateOneModel<BsonDocument>) new LastKnownLocationConverter().apply(record);
    return Objects.requireNonNull(write.getUpdate()).toBsonDocument().getDocument("$max").clone();
  }
}
