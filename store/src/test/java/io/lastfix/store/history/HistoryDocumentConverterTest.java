package io.lastfix.store.history;

import static io.lastfix.store.history.TestRecords.RECORD;
import static io.lastfix.store.history.TestRecords.TIMESTAMP_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.UpdateOneModel;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
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
                  "loc": {"lon": -0.1276, "lat": 51.5072}
                }
                """));
  }

  @Test
  void theFieldsStandInTheContractsOrder() {
    assertThat(document(RECORD).keySet()).containsExactly("_id", "user", "ts", "cell", "loc");
    assertThat(document(RECORD).getDocument("loc").keySet()).containsExactly("lon", "lat");
  }

  @Test
  void aRecordWhoseCellIsUnknownHasNoLocation() {
    assertThat(document(TestRecords.unlocated()).keySet())
        .containsExactly("_id", "user", "ts", "cell");
  }

  @Test
  void whatIsStoredWithoutAPositionGetsThatOfAReplayAndNothingElseIsEverChanged() {
    assertThat(HistoryDocumentConverter.completion(TestRecords.unlocated())).isNull();
    assertThat(HistoryDocumentConverter.completion(RECORD))
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
                  .isEqualTo(BsonDocument.parse("{$set: {loc: {lon: -0.1276, lat: 51.5072}}}"));
              assertThat(update.getOptions().isUpsert()).isFalse();
            });
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
