package io.lastfix.cli.devices;

import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DeviceState;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.operate.devices.DeviceEntry;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** The base class of the commands that decide about a device. */
abstract class DeviceStateCommand extends DevicesTopicCommand {
  @Parameters(
      paramLabel = "DEVICE",
      description = "Id of the device.",
      converter = DeviceArgument.class)
  private @Nullable DeviceId device;

  abstract DeviceState decide(DeviceState state);

  abstract String words(DeviceState state);

  @Override
  final void run(Session session) throws IOException {
    DeviceId id = Objects.requireNonNull(device);
    // Fails for an unknown one.
    session.snapshot().device(id);
    if (!session.snapshot().isStateReadable(id)) {
      throw new IllegalStateException(
          "the newest decision about device %s cannot be read, and this command could undo it: use the lastfix of the release that wrote it"
              .formatted(id));
    }
    DeviceState before = session.snapshot().state(id);
    DeviceState state = decide(before);
    if (!state.equals(before)) {
      DevicesMessage.OfState message = session.snapshot().decision(id, state, Instant.now());
      session.write(message);
      session.snapshot().add(message);
    }
    print(DeviceEntry.of(session.snapshot(), id), List.of(words(state)));
  }
}
