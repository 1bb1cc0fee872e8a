package io.lastfix.cli.catalog;

import io.lastfix.cli.common.HelpPage;
import picocli.CommandLine.Command;

/** {@code lastfix catalog}: the group of commands on the cell catalogue. */
@Command(
    name = "catalog",
    mixinStandardHelpOptions = true,
    subcommands = CatalogImportCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Manages the cell catalogue.",
    footer = "  lastfix catalog import config/sample/san-francisco-cells.csv.gz")
public final class CatalogCommand extends HelpPage {}
