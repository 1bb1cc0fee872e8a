package io.lastfix.cli.rules;

import io.lastfix.cli.common.GroupPage;
import picocli.CommandLine.Command;

/** {@code lastfix rule}: the group of commands on rules. */
@Command(
    name = "rule",
    subcommands = {
      RuleTestCommand.class,
      RulePutCommand.class,
      RuleListCommand.class,
      RuleShowCommand.class,
      RulePauseCommand.class,
      RuleDeleteCommand.class,
      RuleReplayCommand.class
    },
    description = "Manages rules over the records of users.",
    footer = "  lastfix rule list")
public final class RuleCommand extends GroupPage {}
