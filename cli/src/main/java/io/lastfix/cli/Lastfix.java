package io.lastfix.cli;

import io.lastfix.cli.analytics.AnalyzeCommand;
import io.lastfix.cli.analytics.CountsCommand;
import io.lastfix.cli.analytics.DensityCommand;
import io.lastfix.cli.analytics.FlowsCommand;
import io.lastfix.cli.analytics.StaysCommand;
import io.lastfix.cli.analytics.TripsCommand;
import io.lastfix.cli.audit.AuditCommand;
import io.lastfix.cli.audit.ReplayRejectedCommand;
import io.lastfix.cli.bench.BenchCommand;
import io.lastfix.cli.catalog.CatalogCommand;
import io.lastfix.cli.common.GroupPage;
import io.lastfix.cli.common.HelpPage;
import io.lastfix.cli.common.InstantConverter;
import io.lastfix.cli.common.SecondsConverter;
import io.lastfix.cli.console.ConsoleCommand;
import io.lastfix.cli.devices.DeviceCommand;
import io.lastfix.cli.devices.DevicesCommand;
import io.lastfix.cli.devices.GroupCommand;
import io.lastfix.cli.forget.ForgetCommand;
import io.lastfix.cli.forget.PseudonymCommand;
import io.lastfix.cli.gateway.GatewayCommand;
import io.lastfix.cli.job.DrainCommand;
import io.lastfix.cli.job.RebuildLklCommand;
import io.lastfix.cli.job.RelocateCommand;
import io.lastfix.cli.job.StopCommand;
import io.lastfix.cli.job.SubmitCommand;
import io.lastfix.cli.job.SuperviseCommand;
import io.lastfix.cli.job.UpgradeCommand;
import io.lastfix.cli.local.DemoCommand;
import io.lastfix.cli.local.DownCommand;
import io.lastfix.cli.local.StatusCommand;
import io.lastfix.cli.local.UpCommand;
import io.lastfix.cli.local.VersionCommand;
import io.lastfix.cli.partitions.PartitionsCommand;
import io.lastfix.cli.provision.ProvisionCommand;
import io.lastfix.cli.push.PushCommand;
import io.lastfix.cli.query.AtCommand;
import io.lastfix.cli.query.DuringCommand;
import io.lastfix.cli.query.HistoryCommand;
import io.lastfix.cli.query.NearCommand;
import io.lastfix.cli.query.WhereCommand;
import io.lastfix.cli.query.WithinCommand;
import io.lastfix.cli.rules.AlertsCommand;
import io.lastfix.cli.rules.FenceCommand;
import io.lastfix.cli.rules.NotifyCommand;
import io.lastfix.cli.rules.RuleCommand;
import io.lastfix.cli.size.SizeCommand;
import io.lastfix.cli.sql.SqlCommand;
import io.lastfix.cli.top.TopCommand;
import io.lastfix.cluster.Redaction;
import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.jobs.Jobs;
import io.lastfix.model.CellId;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code lastfix} command. Each subcommand is a class, listed here. Exit codes: 0 done, 1
 * failed, 2 wrong usage.
 */
@Command(
    name = "lastfix",
    description = "Stores the location history and the last known location of every device.",
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      DownCommand.class,
      StatusCommand.class,
      TopCommand.class,
      ProvisionCommand.class,
      PartitionsCommand.class,
      SubmitCommand.class,
      StopCommand.class,
      UpgradeCommand.class,
      SuperviseCommand.class,
      CatalogCommand.class,
      PushCommand.class,
      DrainCommand.class,
      WhereCommand.class,
      HistoryCommand.class,
      NearCommand.class,
      WithinCommand.class,
      AtCommand.class,
      DuringCommand.class,
      CountsCommand.class,
      DensityCommand.class,
      FlowsCommand.class,
      StaysCommand.class,
      TripsCommand.class,
      AnalyzeCommand.class,
      SqlCommand.class,
      ForgetCommand.class,
      PseudonymCommand.class,
      RebuildLklCommand.class,
      RelocateCommand.class,
      AuditCommand.class,
      ReplayRejectedCommand.class,
      ConsoleCommand.class,
      GatewayCommand.class,
      GroupCommand.class,
      DeviceCommand.class,
      DevicesCommand.class,
      FenceCommand.class,
      RuleCommand.class,
      AlertsCommand.class,
      NotifyCommand.class,
      BenchCommand.class,
      SizeCommand.class,
      VersionCommand.class,
      CommandLine.HelpCommand.class
    },
    exitCodeList = {
      "0:done",
      "1:failed",
      "2:wrong usage",
      "3, 4:of some commands: see the help of each"
    },
    footer = "  lastfix demo")
public final class Lastfix extends GroupPage implements Runnable {
  /** What the page of picocli's own command lacks. */
  @Command(footer = "  lastfix help where")
  private static final class PageOfHelp extends HelpPage {}

  @Spec private CommandSpec spec;

