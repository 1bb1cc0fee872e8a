package io.lastfix.cli.partitions;

import io.lastfix.cli.common.HelpPage;
import picocli.CommandLine.Command;

/** {@code lastfix partitions}: the group of commands on History's collections. */
@Command(
    name = "partitions",
    mixinStandardHelpOptions = true,
    subcommands = {
      PartitionsListCommand.class,
      PartitionsCreateCommand.class,
      PartitionsDropCommand.class,
      PartitionsStatsCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    description = "Manages the collections of History, one for each period.",
    footer = "  lastfix partitions list")
public final class PartitionsCommand extends HelpPage {}
