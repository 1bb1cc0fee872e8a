package io.lastfix.cli.rules;

import io.lastfix.cli.common.HelpPage;
import picocli.CommandLine.Command;

/** {@code lastfix rule}: the group of commands on rules. */
@Command(
    name = "rule",
    mixinStandardHelpOptions = true,
    subcommands = {
      RulePutCommand.class,
      RuleListCommand.class,
      RuleShowCommand.class,
      RulePauseCommand.class,
      RuleDeleteCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    description = "Manages rules. This release stores and checks them; no job evaluates them yet.",
    footer = "  lastfix rule list")
public final class RuleCommand extends HelpPage {}
