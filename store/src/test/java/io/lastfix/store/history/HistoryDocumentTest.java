package io.lastfix.store.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.InsertOneModel;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.PositionSource;
import io.lastfix.store.lastknown.LastKnownLocationConverter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HistoryDocumentTest {
  private static final LocatedRecord RECORD = TestRecords.RECORD;

  @Test
  void aDocumentIsReadBackAsTheRecordItWasMadeOf() {
    assertThat(HistoryDocument.toRecord(document())).isEqualTo(RECORD);
  }

  @Test
  void aDocumentWithAPositionOfItsOwnGivesTheLastKnownLocationOfItsRecord() {
    var newest = new LastKnownLocationConverter();
    Fix shaped =
        new Fix(
            TestRecords.POSITION,
            PositionSource.MLP,
            null,
            null,
            "{\"type\": \"Point\", \"coordinates\": [-0.1276, 51.5072]}");
    for (LocatedRecord record :
        List.of(
            TestRecords.withFix(),
            TestRecords.withFix(shaped),
            TestRecords.withFixAndCell(null, false),
            TestRecords.withFixAndCell(TestRecords.POSITION, true))) {
      var insert = (InsertOneModel<BsonDocument>) new HistoryDocumentConverter().apply(record);

      assertThat(newest.apply(HistoryDocument.toRecord(insert.getDocument())))
          .hasToString(newest.apply(record).toString());
    }
  }

  /** A projection leaves them out, and nobody uses them. */
  @Test
  void fieldsThatLastKnownLocationDoesNotHaveAreNotRead() {
    var insert =
        (InsertOneModel<BsonDocument>)
            new HistoryDocumentConverter()
                .apply(TestRecords.withFixAndCell(TestRecords.POSITION, true));
    BsonDocument document = insert.getDocument();
    LocatedRecord read = HistoryDocument.toRecord(document);

    for (String field : List.of("alt", "shape", "cellLoc", "far")) {
      document.put(field, new BsonString("of another type"));
    }

    assertThat(HistoryDocument.toRecord(document)).isEqualTo(read);
  }

  @ParameterizedTest
  @MethodSource("brokenFields")
  void aFieldThatIsNotAsTheContractHasItIsNamedWithoutItsValue(
      String field, BsonValue value, String message) {
    BsonDocument broken = document();
    broken.put(field, value);

    assertThatThrownBy(() -> HistoryDocument.toRecord(broken))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  static Stream<Arguments> brokenFields() {
    return Stream.of(
        Arguments.of("user", new BsonInt64(350_000), "user: expected STRING, found INT64"),
        Arguments.of("user", new BsonString(""), "user: expected a text, found nothing"),
        Arguments.of("ts", new BsonString("noon"), "ts: expected DATE_TIME, found STRING"),
        Arguments.of("cell", new BsonString("here"), "expected mcc-mnc-area-cid or mcc-mnc--cid"),
        Arguments.of("src", new BsonInt64(1), "src: expected STRING, found INT64"),
        Arguments.of("loc", new BsonDocument(), "lon: expected DOUBLE, found nothing"),
        Arguments.of(
            "loc",
            new BsonDocument("lon", new BsonDouble(1)).append("lat", new BsonInt64(2)),
            "lat: expected DOUBLE, found INT64"));
  }

  @Test
  void aMissingFieldIsNamed() {
    BsonDocument broken = document();
    broken.remove("ts");

    assertThatThrownBy(() -> HistoryDocument.toRecord(broken))
        .hasMessage("ts: expected DATE_TIME, found nothing");
  }

  @Test
  void anIdIsWrittenAsMongoshTakesItButNeverATextThatMayBeAUser() {
    assertThat(HistoryDocument.describeId(withId(HistoryId.lowestAt(1))))
        .isEqualTo("HexData(0, \"0000000000000001000000000000000000000000\")");
    assertThat(
            HistoryDocument.describeId(
                withId(new BsonObjectId(new ObjectId("650000000000000000000001")))))
        .isEqualTo("ObjectId(\"650000000000000000000001\")");
    assertThat(HistoryDocument.describeId(withId(new BsonString(RECORD.user()))))
        .isEqualTo("of type STRING");
  }

  private static BsonDocument withId(BsonValue id) {
    return new BsonDocument("_id", id);
  }

  private static BsonDocument document() {
    var position = Objects.requireNonNull(RECORD.position());
    return new BsonDocument("user", new BsonString(RECORD.user()))
        .append("ts", new BsonDateTime(RECORD.timestampMillis()))
        .append("cell", new BsonString(TestRecords.CELL.toString()))
        .append("src", new BsonString(PositionSource.CELL.text()))
        .append(
            "loc",
            new BsonDocument("lon", new BsonDouble(position.lon()))
                .append("lat", new BsonDouble(position.lat())));
  }
}
