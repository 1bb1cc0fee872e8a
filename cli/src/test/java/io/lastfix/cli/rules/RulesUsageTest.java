package io.lastfix.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastfix.cli.Lastfix;
import io.lastfix.operate.rules.RuleStore;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.RuleTopic;
import io.lastfix.rules.topic.StoredMessage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The messages of {@code rule} and {@code fence} before they query any server. */
class RulesUsageTest {
  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Lastfix.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rule         | rule              | Missing required subcommand",
        "rule put     | rule put          | Missing required parameter: 'FILE'",
        "rule put     | rule put a --wait soon | Invalid value for option '--wait': expected a"
            + " duration such as 10s or 1min, found 'soon'",
        "rule test    | rule test a --limit 0 | --limit: expected 1 to 100000, found 0",
        "rule test    | rule test a --last soon | --last: expected a duration such as 90s, 10m, 2h"
            + " or 7d, up to 366d, found 'soon'",
        "rule replay  | rule replay       | Missing required parameter: 'RULE'",
        "rule show    | rule show         | Missing required parameter: 'RULE'",
        "fence put    | fence put a       | Missing required parameter: 'FILE'",
        "fence put    | fence put A b     | id: expected 1 to 64 of a-z, 0-9 and dashes",
        "fence delete | fence delete      | Missing required parameter: 'FENCE'"
      })
  void whatCannotBeMeantIsRefusedInOneLine(String command, String line, String message) {
    assertThat(run(line.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString().strip())
        .isEqualTo("lastfix %s: %s (see lastfix %s --help)".formatted(command, message, command));
  }

  @ParameterizedTest
  @ValueSource(strings = {"put", "test"})
  void anInvalidRuleIsNamedWithItsPlace(String command) throws IOException {
    Path file =
        file(
            "fast.yaml",
            """
            id: fast
            when: {expr: speeed > 33}
            """);

    assertThat(run("rule", command, file.toString())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith(
            "lastfix rule %s: %s:2:14: undeclared reference to 'speeed'".formatted(command, file));
  }

  @Test
  void anInvalidFenceIsNamedWithItsPlace() throws IOException {
    Path file = file("a.geojson", "{\"type\":\"Point\",\n\"coordinates\":[200,0]}");

    assertThat(run("fence", "put", "a", file.toString(), "--radius", "50")).isEqualTo(1);
    assertThat(err.toString().strip())
        .isEqualTo(
            "lastfix fence put: %s:2:15: lon: expected -180 to 180, found 200.0".formatted(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rule put", "rule test", "fence put a"})
  void aFileThatCannotBeUsedIsNamed(String command) throws IOException {
    Path latin = Files.write(folder.resolve("latin-1"), new byte[] {'#', (byte) 0xe4});

    assertThat(failure(command, Path.of("no.where")))
        .endsWith("cannot read no.where: there is no such file");
    assertThat(failure(command, folder)).contains("cannot read " + folder);
    assertThat(failure(command, latin)).endsWith(latin + ": expected UTF-8");
  }

  @ParameterizedTest
  @CsvSource({"rule put, '64,000'", "rule test, '64,000'", "fence put a, '2,000,000'"})
  void aFileIsReadUpToItsLimit(String command, String bytes) {
    Path endless = Path.of("/dev/zero");
    assumeTrue(Files.exists(endless));

    assertThat(failure(command, endless))
        .endsWith("/dev/zero: expected at most %s bytes".formatted(bytes));
  }

  private String failure(String command, Path file) {
    err.getBuffer().setLength(0);
    assertThat(run((command + " " + file).split(" ", -1))).isEqualTo(1);
    return err.toString().strip();
  }

  /** No command stores such a rule. */
  @Test
  void whatAnotherProgramWroteIsShownWithoutControlCharacters() throws IOException {
    RuleMessage rule =
        new RuleMessage.OfRule(
            "a",
            1,
            new RuleMessage.Content("id: a # \u001b[2J\nwhen: {}\n", "bert", Instant.EPOCH));
    RuleMessage pause = new RuleMessage.OfPause("a", 1, "bert", "\u001b[31mred");
    RuleTopic topic =
        new RuleTopic() {
          @Override
          public Reading read(long from, Consumer<StoredMessage> messages) {
            messages.accept(new StoredMessage(0, rule));
            messages.accept(new StoredMessage(1, pause));
            return new Reading(2, List.of());
          }

          @Override
          public void write(RuleMessage message) {
            throw new UnsupportedOperationException();
          }
        };
    StringWriter out = new StringWriter();
    RuleShowCommand command = new RuleShowCommand();
    var unused =
        new CommandLine(command)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .parseArgs("a");

    assertThat(command.run(new RuleStore(topic, false, "anna", InstantSource.system()))).isZero();

    assertThat(out).hasToString("id: a # \\u001b[2J\nwhen: {}\n");
    assertThat(err).hasToString("The rule a is paused: \\u001b[31mred\n");
  }
}
