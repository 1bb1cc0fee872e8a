package io.lastfix.cli.catalog;

import picocli.CommandLine.Command;

/** {@code lastfix catalog}: the group of commands on the cell catalogue. */
@Command(
    name = "catalog",
    mixinStandardHelpOptions = true,
    subcommands = CatalogImportCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Manages the cell catalogue.")
public final class CatalogCommand {}
