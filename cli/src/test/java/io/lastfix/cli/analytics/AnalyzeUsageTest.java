package io.lastfix.cli.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.Lastfix;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong usage that the command rejects before it connects to anything. */
class AnalyzeUsageTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "analyze density --from 2026-11-20 --detach",
        "analyze all --to 2026-11-20 --detach",
      })
  void densityOfARangeIsNotDetached(String command) {
    StringWriter err = new StringWriter();

    int exitCode =
        Lastfix.commandLine().setErr(new PrintWriter(err, true)).execute(command.split(" ", -1));

    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString()).contains("--detach", "leave out --detach, or --from and --to");
  }
}
