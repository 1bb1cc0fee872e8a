package io.lastfix.cli.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PushCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void helpNamesEveryOption() {
    assertThat(run("--help")).isZero();

    assertThat(out.toString())
        .contains("--file", "--dir", "--count", "--users", "--rate", "--format", "--cells")
        .contains("--seed", "--skew", "--late", "--malformed", "--duplicates", "--batch")
        .contains("--start", "--topic", "--kafka", "--gzip", "--json");
  }

  @Test
  void aShareOutOfRangeIsAUsageError() {
    assertThat(run("--late", "2")).isEqualTo(CommandLine.ExitCode.USAGE);

    assertThat(err.toString()).startsWith("--late: expected 0.0 to 1.0, found 2.0");
  }

  @Test
  void fileAndFolderTogetherAreAUsageError() {
    assertThat(run("--file", "a", "--dir", "b")).isEqualTo(CommandLine.ExitCode.USAGE);

    assertThat(err.toString()).startsWith("--file and --dir: expected one of them, found both");
  }

  @Test
  void aRateOfNothingIsAUsageError() {
    assertThat(run("--rate", "0")).isEqualTo(CommandLine.ExitCode.USAGE);

    assertThat(err.toString())
        .startsWith("--rate: expected more than 0 records a second, found 0.0");
  }

  @Test
  void anUnknownFormatIsAUsageError() {
    assertThat(run("--format", "csv")).isEqualTo(CommandLine.ExitCode.USAGE);

    assertThat(err.toString()).contains("--format");
  }

  @Test
  void aFileThatIsNotThereFailsBeforeKafkaIsAsked() {
    assertThat(run("--format", "json", "--file", "no-such-file"))
        .isEqualTo(CommandLine.ExitCode.SOFTWARE);

    assertThat(err.toString()).contains("no-such-file");
  }

  private int run(String... arguments) {
    return new CommandLine(new PushCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
