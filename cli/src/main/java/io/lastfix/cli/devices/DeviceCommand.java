package io.lastfix.cli.devices;

import io.lastfix.cli.common.GroupPage;
import picocli.CommandLine.Command;

/** {@code lastfix device}: the group of commands on devices. */
@Command(
    name = "device",
    subcommands = {
      DeviceEnrolCommand.class,
      DeviceRevokeCommand.class,
      DeviceRotateCommand.class,
      DeviceListCommand.class,
      DeviceShowCommand.class
    },
    description = "Manages devices and their secrets.",
    footer = "  lastfix device list --group fleet-a")
public final class DeviceCommand extends GroupPage {}
