package io.lastfix.cli.gateway;

import io.lastfix.cli.common.GroupPage;
import picocli.CommandLine.Command;

/** {@code lastfix gateway}: the group of commands on the gateway. */
@Command(
    name = "gateway",
    subcommands = GatewayRunCommand.class,
    description = "The devices' door: takes records over HTTP and MQTT.",
    footer = "  lastfix gateway run --set http.port=8481")
public final class GatewayCommand extends GroupPage {}
