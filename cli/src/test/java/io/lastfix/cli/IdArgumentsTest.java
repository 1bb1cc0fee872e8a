package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Ids come from devices: none of them is an option, a number or a file. */
class IdArgumentsTest {
  private static final List<String> IDS =
      List.of("@jane", "@@jane", "-hQ3xZ", "-V", "-h", "-1", "-", "-Vx=1", "a=b", "status", "");

  private static final List<String> IDS_LIKE_OPTIONS =
      List.of("--help", "--helpful", "--version", "--yes", "--json=1", "--", "--verbose");

  /** For parsing alone, which may be repeated; it is made once, since it has all commands. */
  private static final CommandLine PARSER = Lastfix.commandLine();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Lastfix.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private static ParseResult parse(String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of(command.split(" ", -1)));
    arguments.addAll(List.of(more));
    List<CommandLine> parsed =
        PARSER.parseArgs(arguments.toArray(String[]::new)).asCommandLineList();
    return parsed.get(parsed.size() - 1).getParseResult();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "where",
        "history --json",
        "forget --yes",
        "pseudonym",
        "group create",
        "group rotate",
        "group speaks-for"
      })
  void anIdIsNeitherAnOptionNorAFile(String command) {
    for (String id : IDS) {
      assertThat(parse(command, id).matchedPositionalValue(0, "")).isEqualTo(id);
      assertThat(parse(command, "--", id).matchedPositionalValue(0, "")).isEqualTo(id);
    }
    for (String id : IDS_LIKE_OPTIONS) {
      assertThat(parse(command, "--", id).matchedPositionalValue(0, "")).isEqualTo(id);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stays", "trips", "alerts"})
  void norIsAnIdThatIsTheValueOfAnOption(String command) {
    for (String id : IDS) {
      assertThat(parse(command, "--user", id).matchedOptionValue("--user", "")).isEqualTo(id);
    }
  }

  /** It may be an option whose value is missing. */
  @ParameterizedTest
  @ValueSource(strings = {"--help", "--version", "--verbose", "--json"})
  void aValueThatIsAnOptionIsRefused(String id) {
    assertThat(run("stays", "--user=" + id)).isEqualTo(2);
    assertThat(run("stays", "--user", id)).isEqualTo(2);

    assertThat(err.toString()).contains("--user").doesNotContain("unknown option");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void theContentOfAFileIsNeverTheUser(@TempDir Path directory) throws Exception {
    Path key = Files.writeString(directory.resolve("key"), "0123456789abcdef");
    Path file = Files.writeString(directory.resolve("jane"), "john");

    assertThat(run("pseudonym", "--set=privacy.pseudonym-key=${file:" + key + "}", "@" + file))
        .isZero();
    assertThat(run("pseudonym", "--set=privacy.pseudonym-key=${file:" + key + "}", "john"))
        .isZero();

    assertThat(out.toString().lines().distinct()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "forget --yes --help, 2",
    "forget --yes --version, 2",
    "forget u --yes --help, 2",
    "forget --help, 0",
    "where --version, 0",
    "where u --help, 2",
    "--help forget u, 2",
    "--version forget u --yes, 2",
    "--help version, 0",
    "help forget, 0",
    "--help, 0"
  })
  void helpInsteadOfWhatWasRequestedIsNoSuccess(String command, int exitCode) {
    assertThat(run(command.split(" ", -1))).isEqualTo(exitCode);

    assertThat(out.toString()).contains("lastfix");
  }

  @ParameterizedTest
  @CsvSource({
    "forget --yes --helpful, --helpful",
    "forget --yess u, --yess",
    "where u --jsn, --jsn",
    "history --limt=secret u, --limt",
    "where u -p secret, -p",
    "at --jsn 1-1-1-1, --jsn"
  })
  void anUnknownOptionIsNoIdButNamesTheRemedy(String command, String option) {
    assertThat(run(command.split(" ", -1))).isEqualTo(2);

    assertThat(err.toString())
        .contains("unknown option: " + option + "; put -- before a value that begins with --")
        .doesNotContain("secret");
  }

  @Test
  void anUnknownOptionOfLastfixItselfIsNamedWithoutThoseOfItsCommand() {
    assertThat(run("--foo", "where", "u", "--json")).isEqualTo(2);

    assertThat(err.toString().strip())
        .isEqualTo("lastfix: unknown option: --foo (see lastfix --help)");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "up --no-gateway --no-console --timeout x, Invalid value for option '--timeout'",
        "stays --user --jsn --limit 0, --limit: expected 1 or more",
        "history json --limit 0, --limit: expected 1 or more"
      })
  void aNegatedOptionAndTheValueOfAnOptionAreNoUnknownOptions(String command, String message) {
    assertThat(run(command.split(" ", -1))).isEqualTo(2);

    assertThat(err.toString()).contains(message);
  }
}
