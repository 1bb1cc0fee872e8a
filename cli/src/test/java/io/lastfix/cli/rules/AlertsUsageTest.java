package io.lastfix.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.Lastfix;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of {@code alerts} before it queries any server. */
class AlertsUsageTest {
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alerts --limit 0 | --limit: expected 1 to 100000, found 0",
        "alerts --limit 100001 | --limit: expected 1 to 100000, found 100001",
        "alerts --follow --last 1h | --follow excludes --from, --to, --last and --geojson",
        "alerts --follow --from -1h | --follow excludes --from, --to, --last and --geojson",
        "alerts --follow --geojson | --follow excludes --from, --to, --last and --geojson",
        "alerts --from 2026-11-21 --to 2026-11-20 | --from and --to: expected --to to be later than"
            + " --from"
      })
  void whatCannotBeMeantIsRefusedInOneLine(String line, String message) {
    assertThat(
            Lastfix.commandLine().setErr(new PrintWriter(err, true)).execute(line.split(" ", -1)))
        .isEqualTo(2);
    assertThat(err.toString().strip())
        .isEqualTo("lastfix alerts: %s (see lastfix alerts --help)".formatted(message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--from 2026-11-21 --to 2026-11-20 | --from and --to: expected --to to be later than --from",
        "--rule left-airport | unknown option: --rule"
      })
  void redeliverHasOptionsAndChecksOfItsOwn(String options, String message) {
    assertThat(
            Lastfix.commandLine()
                .setErr(new PrintWriter(err, true))
                .execute(("alerts redeliver " + options).split(" ", -1)))
        .isEqualTo(2);
    assertThat(err.toString().strip())
        .isEqualTo(
            "lastfix alerts redeliver: %s (see lastfix alerts redeliver --help)"
                .formatted(message));
  }
}
