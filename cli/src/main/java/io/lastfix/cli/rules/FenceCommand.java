package io.lastfix.cli.rules;

import io.lastfix.cli.common.GroupPage;
import picocli.CommandLine.Command;

/** {@code lastfix fence}: the group of commands on fences. */
@Command(
    name = "fence",
    subcommands = {
      FencePutCommand.class,
      FenceListCommand.class,
      FenceShowCommand.class,
      FenceDeleteCommand.class
    },
    description = "Manages fences, the areas that rules name.",
    footer = "  lastfix fence list")
public final class FenceCommand extends GroupPage {}
