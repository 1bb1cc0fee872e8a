package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Holds {@code docs/reference/exit-codes.md} to the exit codes that the commands list. */
class ExitCodesPageTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "exit-codes.md");
  private static final Pattern NAME = Pattern.compile("`([a-z -]+)`");

  @ParameterizedTest
  @ValueSource(strings = {"3", "4"})
  void theRowOfACodeNamesEachCommandThatHasIt(String code) throws IOException {
    Set<String> commands = new TreeSet<>();
    collect(Lastfix.commandLine(), code, commands);
    Matcher row =
        Pattern.compile("(?m)^\\| " + code + " \\| (.*) \\|$").matcher(Files.readString(PAGE));
    assertThat(row.find()).as("a row of %s", code).isTrue();
    Set<String> named = new TreeSet<>();
    NAME.matcher(row.group(1)).results().forEach(name -> named.add(name.group(1)));

    assertThat(commands).isNotEmpty();
    assertThat(named).containsAll(commands);
  }

  private static void collect(CommandLine command, String code, Set<String> commands) {
    Map<String, String> codes = command.getCommandSpec().usageMessage().exitCodeList();
    if (codes != null && codes.containsKey(code)) {
      commands.add(command.getCommandName());
    }
    command.getSubcommands().values().forEach(it -> collect(it, code, commands));
  }
}
