package io.lastfix.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTextTest {
  @Test
  void ordinaryWordsAreWrittenAsTheyAre() {
    assertThat(CommandLineText.withoutSecrets(List.of("bench", "floor", "--set", "a.b=c")))
        .isEqualTo("lastfix bench floor --set a.b=c");
  }

  @ParameterizedTest
  @CsvSource({
    "mongo.uri=hidden, mongo.uri=...",
    "--mongo-uri=hidden, --mongo-uri=...",
    "privacy.pseudonym-key=hidden, privacy.pseudonym-key=...",
    "kafka.properties.sasl.jaas.config=hidden, kafka.properties.sasl.jaas.config=...",
    "flink.s3.secret-key=hidden, flink.s3.secret-key=..."
  })
  void aValueThatMayBeASecretIsNot(String word, String shown) {
    assertThat(CommandLineText.withoutSecrets(List.of(word))).isEqualTo("lastfix " + shown);
  }

  @Test
  void aPasswordInAnAddressIsNotWritten() {
    assertThat(
            CommandLineText.withoutSecrets(
                List.of("--mongo-uri", "mongodb://user:hidden@host:27017/?replicaSet=rs")))
        .doesNotContain("hidden")
        .contains("host:27017");
  }
}
