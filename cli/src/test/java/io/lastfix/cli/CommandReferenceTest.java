package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Compares {@code docs/reference/commands.md} with what the commands print for {@code --help}. With
 * {@code -Dlastfix.reference=write} it writes the page.
 */
class CommandReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "commands.md");
  private static final int WIDTH = 100;

  @Test
  void thePageIsWhatTheCommandsPrint() throws IOException {
    String expected = render();
    if ("write".equals(System.getProperty("lastfix.reference"))) {
      Files.writeString(PAGE, expected);
    }

    assertThat(Files.readString(PAGE))
        .as("after a change of a command, write the page with -Dlastfix.reference=write")
        .isEqualTo(expected);
  }

  private static String render() {
    StringBuilder page =
        new StringBuilder(
            """
            # Commands

            What each command prints for `--help`. `CommandReferenceTest` (module `cli`) writes this
            page:

                mvn -pl cli -am test -Dtest=CommandReferenceTest \\
                    -Dsurefire.failIfNoSpecifiedTests=false -Dlastfix.reference=write
            """);
    append(page, Lastfix.commandLine().setUsageHelpWidth(WIDTH));
    return page.toString();
  }

  private static void append(StringBuilder page, CommandLine command) {
    page.append("\n## ").append(command.getCommandSpec().qualifiedName()).append("\n\n```text\n");
    command
        .getUsageMessage(Ansi.OFF)
        .lines()
        .forEach(line -> page.append(line.stripTrailing()).append('\n'));
    page.append("```\n");
    // A set, since an alias is an entry of its own.
    new LinkedHashSet<>(command.getSubcommands().values())
        .forEach(subcommand -> append(page, subcommand));
  }
}
