package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.operate.size.Figure;
import io.lastfix.operate.size.Figures;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Compares the tables of {@code docs/reference/size.md} with what the command above each of them
 * prints. With {@code -Dlastfix.reference=write} it writes the tables.
 */
class SizingPageTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve(Path.of("docs", "reference", "size.md"));
  private static final Pattern EXAMPLE =
      Pattern.compile("```text\n\\$ \\./lastfix (size [^\n]*)\n(.*?)```\n", Pattern.DOTALL);

  @Test
  void eachTableIsWhatTheCommandAboveItPrints() throws IOException {
    String page = Files.readString(PAGE);
    String expected = EXAMPLE.matcher(page).replaceAll(SizingPageTest::rendered);
    if ("write".equals(System.getProperty("lastfix.reference"))) {
      Files.writeString(PAGE, expected);
    }

    assertThat(EXAMPLE.matcher(page).results()).hasSizeGreaterThanOrEqualTo(3);
    assertThat(Files.readString(PAGE))
        .as("after a change of a figure, write the page with -Dlastfix.reference=write")
        .isEqualTo(expected);
  }

  /** They differ on purpose, and the page has both. */
  @Test
  void thePageOfRetentionHasTheDaysOfTheCommandAndOfTheChart() throws IOException {
    Matcher chart =
        Pattern.compile("(?m)^    retentionMs: (\\d+)$")
            .matcher(Files.readString(ROOT.resolve("deploy/helm/lastfix/values.yaml")));
    assertThat(chart.find()).isTrue();
    Figure command = Figures.ofThisBuild().all().get("kafka.retention-days");

    assertThat(Files.readString(ROOT.resolve("docs/operate/retention.md")))
        .contains(
            "with %d days (`retentionMs`)"
                .formatted(Duration.ofMillis(Long.parseLong(chart.group(1))).toDays()),
            "`lastfix size` computes disks for %.0f days".formatted(command.value()));
  }

  @Test
  void eachMeasuredFigureNamesAFileOfThisRepository() {
    assertThat(Figures.ofThisBuild().all().values())
        .filteredOn(figure -> figure.measured() != null)
        .extracting(Figure::measured)
        .allSatisfy(file -> assertThat(ROOT.resolve(file)).isRegularFile());
  }

  private static String rendered(MatchResult example) {
    return Matcher.quoteReplacement(
        "```text\n$ ./lastfix %s\n%s```\n"
            .formatted(example.group(1), output(example.group(1).split(" "))));
  }

  private static String output(String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine commandLine = Lastfix.commandLine();
    commandLine.setOut(new PrintWriter(out));

    assertThat(commandLine.execute(arguments)).isZero();
    return out.toString().replace(System.lineSeparator(), "\n");
  }
}
