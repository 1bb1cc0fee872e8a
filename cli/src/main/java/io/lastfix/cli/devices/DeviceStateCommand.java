package io.lastfix.cli.devices;

import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DeviceState;
import io.lastfix.operate.devices.DeviceEntry;
import io.lastfix.operate.devices.DevicesStore;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Parameters;

/** The base class of the commands that decide about a device. */
abstract class DeviceStateCommand extends DevicesTopicCommand {
  @Parameters(paramLabel = "DEVICE", description = "Id of the device.")
  private DeviceId device;

  abstract DeviceState decide(DeviceState state);

  abstract String words(DeviceState state);

  @Override
  final void run(DevicesStore store) throws IOException {
    DeviceState state = store.decide(device, this::decide);
    print(DeviceEntry.of(store.snapshot(), device), List.of(words(state)));
  }
}
