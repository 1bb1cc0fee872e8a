package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options that {@code up} rejects before it starts anything. */
class UpUsageTest {
  @ParameterizedTest
  @ValueSource(strings = {"--shards", "--replicas", "--mongo-members"})
  void theShapeOfAMongoDbOfTheUsersOwnCannotBeChosen(String option) {
    StringWriter err = new StringWriter();

    int exitCode =
        Lastfix.commandLine()
            .setErr(new PrintWriter(err, true))
            .execute("up", "--mongo-uri", "mongodb://db1.invalid:27017/", option, "3");

    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString()).contains("--shards", "expected without --mongo-uri");
  }

  @ParameterizedTest
  @CsvSource({
    "--gateway, lastfix gateway run",
    "--rules, 'lastfix submit rules, and lastfix notify'"
  })
  void aServerOfKafkaNeedsTheStacksOwn(String option, String instead) {
    StringWriter err = new StringWriter();

    int exitCode =
        Lastfix.commandLine()
            .setErr(new PrintWriter(err, true))
            .execute("up", "--kafka", "broker1.invalid:9092", option);

    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString())
        .contains(option + ": expected without --kafka", "for a Kafka of your own run: " + instead);
  }
}
