package io.lastfix.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {
  @ParameterizedTest
  @CsvSource({
    "mongodb://ann:secret@db:27017/lastfix, mongodb://***@db:27017/lastfix",
    "mongodb+srv://ann:s@cret@db/?w=1, mongodb+srv://***@db/?w=1",
    "'timed out: mongodb://ann:secret@db', 'timed out: mongodb://***@db'",
    "http://ann:secret@flink:8081, http://***@flink:8081",
    "mongodb://db:27017/?authSource=a@b, mongodb://db:27017/?authSource=a@b",
    "127.0.0.1:9092, 127.0.0.1:9092",
    "'ScramLoginModule required username=\"u\" password=\"a b\";', 'ScramLoginModule required username=\"u\" password=***;'",
    "'--set ssl.key.Password=secret x', '--set ssl.key.Password=*** x'"
  })
  void onlyUserAndPasswordAreTakenOut(String address, String printed) {
    assertThat(Redaction.redact(address)).isEqualTo(printed);
  }
}
