package io.lastfix.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class HistoryReadingTest {
  /** Documents of former releases lack the radio, also if their records had named one. */
  @Test
  void documentsOfFormerReleasesAreReadWithoutAPositionOnlyIfThatIsAskedFor() {
    assertThat(HistoryReading.UNLOCATED.filter())
        .isEqualTo(BsonDocument.parse("{loc: {$exists: false}, radio: {$exists: true}}"));
    assertThat(HistoryReading.UNLOCATED_ALSO_WITHOUT_RADIO.filter())
        .isEqualTo(BsonDocument.parse("{loc: {$exists: false}}"));
  }
}
