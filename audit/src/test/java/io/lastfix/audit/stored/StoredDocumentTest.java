package io.lastfix.audit.stored;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredDocumentTest {
  private static final String DOCUMENT =
      """
      {_id: {$binary: {base64: "", subType: "00"}}, user: "7", ts: {$date: 0}, cell: "1-2-3-4",
       loc: {lon: 1.5, lat: 2.5}, src: "gnss", cellLoc: {lon: 1.5, lat: 2.5}}
      """;

  @Test
  void aDocumentWithLongitudesFirstIsThatOfARecord() {
    assertThat(StoredDocument.ofHistory(BsonDocument.parse(DOCUMENT))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"loc", "cellLoc"})
  void aDocumentWithALatitudeBeforeItsLongitudeIsNotThatOfARecord(String field) {
    BsonDocument document = BsonDocument.parse(DOCUMENT);
    document.put(field, BsonDocument.parse("{lat: 2.5, lon: 1.5}"));

    assertThat(StoredDocument.ofHistory(document)).isNull();
  }

  @Test
  void aNewestRecordWithoutAPlaceIsNotOneOfTheJob() {
    String newest =
        "{_id: '7', last: {ts: {$date: 0}, cell: '1-2-3-4', loc: %s, src: 'cell', acc: null}, fix: null}";

    assertThat(
            StoredDocument.ofLastKnown(
                BsonDocument.parse(newest.formatted("{lon: 1.5, lat: 2.5}"))))
        .isNotNull();
    assertThat(StoredDocument.ofLastKnown(BsonDocument.parse(newest.formatted("null")))).isNull();
  }
}
