package io.lastfix.cli.gateway;

import picocli.CommandLine.Command;

/** {@code lastfix gateway}: the group of commands on the gateway. */
@Command(
    name = "gateway",
    mixinStandardHelpOptions = true,
    subcommands = GatewayRunCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "The devices' door: takes records over HTTP.")
public final class GatewayCommand {}
