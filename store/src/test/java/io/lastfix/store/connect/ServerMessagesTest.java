package io.lastfix.store.connect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerMessagesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "not primary | not primary",
        "E11000 duplicate key error dup key: { _id: \"350\" } | E11000 duplicate key error dup key: {…}",
        "Can't extract geo keys: { _id: 1, user: \"}{\" } out of bounds | Can't extract geo keys: {…} out of bounds",
        "key \"350\" and { a: 1 } | key {…}"
      })
  void whatTheServerQuotesIsLeftOut(String message, String expected) {
    assertThat(ServerMessages.withoutContents(message)).isEqualTo(expected);
  }
}
