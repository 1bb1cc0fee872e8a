package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Holds {@code docs/reference/exit-codes.md} to the exit codes that the commands list. */
class ExitCodesPageTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "exit-codes.md");
  private static final Pattern NAME = Pattern.compile("`([a-z -]+)`");

  /** What 1 means for any command. */
  private static final String FAILED = "failed";

  /** Their servers run with {@code -XX:+ExitOnOutOfMemoryError}: Java ends them with 3. */
  private static final Set<String> ENDED_BY_JAVA = Set.of("gateway run", "console");

  @ParameterizedTest
  @ValueSource(strings = {"3", "4"})
  void theRowOfACodeNamesTheCommandsThatHaveIt(String code) throws IOException {
    Set<String> commands = new TreeSet<>();
    collect(Lastfix.commandLine(), code, commands);
    assertThat(commands).isNotEmpty();
    if (code.equals("3")) {
      commands.addAll(ENDED_BY_JAVA);
    }
    Matcher row =
        Pattern.compile("(?m)^\\| " + code + " \\| (.*) \\|$").matcher(Files.readString(PAGE));
    assertThat(row.find()).as("a row of %s", code).isTrue();

    assertThat(NAME.matcher(row.group(1)).results().map(name -> name.group(1)))
        .containsExactlyInAnyOrderElementsOf(commands);
  }

  @Test
  void eachCommandWithAMeaningOfItsOwnFor1HasARow() throws IOException {
    Set<String> commands = new TreeSet<>();
    collect(Lastfix.commandLine(), "1", commands);
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

  private static void collect(CommandLine command, String code, Set<String> commands) {
    Map<String, String> codes = command.getCommandSpec().usageMessage().exitCodeList();
    if (codes != null && !codes.getOrDefault(code, FAILED).equals(FAILED)) {
      commands.add(command.getCommandName());
    }
    command.getSubcommands().values().forEach(it -> collect(it, code, commands));
  }
}
