package io.lastfix.cli.devices;

import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DeviceState;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.operate.devices.DeviceEntry;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Parameters;

/** The base class of the commands that decide about a device. */
abstract class DeviceStateCommand extends DevicesTopicCommand {
  @Parameters(
      paramLabel = "DEVICE",
      description = "Id of the device.",
      converter = DeviceArgument.class)
  private DeviceId device;

  abstract DeviceState decide(DeviceState state);

  abstract String words(DeviceState state);

  @Override
  final void run(Session session) throws IOException {
    // Fails for an unknown one.
    session.snapshot().device(device);
    if (!session.snapshot().isStateReadable(device)) {
      throw new IllegalStateException(
          "the newest decision about device %s cannot be read, and this command could undo it: use the lastfix of the release that wrote it"
              .formatted(device));
    }
    DeviceState before = session.snapshot().state(device);
    DeviceState state = decide(before);
    if (!state.equals(before)) {
      DevicesMessage.OfState message = session.snapshot().decision(device, state, Instant.now());
      session.write(message);
      session.snapshot().add(message);
    }
    print(DeviceEntry.of(session.snapshot(), device), List.of(words(state)));
  }
}
