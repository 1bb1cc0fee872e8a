package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Holds {@code docs/reference/exit-codes.md} to the exit codes that the commands list. */
class ExitCodesPageTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "exit-codes.md");
  private static final Pattern NAME = Pattern.compile("`([a-z -]+)`");

  /** What 1 means for any command. */
  private static final String FAILED = "failed";

  /** What 2 means for any command. */
  private static final String WRONG_USAGE = "wrong usage";

  /** What 0 means for a command that SIGTERM does not cut off. */
  private static final String STOPPED = "stopped in order";

  @ParameterizedTest
  @ValueSource(strings = {"3", "4"})
  void theRowOfACodeNamesEachCommandThatHasIt(String code) throws IOException {
    Set<String> commands = named(command -> codes(command).containsKey(code));

    assertThat(commands).isNotEmpty();
    assertThat(namesIn(row(code))).isEqualTo(commands);
  }

  @Test
  void theRowOf2NamesEachCommandThatHasAFurtherMeaningOfIt() throws IOException {
    Set<String> commands = named(command -> !codes(command).get("2").equals(WRONG_USAGE));

    assertThat(commands).isNotEmpty();
    assertThat(namesIn(row("2"))).isEqualTo(commands);
  }

  @Test
  void theRowOf143NamesWhatSigtermEndsAndThenWhatItStopsInOrder() throws IOException {
    Set<String> ended = named(command -> codes(command).containsKey("143"));
    Set<String> stopped = named(command -> codes(command).get("0").equals(STOPPED));
    String[] parts = row("143").split("; ", -1);

    assertThat(ended).isNotEmpty();
    assertThat(stopped).isNotEmpty();
    assertThat(parts).hasSize(2);
    assertThat(namesIn(parts[0])).isEqualTo(ended);
    assertThat(namesIn(parts[1])).isEqualTo(stopped);
  }

  private static String row(String code) throws IOException {
    Matcher row =
        Pattern.compile("(?m)^\\| " + code + " \\| (.*) \\|$").matcher(Files.readString(PAGE));
    assertThat(row.find()).as("a row of %s", code).isTrue();
    return row.group(1);
  }

  private static Set<String> namesIn(String text) {
    return NAME.matcher(text).results().map(it -> it.group(1)).collect(Collectors.toSet());
  }

  private static Map<String, String> codes(CommandSpec command) {
    return command.usageMessage().exitCodeList();
  }

  @Test
  void eachCommandWithAMeaningOfItsOwnFor1HasARow() throws IOException {
    Set<String> commands = named(command -> !codes(command).get("1").equals(FAILED));
    String table =
        Files.readString(PAGE)
            .split("These commands also exit with 1:\n\n", -1)[1]
            .split("\n\n", -1)[0];
    List<String> named =
        Pattern.compile("(?m)^\\| `([a-z -]+)` \\|")
            .matcher(table)
            .results()
            .map(row -> row.group(1))
            .toList();

    assertThat(commands).isNotEmpty();
    assertThat(named)
        .containsAll(commands)
        .allSatisfy(
            name -> {
              CommandLine command = Lastfix.commandLine();
              for (String part : name.split(" ", -1)) {
                command = command.getSubcommands().get(part);
                assertThat(command).as(name).isNotNull();
              }
            });
  }

  private static Set<String> named(Predicate<CommandSpec> wanted) {
    return HelpPagesTest.all(Lastfix.commandLine())
        .map(CommandLine::getCommandSpec)
        .filter(command -> !command.qualifiedName().equals("lastfix"))
        .filter(wanted)
        .map(command -> command.qualifiedName().substring("lastfix ".length()))
        .collect(Collectors.toSet());
  }
}
