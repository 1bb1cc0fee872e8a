package io.lastfix.cli.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.Lastfix;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong usage that the commands reject before they query anything. */
class PlotUsageTest {
  @ParameterizedTest
  @CsvSource({
    "density --plot --json, '--plot excludes --json, --csv, --spreadsheet and --geojson'",
    "trips --plot=trips.svg, --plot: expected a name that ends with .png",
    "counts --plot=/no/such/folder/x.png, --plot: there is no folder /no/such/folder",
    "counts --plot --windows, --plot: expected --key or --by total with --windows",
    "counts --plot --follow, '--follow excludes --from, --to, --plot and --geojson'",
    "density --plot --last 1h, '--plot: expected --key with --from, --to or --last'",
  })
  void wrongUsageIsRefused(String command, String message) {
    StringWriter err = new StringWriter();

    int exitCode =
        Lastfix.commandLine()
            .setErr(new PrintWriter(err, true))
            .execute((command + " --mongo-uri mongodb://127.0.0.1:1").split(" ", -1));

    assertThat(err.toString()).contains(message);
    assertThat(exitCode).isEqualTo(2);
  }
}
