package io.lastfix.cli.devices;

import io.lastfix.cli.common.HelpPage;
import picocli.CommandLine.Command;

/** {@code lastfix device}: the group of commands on devices. */
@Command(
    name = "device",
    mixinStandardHelpOptions = true,
    subcommands = {
      DeviceEnrolCommand.class,
      DeviceRevokeCommand.class,
      DeviceRotateCommand.class,
      DeviceListCommand.class,
      DeviceShowCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    description = "Manages devices and their secrets.",
    footer = "  lastfix device list --group fleet-a")
public final class DeviceCommand extends HelpPage {}
