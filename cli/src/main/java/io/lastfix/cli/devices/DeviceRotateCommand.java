package io.lastfix.cli.devices;

import io.lastfix.gateway.devices.DeviceState;
import picocli.CommandLine.Command;

/** {@code lastfix device rotate}: replaces a device's secret. */
@Command(
    name = "rotate",
    description = {
      "Replaces a device's secret: gateways refuse the one before at once.",
      "The device gets the new one when it registers again; device enrol prints it, too."
    },
    footer = "  lastfix device rotate 00112233445566778899aabbccddeeff")
public final class DeviceRotateCommand extends DeviceStateCommand {
  @Override
  DeviceState decide(DeviceState state) {
    return state.rotated();
  }

  @Override
  String words(DeviceState state) {
    return "The device's secret is that of generation " + state.generation();
  }
}
