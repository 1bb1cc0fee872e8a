package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
    Set<String> commands =
        HelpPagesTest.all(Lastfix.commandLine())
            .map(CommandLine::getCommandSpec)
            .filter(command -> command.usageMessage().exitCodeList().containsKey(code))
            .map(command -> command.qualifiedName().substring("lastfix ".length()))
            .collect(Collectors.toSet());
    Matcher row =
        Pattern.compile("(?m)^\\| " + code + " \\| (.*) \\|$").matcher(Files.readString(PAGE));
    assertThat(row.find()).as("a row of %s", code).isTrue();
    Set<String> named =
        NAME.matcher(row.group(1)).results().map(it -> it.group(1)).collect(Collectors.toSet());

    assertThat(commands).isNotEmpty();
    assertThat(named).isEqualTo(commands);
  }
}
