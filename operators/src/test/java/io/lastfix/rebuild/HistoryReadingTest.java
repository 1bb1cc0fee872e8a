package io.lastfix.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.junit.jupiter.api.Test;

class HistoryReadingTest {
  /** Documents of former releases lack the radio, also if their records had named one. */
  @Test
  void aDocumentOfAFormerReleaseIsReadAsOneWhoseRadioWasNotKept() {
    BsonDocument former =
        BsonDocument.parse("{user: 'u', ts: {$date: 1795176001001}, cell: '234-10-1-2'}");

    assertThat(HistoryReading.UNLOCATED.record(former).isRadioKept()).isFalse();
    assertThat(
            HistoryReading.UNLOCATED.record(former.append("radio", BsonNull.VALUE)).isRadioKept())
        .isTrue();
  }
}
