package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.recipe.PageCommand;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What every command prints for {@code --help}. */
class HelpPagesTest {
  static Stream<Arguments> commands() {
    return all(Lastfix.commandLine())
        .map(command -> Named.of(command.getCommandSpec().qualifiedName(), command))
        .map(Arguments::of);
  }

  /** A command and its subcommands, in the order of the help. */
  static Stream<CommandLine> all(CommandLine command) {
    // An alias is an entry of its own.
    return Stream.concat(
        Stream.of(command),
        command.getSubcommands().values().stream().distinct().flatMap(HelpPagesTest::all));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void hasTheExitCodes(CommandLine command) {
    assertThat(command.getCommandSpec().usageMessage().exitCodeList()).containsKeys("0", "1", "2");
    assertThat(command.getUsageMessage(Ansi.OFF)).contains("\nExit codes:\n  0 ");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void hasAnExampleOfTheCommandInOneLine(CommandLine command) {
    assertThat(command.getUsageMessage(Ansi.OFF))
        .contains("\nExample:\n" + example(command) + "\n");
    assertThat(example(command)).startsWith("  " + command.getCommandSpec().qualifiedName());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void hasAnExampleThatTheCommandUnderstands(CommandLine command) {
    assertUnderstood(PageCommand.arguments(example(command)));
  }

  /** Parses arguments, and runs nothing. */
  static void assertUnderstood(List<String> arguments) {
    List<CommandLine> parsed =
        Lastfix.commandLine().parseArgs(arguments.toArray(String[]::new)).asCommandLineList();

    assertThat(parsed.get(parsed.size() - 1).getParseResult().matchedPositionals())
        .as("an unknown option is a value for the parser")
        .flatMap(positional -> positional.originalStringValues())
        .noneMatch(value -> value.startsWith("-"));
  }

  /** The first line of the footer. */
  private static String example(CommandLine command) {
    UsageMessageSpec help = command.getCommandSpec().usageMessage();
    assertThat(help.footer()).isNotEmpty();
    return help.footer()[0];
  }
}
