package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of {@code forget} and {@code pseudonym} before they query any server. */
class ForgetUsageTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Lastfix.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "forget u | an erasure cannot be undone: add --yes",
        "forget u --yes --time-limit 0 | --time-limit: expected 1 or more, found 0",
        "forget --yes | Missing required parameter: 'USER'"
      })
  void whatCannotBeMeantIsRefusedInOneLine(String commandLine, String message) {
    assertThat(run(commandLine.split(" ", -1))).isEqualTo(2);

    assertThat(err.toString().strip())
        .isEqualTo("lastfix forget: %s (see lastfix forget --help)".formatted(message));
  }

  @Test
  void aPseudonymNeedsNoServer(@TempDir Path directory) throws Exception {
    Path key = Files.writeString(directory.resolve("key"), "0123456789abcdef");

    assertThat(
            run("pseudonym", "350000000007919", "--set=privacy.pseudonym-key=${file:" + key + "}"))
        .isZero();

    assertThat(out.toString().strip()).isEqualTo("35c1ba0a309818215a5c1213bc9be554");
  }

  @Test
  void withoutAKeyThereIsNoPseudonym() {
    assertThat(run("pseudonym", "350000000007919")).isEqualTo(1);

    assertThat(err.toString())
        .contains("the configuration has no privacy.pseudonym-key")
        .doesNotContain("350000000007919");
  }
}