  /** Runs one command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    // Before the first logger is created, because Log4j opens its file then.
    System.setProperty(CommandLog.PROPERTY, CommandLog.file(System.getenv()));
    CommandLine commandLine = commandLine();
    StandardOutput output = new StandardOutput();
    commandLine.setOut(utf8(output));
    commandLine.setErr(utf8(System.err));
    // One million is 1,000,000 wherever a command prints it, as in the documentation.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    int code = execute(commandLine, arguments);
    Optional<IOException> unwritten = output.failure();
    unwritten.ifPresent(
        failure -> System.err.println("lastfix: cannot write the output: " + failure.getMessage()));
    System.exit(unwritten.isPresent() ? CommandLine.ExitCode.SOFTWARE : code);
  }

  private static int execute(CommandLine commandLine, String[] arguments) {
    try {
      return commandLine.execute(CommandArguments.asTyped(arguments));
    } catch (IOException e) {
      commandLine.getErr().println("lastfix: " + e.getMessage());
      return CommandLine.ExitCode.USAGE;
    } finally {
      // By themselves, they flush whole lines only.
      commandLine.getOut().flush();
      commandLine.getErr().flush();
    }
  }

  /**
   * In UTF-8 in any locale, and with an error once the reader of a pipe has ended: picocli's own
   * hides that of the stream, so a command that follows something would print for ever.
   */
  private static PrintWriter utf8(OutputStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }

  /**
   * The command with its handling of failures, for a program that runs it in its own JVM. Each one
   * executes one command. The program flushes the writers that it has set.
   *
   * <p>Ids come from devices, so no id may become an option or a file: options begin with two
   * dashes (those of {@code sql} also with one), every other argument is a value, and so is each
   * one after {@code --}.
   */
  public static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Lastfix());
    commandLine.getSubcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(CommandSpec::helpCommand)
        .forEach(help -> help.addMixin("page", CommandSpec.forAnnotatedObject(new PageOfHelp())));
    commandLine.setExecutionExceptionHandler(new FailureHandler());
    commandLine.setParameterExceptionHandler(Lastfix::showUsageFailure);
    commandLine.setExecutionStrategy(Lastfix::runOrHelp);
    commandLine.setExpandAtFiles(false);
    commandLine.setPosixClusteredShortOptionsAllowed(false);
    commandLine.setUnmatchedOptionsArePositionalParams(true);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.registerConverter(Instant.class, new InstantConverter(InstantSource.system()));
    commandLine.registerConverter(Duration.class, new SecondsConverter());
    commandLine.registerConverter(Jobs.Job.class, text -> parsed(text, Jobs::stream, ""));
    commandLine.registerConverter(
        CellId.class, text -> parsed(text, CellId::parse, " in '" + text + "'"));
    commandLine.registerConverter(
        DeviceId.class,
        text ->
            parsed(
                text,
                DeviceId::parse,
                "; lastfix devices shows those that are not registered, too"));
    return commandLine;
  }

  /**
   * Reads an argument.
   *
   * @param remedy behind the parser's own message
   */
  private static <T> T parsed(String text, Function<String, T> parser, String remedy) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage() + remedy);
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private static int runOrHelp(ParseResult parsed) {
    CommandLine command = parsed.asCommandLineList().get(parsed.asCommandLineList().size() - 1);
    Integer helped = CommandLine.executeHelpRequest(parsed);
    if (helped != null) {
      // The command did nothing of what its other arguments request, such as an erasure.
      return parsed.asCommandLineList().stream().anyMatch(Lastfix::hasRequest)
          ? CommandLine.ExitCode.USAGE
          : helped;
    }
    if (!unknownOptions(command, parsed.originalArgs()).isEmpty()) {
      throw new ParameterException(command, "unknown option");
    }
    return new RunLast().execute(parsed);
  }

  /** Whether there are arguments of it beside those that request help. */
  private static boolean hasRequest(CommandLine command) {
    return !command.getCommandSpec().helpCommand()
        && command.getParseResult().matchedArgs().stream()
            .anyMatch(
                argument ->
                    !(argument instanceof OptionSpec option
                        && (option.usageHelp() || option.versionHelp())));
  }

  private static int showUsageFailure(ParameterException failure, String[] arguments) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    List<String> unknown = unknownOptions(command, List.of(arguments));
    if (unknown.isEmpty() && failure instanceof UnmatchedArgumentException unmatched) {
      unknown =
          unmatched.getUnmatched().stream()
              .filter(argument -> argument.startsWith("-"))
              .map(Lastfix::nameOf)
              .toList();
    }
    err.println(name + ": " + explain(failure, unknown) + " (see " + name + " --help)");
    return CommandLine.ExitCode.USAGE;
  }

  /**
   * Explains a usage error without values. Picocli repeats arguments that it does not understand,
   * and the value of an unknown option may be a password.
   */
  private static String explain(ParameterException failure, List<String> unknownOptions) {
    if (unknownOptions.isEmpty()) {
      return Redaction.redact(failure.getMessage());
    }
    boolean takesValues =
        !failure.getCommandLine().getCommandSpec().positionalParameters().isEmpty();
    return "unknown option: "
        + String.join(", ", unknownOptions)
        + (takesValues ? "; put -- before a value that begins with --" : "");
  }

  /** Arguments that begin with two dashes and are neither options nor values of options. */
  private static List<String> unknownOptions(CommandLine command, List<String> arguments) {
    CommandSpec spec = command.getCommandSpec();
    List<String> unknown = new ArrayList<>();
    Iterator<String> rest = arguments.iterator();
    while (rest.hasNext()) {
      String argument = rest.next();
      if (argument.equals(command.getEndOfOptionsDelimiter())
          || spec.subcommands().containsKey(argument)) {
        break;
      }
      String name = nameOf(argument);
      OptionSpec option = spec.optionsMap().get(name);
      if (option == null
          && argument.startsWith("--")
          && !spec.negatedOptionsMap().containsKey(name)) {
        unknown.add(name);
      } else if (option != null
          && option.arity().min() > 0
          && name.equals(argument)
          && rest.hasNext()) {
        rest.next();
      }
    }
    return unknown;
  }

  /** An option without its value. */
  private static String nameOf(String option) {
    return option.replaceFirst("(?s)=.*", "");
  }
}
