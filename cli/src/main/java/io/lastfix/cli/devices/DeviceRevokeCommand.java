package io.lastfix.cli.devices;

import io.lastfix.gateway.devices.DeviceState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lastfix device revoke}: locks a device out. */
@Command(
    name = "revoke",
    description = "Disables a device: gateways refuse its requests and registrations with 403.",
    footer = "  lastfix device revoke 00112233445566778899aabbccddeeff")
public final class DeviceRevokeCommand extends DeviceStateCommand {
  @Option(names = "--undo", description = "Enable it again; its secret is valid as before.")
  private boolean undo;

  @Override
  DeviceState decide(DeviceState state) {
    return state.withDisabled(!undo);
  }

  @Override
  String words(DeviceState state) {
    return state.disabled() ? "The device is disabled" : "The device is enabled";
  }
}
