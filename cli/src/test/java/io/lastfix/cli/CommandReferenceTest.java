package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.analytics.CountsCommand;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.HelpPage;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.QueryAccess;
import io.lastfix.cli.common.SettingsOptions;
import io.lastfix.cli.common.TimeOptions;
import io.lastfix.cli.devices.GroupListCommand;
import io.lastfix.cli.job.HistoryJobCommand;
import io.lastfix.cli.output.FormOptions;
import io.lastfix.cli.plot.PlotOption;
import io.lastfix.cli.query.WhereCommand;
import io.lastfix.cli.rules.AlertsCommand;
import java.io.IOException;
import java.lang.reflect.Member;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Compares {@code docs/reference/commands.md} with what the commands print for {@code --help}. With
 * {@code -Dlastfix.reference=write} it writes the page.
 */
class CommandReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "commands.md");
  private static final int WIDTH = 100;

  private static final Map<String, String> USUAL_CODES =
      CommandSpec.forAnnotatedObject(new HelpPage() {}).usageMessage().exitCodeList();

  /** Options that many commands have, which the page describes once. */
  private static final List<Shared> SHARED =
      List.of(
          new Shared("Help", LastfixCommand.class),
          new Shared("JSON", JsonCommand.class),
          new Shared("Forms", FormOptions.class),
          new Shared("Times", TimeOptions.class),
          new Shared("Queries", QueryAccess.class),
          new Shared("Explain", WhereCommand.class.getSuperclass()),
          new Shared("Numbers", CountsCommand.class.getSuperclass()),
          new Shared("Plots", PlotOption.class),
          new Shared("Alerts", AlertsCommand.class.getSuperclass()),
          new Shared("Devices", GroupListCommand.class.getSuperclass()),
          new Shared("Batch jobs", HistoryJobCommand.class),
          new Shared("Servers", EndpointOptions.class),
          new Shared("Configuration", SettingsOptions.class));

  /**
   * A group of options.
   *
   * @param name its title on the page
   * @param declaring the class that declares them for all commands
   */
  private record Shared(String name, Class<?> declaring) {
    boolean has(ArgSpec argument) {
      // A class of options may declare some in a nested one.
      return declaring == ((Member) argument.userObject()).getDeclaringClass().getNestHost();
    }
  }

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

            What each command prints for `--help`, but for what many commands have. Their options are
            described [once](#shared-options): each command names those that it has besides
            [Help](#help). A command without exit codes here has 0 (done), 1 (failed) and 2 (wrong
            usage). `CommandReferenceTest` (module `cli`) writes this page:

                mvn -pl cli -am test -Dtest=CommandReferenceTest \\
                    -Dsurefire.failIfNoSpecifiedTests=false -Dlastfix.reference=write

            ## Shared options
            """);
    List<CommandSpec> commands =
        HelpPagesTest.all(Lastfix.commandLine().setUsageHelpWidth(WIDTH))
            .map(CommandLine::getCommandSpec)
            .toList();
    for (Shared shared : SHARED) {
      append(page.append("\n### ").append(shared.name()).append("\n\n"), options(shared, commands));
    }
    for (CommandSpec command : commands) {
      append(
          page.append("\n## ").append(command.qualifiedName()).append("\n\n"),
          new CommandLine(withoutShared(command)).getUsageMessage(Ansi.OFF).strip() + "\n");
      page.append(command.subcommands().isEmpty() ? "" : "\n");
      // A set, since an alias is another entry.
      for (CommandLine each : new LinkedHashSet<>(command.subcommands().values())) {
        CommandSpec spec = each.getCommandSpec();
        page.append("- ").append(link(spec.name(), spec.qualifiedName())).append(": ");
        page.append(firstSentence(spec)).append('\n');
      }
      appendLinks(
          page,
          "Also",
          SHARED.stream()
              .skip(1)
              .filter(shared -> command.args().stream().anyMatch(shared::has))
              .map(shared -> link(shared.name(), shared.name())));
    }
    return page.toString();
  }

  private static String firstSentence(CommandSpec command) {
    String description = String.join(" ", command.usageMessage().description());
    // Picocli's own command begins with its sign of a new line.
    description = description.replace("%n", "");
    int end = description.indexOf(". ");
    return end < 0 ? description : description.substring(0, end + 1);
  }

  private static void appendLinks(StringBuilder page, String title, Stream<String> links) {
    String line = links.collect(Collectors.joining(", "));
    if (!line.isEmpty()) {
      page.append('\n').append(title).append(": ").append(line).append('\n');
    }
  }

  private static String link(String text, String heading) {
    return "[%s](#%s)".formatted(text, heading.toLowerCase(Locale.ROOT).replace(' ', '-'));
  }

  private static void append(StringBuilder page, String text) {
    page.append("```text\n");
    text.lines().forEach(line -> page.append(line.stripTrailing()).append('\n'));
    page.append("```\n");
  }

  private static String options(Shared shared, List<CommandSpec> commands) {
    CommandSpec options = CommandSpec.create();
    options.usageMessage().width(WIDTH).sortOptions(false);
    commands.stream()
        .map(command -> command.options().stream().filter(shared::has).toList())
        .filter(declared -> !declared.isEmpty())
        .findFirst()
        .orElseThrow()
        .forEach(options::addOption);
    return new Help(options, Help.defaultColorScheme(Ansi.OFF)).optionList();
  }

  private static CommandSpec withoutShared(CommandSpec command) {
    CommandSpec own =
        CommandSpec.create()
            .name(command.qualifiedName())
            .parser(command.parser())
            .usageMessage(command.usageMessage());
    command.args().stream()
        .filter(argument -> argument.group() == null && !isShared(argument))
        .forEach(own::add);
    command.argGroups().stream()
        .filter(group -> group.args().stream().noneMatch(CommandReferenceTest::isShared))
        .forEach(own::addArgGroup);
    command.subcommands().forEach(own::addSubcommand);
    // The page has links instead: each command's own page begins with its description.
    own.usageMessage().commandListHeading("");
    own.usageMessage().sectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST);
    if (own.usageMessage().exitCodeList().equals(USUAL_CODES)) {
      own.usageMessage().exitCodeListHeading("").exitCodeList(Map.of());
    }
    return own;
  }

  private static boolean isShared(ArgSpec argument) {
    return SHARED.stream().anyMatch(shared -> shared.has(argument));
  }
}
