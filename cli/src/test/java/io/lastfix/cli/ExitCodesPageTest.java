package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  @ParameterizedTest
  @ValueSource(strings = {"3", "4"})
  void theRowOfACodeNamesEachCommandThatHasIt(String code) throws IOException {
    Set<String> commands =
        named(command -> command.usageMessage().exitCodeList().containsKey(code));
    Matcher row =
        Pattern.compile("(?m)^\\| " + code + " \\| (.*) \\|$").matcher(Files.readString(PAGE));
    assertThat(row.find()).as("a row of %s", code).isTrue();
    Set<String> named =
        NAME.matcher(row.group(1)).results().map(it -> it.group(1)).collect(Collectors.toSet());

    assertThat(commands).isNotEmpty();
    assertThat(named).isEqualTo(commands);
  }

  @Test
  void eachCommandWithAMeaningOfItsOwnFor1HasARow() throws IOException {
    Set<String> commands =
        named(command -> !command.usageMessage().exitCodeList().get("1").equals(FAILED));
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
