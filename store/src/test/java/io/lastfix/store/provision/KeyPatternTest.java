package io.lastfix.store.provision;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPatternTest {
  private static final KeyPattern USER_AND_TIME = KeyPattern.ascending("user", "ts");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{user: 1, ts: 1}",
        "{user: 1.0, ts: 1.0}",
        "{user: {$numberLong: '1'}, ts: 1}",
        "{user: {$numberDecimal: '1'}, ts: 1}"
      })
  void numbersMeanTheSameHoweverTheyAreWritten(String keys) {
    assertThat(KeyPattern.of(BsonDocument.parse(keys))).isEqualTo(USER_AND_TIME);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ts: 1, user: 1}",
        "{user: -1, ts: 1}",
        "{user: 'hashed', ts: 1}",
        "{user: 1}",
        "{user: 1, ts: 1, cell: 1}"
      })
  void anotherOrderAnotherDirectionAndOtherFieldsAreAnotherPattern(String keys) {
    assertThat(KeyPattern.of(BsonDocument.parse(keys))).isNotEqualTo(USER_AND_TIME);
  }

  @Test
  void itReadsAsMongoshTakesItAndGoesBackToTheServerAsItCame() {
    for (KeyPattern keys :
        new KeyPattern[] {
          USER_AND_TIME, KeyPattern.hashed("user", "ts"), KeyPattern.sphere("last.loc")
        }) {
      assertThat(KeyPattern.of(BsonDocument.parse(keys.toString()))).isEqualTo(keys);
      assertThat(KeyPattern.of(keys.toBson())).isEqualTo(keys);
    }
    assertThat(KeyPattern.hashed("user", "ts")).hasToString("{user: \"hashed\", ts: 1}");
    assertThat(KeyPattern.sphere("last.loc")).hasToString("{\"last.loc\": \"2dsphere\"}");
    assertThat(KeyPattern.of(BsonDocument.parse("{ts: -1}"))).hasToString("{ts: -1}");
  }

  @Test
  void onlyAKeyThatBeginsWithAHashHasItsChunksBeforeItsData() {
    assertThat(KeyPattern.hashed("user", "ts").startsWithHash()).isTrue();
    assertThat(USER_AND_TIME.startsWithHash()).isFalse();
    assertThat(KeyPattern.of(BsonDocument.parse("{user: 1, ts: 'hashed'}")).startsWithHash())
        .isFalse();
  }
}
