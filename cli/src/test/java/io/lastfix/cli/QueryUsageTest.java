package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Options that the query commands reject before they query any server. */
class QueryUsageTest {
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Lastfix.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);
  }

  @ParameterizedTest
  @MethodSource
  void whatCannotBeMeantIsRefusedInOneLine(String commandLine, String message) {
    String[] arguments = commandLine.split(" ", -1);

    assertThat(run(arguments)).isEqualTo(2);

    assertThat(err.toString().lines())
        .containsExactly(
            "lastfix %s: %s (see lastfix %s --help)"
                .formatted(arguments[0], message, arguments[0]));
  }

  static Stream<Arguments> whatCannotBeMeantIsRefusedInOneLine() {
    return Stream.of(
        Arguments.of("near --lat -91 --lon 0", "--lat: expected -90 to 90, found -91.0"),
        Arguments.of("near --lat 0 --lon -180.5", "--lon: expected -180 to 180, found -180.5"),
        Arguments.of(
            "near --lat 0 --lon 0 --radius 0",
            "--radius: expected more than 0 m, up to 20037 km, found 0.0 m"),
        Arguments.of(
            "near --lat 0 --lon 0 --radius 20038km",
            "--radius: expected more than 0 m, up to 20037 km, found 2.0038E7 m"),
        Arguments.of(
            "near --lat 0 --lon 0 --radius 5miles",
            "Invalid value for option '--radius': expected a distance such as 500, 500m or 2.5km,"
                + " found '5miles'"),
        Arguments.of(
            "near --lat 0 --lon 0 --limit 100001", "--limit: expected 1 to 100000, found 100001"),
        Arguments.of(
            "at 234-10-4021",
            "Invalid value for positional parameter at index 0 (CELL): expected mcc-mnc-area-cid or"
                + " mcc-mnc--cid in '234-10-4021'"),
        Arguments.of("at 234-10-4021-1 --limit 0", "--limit: expected 1 to 100000, found 0"),
        Arguments.of("history u --limit 0", "--limit: expected 1 or more, found 0"),
        Arguments.of(
            "history u --limit 100001",
            "--limit: expected 1 to 100000, found 100001; for more give --all or --oldest-first"),
        Arguments.of(
            "during 1-1-1-1 --limit 100001",
            "--limit: expected 1 to 100000, found 100001; for more give --all or --oldest-first"),
        Arguments.of(
            "history u --oldest-first --geojson --line --limit 100001",
            "--limit: expected 1 to 100000, found 100001; for more leave out --line, and give"
                + " --all or --oldest-first"),
        Arguments.of(
            "history u --all --limit 5", "--all and --limit: expected one of them, found both"),
        Arguments.of(
            "history u --all --token AQ", "--all and --token: expected one of them, found both"),
        Arguments.of(
            "history u --token AQ --from -2h",
            "--token: continues in the time range and order of the previous page: leave out"
                + " --from, --to and --oldest-first"),
        Arguments.of(
            "during 1-1-1-1 --from 2026-11-20 --to 2026-11-19",
            "from and to: expected a time and a later one, found 2026-11-20T00:00:00Z and"
                + " 2026-11-19T00:00:00Z"),
        Arguments.of("history u --line", "--line: expected --geojson with it"),
        Arguments.of(
            "history u --line --geojson --all",
            "--line and --all: expected one of them, since a line is held in memory"),
        Arguments.of(
            "history u --json --csv",
            "Error: --json, --csv are mutually exclusive (specify only one)"),
        Arguments.of(
            "where u --best 0s",
            "--best: expected a duration such as 90s, 10m, 2h or 7d, up to 366d, found '0s'"),
        Arguments.of(
            "where u --best 367d",
            "--best: expected a duration such as 90s, 10m, 2h or 7d, up to 366d, found '367d'"),
        Arguments.of(
            "where u --best ten",
            "--best: expected a duration such as 90s, 10m, 2h or 7d, up to 366d, found 'ten'"),
        Arguments.of(
            "near --lat 0 --lon 0 --newer-than 1y",
            "--newer-than: expected a duration such as 90s, 10m, 2h or 7d, up to 366d, found '1y'"),
        Arguments.of("where u --time-limit 0", "timeLimit: expected 1 ms to 24 days, found 0 ms"),
        Arguments.of(
            "where u --read-preference secondary --max-staleness 60",
            "maxStaleness: expected 90 s or more, found 60 s"));
  }

  @Test
  void anAreaThatIsNoneIsRefusedWithItsFilesName(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("area.geojson"),
            "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[0,1],[1,1]]]}");

    assertThat(run("within", file.toString())).isEqualTo(2);

    assertThat(err.toString())
        .contains(
            file + ": polygon: expected each ring to end where it begins, found one that is open");
  }

  @Test
  void anAreaWhoseFileIsNotThereFails(@TempDir Path directory) {
    Path file = directory.resolve("none.geojson");

    assertThat(run("within", file.toString())).isEqualTo(1);

    assertThat(err.toString()).contains(file + ": there is no such file");
  }
}
