package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Time limits that the commands reject before they connect to anything. */
class TimeLimitUsageTest {
  @ParameterizedTest
  @CsvSource({
    "drain --timeout -5, --timeout, -5",
    "drain --timeout 0, --timeout, 0",
    "stop --timeout 1.5, --timeout, 1.5",
    "upgrade --within 0, --within, 0",
    "up --timeout 99999999999, --timeout, 99999999999",
    "rebuild-lkl --slot-timeout soon, --slot-timeout, soon",
  })
  void aTimeLimitIsAPositiveNumberOfSeconds(String command, String option, String found) {
    StringWriter err = new StringWriter();

    int exitCode =
        Lastfix.commandLine().setErr(new PrintWriter(err, true)).execute(command.split(" ", -1));

    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString())
        .contains(option, "expected a number of seconds from 1 to 1000000, found '" + found + "'");
  }
}
