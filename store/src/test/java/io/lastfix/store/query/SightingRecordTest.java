package io.lastfix.store.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.InsertOneModel;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import io.lastfix.store.history.HistoryDocumentConverter;
import io.lastfix.store.history.TestRecords;
import java.time.Instant;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** History keeps all of a record that rules judge by, but for the range of its cell. */
class SightingRecordTest {
  static Stream<LocatedRecord> records() {
    return Stream.of(
        TestRecords.RECORD,
        TestRecords.unlocated(),
        TestRecords.withFix(),
        TestRecords.withFix(new Fix(new Position(1.5, -2.25), PositionSource.NETWORK)),
        TestRecords.withFixAndCell(null, false),
        TestRecords.withFixAndCell(TestRecords.POSITION, false),
        TestRecords.withFixAndCell(TestRecords.POSITION, true));
  }

  @ParameterizedTest
  @MethodSource("records")
  void aStoredRecordIsReadBack(LocatedRecord record) {
    var insert = (InsertOneModel<BsonDocument>) new HistoryDocumentConverter().apply(record);
    Document stored = Document.parse(insert.getDocument().toJson());

    assertThat(SightingDocuments.ofHistory(stored).toRecord()).isEqualTo(record);
  }

  @Test
  void whatNoRecordHasIsNamed() {
    assertThatThrownBy(
            () ->
                new Sighting(
                        "u",
                        Instant.EPOCH,
                        null,
                        TestRecords.POSITION,
                        PositionSource.CELL,
                        null,
                        null,
                        null,
                        false,
                        null)
                    .toRecord())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cell: expected one, found nothing");
  }
}
