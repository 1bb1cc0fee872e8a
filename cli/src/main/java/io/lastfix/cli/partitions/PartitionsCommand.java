package io.lastfix.cli.partitions;

import io.lastfix.cli.common.GroupPage;
import picocli.CommandLine.Command;

/** {@code lastfix partitions}: the group of commands on History's collections. */
@Command(
    name = "partitions",
    subcommands = {
      PartitionsListCommand.class,
      PartitionsCreateCommand.class,
      PartitionsDropCommand.class,
      PartitionsStatsCommand.class
    },
    description = "Manages the collections of History, one for each period.",
    footer = "  lastfix partitions list")
public final class PartitionsCommand extends GroupPage {}
