package io.lastfix.cli.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.Lastfix;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong usage that the command rejects before it connects to anything. */
class AnalyzeUsageTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "analyze density --from 2026-11-20 --detach",
        "analyze all --detach",
        "analyze late --detach",
      })
  void densityIsNotDetached(String command) {
    StringWriter err = new StringWriter();

    int exitCode =
        Lastfix.commandLine().setErr(new PrintWriter(err, true)).execute(command.split(" ", -1));

    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString()).contains("leave out --detach");
  }

  @ParameterizedTest
  @CsvSource({
    "--from 2026-11-20, leave out --from and --to",
    "--to 2026-11-20, leave out --from and --to",
    "--set analytics.counts-by=cell, late: --set analytics.counts-by leaves out",
  })
  void lateRecordsDecideThemselvesWhatIsComputed(String options, String problem) {
    StringWriter err = new StringWriter();

    int exitCode =
        Lastfix.commandLine()
            .setErr(new PrintWriter(err, true))
            .execute(
                ("analyze late --flink http://127.0.0.1:1 --mongo-uri mongodb://127.0.0.1:1 "
                        + options)
                    .split(" ", -1));

    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString()).contains(problem);
  }

  @Test
  void withoutAnEndTheRangeEndsBeforeWhatTheStreamStillRewrites() {
    StringWriter err = new StringWriter();
    String from = Instant.now().minus(Duration.ofMinutes(30)).toString();

    int exitCode =
        Lastfix.commandLine()
            .setErr(new PrintWriter(err, true))
            .execute(
                "analyze",
                "counts",
                "--from",
                from,
                "--flink",
                "http://127.0.0.1:1",
                "--mongo-uri",
                "mongodb://127.0.0.1:1");

    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString()).contains("--from: without --to the range ends at ", ": add --to");
  }
}
