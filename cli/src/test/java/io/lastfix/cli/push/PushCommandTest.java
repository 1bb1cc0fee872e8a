package io.lastfix.cli.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.ShippedProfiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

  @Test
  void aProfileOfGeneratedMessagesIsAUsageError() {
    assertThat(run("--profile", "osmand")).isEqualTo(CommandLine.ExitCode.USAGE);

    assertThat(err.toString()).startsWith("--profile: expected --file or --dir");
  }

  @Test
  void aTopicThatNoProfileReadsIsNamedWithThoseThatAreRead(@TempDir Path folder)
      throws IOException {
    sendWithoutBroker(folder, "--topic", "lastfix.location.jsn");

    assertThat(err.toString())
        .startsWith(
            "No profile of the configuration reads the topic lastfix.location.jsn: expected one of")
        .contains(
            ShippedProfiles.names().stream()
                .map("lastfix.location."::concat)
                .collect(Collectors.joining(", ", " ", ". ")));
  }

  @Test
  void theFilesProfileNamesTheTopic(@TempDir Path folder) throws IOException {
    sendWithoutBroker(folder, "--profile", "osmand", "--set", "profiles.names=json");

    assertThat(err.toString())
        .startsWith("No profile of the configuration reads the topic lastfix.location.osmand");
  }

  /** Fails once the topic was looked at, since no broker listens there. */
  private void sendWithoutBroker(Path folder, String... arguments) throws IOException {
    Path file = Files.writeString(folder.resolve("messages"), "{}");
    List<String> all = new ArrayList<>(List.of("--file", file.toString()));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--kafka", "localhost:1"));
    all.addAll(List.of("--set", "kafka.properties.default.api.timeout.ms=300"));
    all.addAll(List.of("--set", "kafka.properties.request.timeout.ms=200"));
    assertThat(run(all.toArray(String[]::new))).isEqualTo(CommandLine.ExitCode.SOFTWARE);
  }

  private int run(String... arguments) {
    return new CommandLine(new PushCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
