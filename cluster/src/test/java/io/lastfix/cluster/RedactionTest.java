package io.lastfix.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
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
    "'--set ssl.key.Password=secret x', '--set ssl.key.Password=*** x'",
    "mongodb://ann:s/cr@e?t@db/?authSource=a@b, mongodb://***@db/?authSource=a@b",
    "'password = secret', 'password = ***'",
    "'username = \"u\" password = \"a b\" ;', 'username = \"u\" password = *** ;'",
    "'password=\"a \\\" b\";', 'password=***;'",
    "'a \\\"password=\\\"a b\\\" x', 'a \\\"password=*** x'",
    "'password=\"never closed', 'password=***'",
    "'clientSecret=\"a b\" scope=\"c\"', 'clientSecret=*** scope=\"c\"'",
    "'flink.s3.secret-key=abc', 'flink.s3.secret-key=***'",
    "'s3.access.key=abc&x=y', 's3.access.key=***&x=y'",
    "'{\"Password\" : \"a b\", \"x\": 1}', '{\"Password\" : ***, \"x\": 1}'",
    "'x: refuses the user or the password of mongo.uri: check both', 'x: refuses the user or the password of mongo.uri: check both'",
    "'location.yaml:3: ssl.key.password: expected a text', 'location.yaml:3: ssl.key.password: expected a text'"
  })
  void onlyUserAndPasswordAreTakenOut(String address, String printed) {
    assertThat(Redaction.redact(address)).isEqualTo(printed);
  }

  @Test
  void aPrivateKeyIsTakenOut() {
    assertThat(
            Redaction.redact(
                "x -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- y"))
        .isEqualTo("x -----BEGIN RSA PRIVATE KEY-----*** y");
  }

  @Test
  void theMessagesOfCausesAreRedactedInAStackTrace() {
    Exception failure =
        new IllegalStateException("outer", new IOException("mongodb://ann:secret@db is away"));

    assertThat(Redaction.stackTrace(failure))
        .contains("outer", "Caused by: java.io.IOException: mongodb://***@db is away", "\tat ")
        .doesNotContain("secret");
  }

  @Test
  void aLongTextIsRedactedWithoutRunningOutOfStack() {
    String text =
        "password=\"" + "a\\\"".repeat(100_000) + "\" and mongodb://" + "b".repeat(100_000);

    assertThat(Redaction.redact(text)).startsWith("password=*** and mongodb://b");
  }
}
