package io.lastfix.store.history;

import static io.lastfix.store.history.TestRecords.RECORD;
import static io.lastfix.store.history.TestRecords.TIMESTAMP_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.UpdateOneModel;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import java.nio.ByteBuffer;
import java.util.List;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class HistoryDocumentConverterTest {

  /** If this fails, a replay of stored records would store them a second time. */
  @Test
  void aRecordBecomesThisDocument() {
    assertThat(document(RECORD))
        .isEqualTo(
            BsonDocument.parse(
                """
                {
                  "_id": {"$binary": {"base64": "AAABofjT7ekT/VQecQhz9bP3U4g=", "subType": "00"}},
                  "user": "350000000007919",
                  "ts": {"$date": "2026-11-20T12:00:01.001Z"},
                  "cell": "234-10-4021-20911362",
                  "loc": {"lon": -0.1276, "lat": 51.5072},
                  "src": "cell"
                }
                """));
  }

  @Test
  void theFieldsStandInTheContractsOrder() {
    assertThat(document(RECORD).keySet())
        .containsExactly("_id", "user", "ts", "cell", "loc", "src");
    assertThat(document(RECORD).getDocument("loc").keySet()).containsExactly("lon", "lat");
  }

  @Test
  void aRecordWhoseCellIsUnknownHasNoLocation() {
    assertThat(document(TestRecords.unlocated()).keySet())
        .containsExactly("_id", "user", "ts", "cell", "radio");
  }

  @Test
  void aRadioThatTheRecordDoesNotNameIsNull() {
    BsonDocument document = document(TestRecords.unlocated());

    assertThat(document.isNull("radio")).isTrue();
    assertThat(HistoryDocument.toUnlocatedRecord(document).radio()).isNull();
  }

  @Test
  void whatIsStoredWithoutAPositionGetsThatOfAReplay() {
    assertThat(HistoryDocumentConverter.completions(TestRecords.unlocated())).isEmpty();
    assertThat(HistoryDocumentConverter.completions(RECORD))
        .singleElement()
        .isInstanceOfSatisfying(
            UpdateOneModel.class,
            update -> {
              assertThat(update.getFilter())
                  .isEqualTo(
                      BsonDocument.parse(
                          """
                          {
                            "_id": {"$binary": {"base64": "AAABofjT7ekT/VQecQhz9bP3U4g=", "subType": "00"}},
                            "user": "350000000007919",
                            "ts": {"$date": "2026-11-20T12:00:01.001Z"},
                            "loc": {"$exists": false}
                          }
                          """));
              assertThat(update.getUpdate())
                  .isEqualTo(
                      BsonDocument.parse(
                          "{$set: {loc: {lon: -0.1276, lat: 51.5072}, src: 'cell'}, $unset: {radio: ''}}"));
              assertThat(update.getOptions().isUpsert()).isFalse();
            });
  }

  /** If this fails, a replay of stored records would store them a second time. */
  @Test
  void aRecordWithAPositionOfItsOwnAndACellBecomesThisDocument() {
    assertThat(document(TestRecords.withFixAndCell(TestRecords.POSITION, true)).toJson())
        .isEqualTo(
            BsonDocument.parse(
                    """
                    {
                      "_id": {"$binary": {"base64": "AAABofjT7elQ6k4vYj6cYj1D3DY=", "subType": "00"}},
                      "user": "350000000007919",
                      "ts": {"$date": "2026-11-20T12:00:01.001Z"},
                      "cell": "234-10-4021-20911362",
                      "loc": {"lon": -0.12, "lat": 51.515},
                      "src": "gnss",
                      "acc": 8.5,
                      "alt": 35.0,
                      "cellLoc": {"lon": -0.1276, "lat": 51.5072},
                      "far": true
                    }
                    """)
                .toJson());
  }

  @Test
  void aRecordWithAPositionOnlyHasNoFieldOfACell() {
    assertThat(document(TestRecords.withFix()).keySet())
        .containsExactly("_id", "user", "ts", "loc", "src", "acc", "alt");
  }

  @Test
  void anUnknownCellsRadioStaysForWhoeverFindsThePositionLater() {
    LocatedRecord unlocated =
        new LocationRecord(RECORD.user(), TestRecords.CELL, Radio.LTE, TIMESTAMP_MILLIS).at(null);

    assertThat(document(unlocated).keySet()).containsExactly("_id", "user", "ts", "cell", "radio");
    assertThat(HistoryDocument.toUnlocatedRecord(document(unlocated)).radio()).isEqualTo(Radio.LTE);
  }

  @Test
  void aStoredFixGetsItsCellsPositionFromAReplayIfThatIsThenKnown() {
    assertThat(
            HistoryDocumentConverter.completions(
                TestRecords.withFixAndCell(TestRecords.POSITION, true)))
        .last()
        .isInstanceOfSatisfying(
            UpdateOneModel.class,
            update -> {
              assertThat(((BsonDocument) update.getFilter()).keySet())
                  .containsExactly("_id", "user", "ts", "cellLoc");
              assertThat(update.getUpdate())
                  .isEqualTo(
                      BsonDocument.parse(
                          "{$set: {cellLoc: {lon: -0.1276, lat: 51.5072}, far: true}}"));
            });
  }

  @Test
  void aFixWithoutAccuracyAltitudeAndShapeHasNothingToAddToAStoredOne() {
    Fix bare = new Fix(TestRecords.FIX.position(), TestRecords.FIX.source(), null, null, null);

    assertThat(HistoryDocumentConverter.completions(TestRecords.withFix(bare))).isEmpty();
  }

  @Test
  void aPositionFoundLaterIsMarkedWithTheTime() {
    assertThat(HistoryDocumentConverter.locatedLater(RECORD, TIMESTAMP_MILLIS))
        .isInstanceOfSatisfying(
            UpdateOneModel.class,
            update -> {
              assertThat(((BsonDocument) update.getFilter()).keySet())
                  .containsExactly("_id", "user", "ts", "loc");
              assertThat(update.getUpdate())
                  .isEqualTo(
                      BsonDocument.parse(
                          """
                          {$set: {loc: {lon: -0.1276, lat: 51.5072}, src: "cell",
                                  located: {$date: "2026-11-20T12:00:01.001Z"}},
                           $unset: {radio: ""}}
                          """));
              assertThat(update.getOptions().isUpsert()).isFalse();
            });
  }

  @Test
  void twoFixesOfOneMillisecondAreTwoRecordsAndAccuracyIsNoPartOfTheIdentity() {
    Fix fix = TestRecords.FIX;
    BsonBinary first = id(TestRecords.withFix());

    assertThat(id(TestRecords.withFix(new Fix(fix.position(), fix.source())))).isEqualTo(first);
    assertThat(id(TestRecords.withFixAndCell(TestRecords.POSITION, true)))
        .isEqualTo(id(TestRecords.withFixAndCell(null, false)));
    assertThat(
            List.of(
                first,
                id(RECORD),
                id(TestRecords.withFixAndCell(null, false)),
                id(TestRecords.withFix(new Fix(new Position(-0.12, 51.6), fix.source()))),
                id(TestRecords.withFix(new Fix(fix.position(), PositionSource.NETWORK)))))
        .doesNotHaveDuplicates();
  }

  @Test
  void aCellWithoutAnAreaIsWrittenWithoutOne() {
    assertThat(document(TestRecords.in(new CellId(234, 10, CellId.NO_AREA, 7))).getString("cell"))
        .extracting(text -> text.getValue())
        .isEqualTo("234-10--7");
  }

  @Test
  void theIdDependsOnUserTimeAndCellAlone() {
    assertThat(id(TestRecords.unlocated())).isEqualTo(id(RECORD));
    assertThat(id(TestRecords.placedAt(new Position(1, 2)))).isEqualTo(id(RECORD));

    List<BsonBinary> others =
        List.of(
            id(TestRecords.ofUser("350000000007918")),
            id(TestRecords.at(TIMESTAMP_MILLIS + 1)),
            id(TestRecords.in(new CellId(234, 10, 4021, 20_911_363))),
            id(TestRecords.in(new CellId(234, 10, CellId.NO_AREA, 20_911_362))));
    assertThat(others).doesNotHaveDuplicates().doesNotContain(id(RECORD));
  }

  @Test
  void theIdBeginsWithTheTimeSoThatInsertsGoToTheEndOfTheIndex() {
    ByteBuffer bytes = ByteBuffer.wrap(id(RECORD).getData());

    assertThat(bytes.remaining()).isEqualTo(20);
    assertThat(bytes.getLong()).isEqualTo(TIMESTAMP_MILLIS);
  }

  private static BsonBinary id(LocatedRecord record) {
    return document(record).getBinary("_id");
  }

  private static BsonDocument document(LocatedRecord record) {
    return ((InsertOneModel<BsonDocument>) new HistoryDocumentConverter().apply(record))
        .getDocument();
  }
}
