package io.lastfix.cli.catalog;

import io.lastfix.cli.common.GroupPage;
import picocli.CommandLine.Command;

/** {@code lastfix catalog}: the group of commands on the cell catalogue. */
@Command(
    name = "catalog",
    subcommands = CatalogImportCommand.class,
    description = "Manages the cell catalogue.",
    footer = "  lastfix catalog import config/sample/san-francisco-cells.csv.gz")
public final class CatalogCommand extends GroupPage {}
