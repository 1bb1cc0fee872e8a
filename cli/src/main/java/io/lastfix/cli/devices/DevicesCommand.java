package io.lastfix.cli.devices;

import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.common.QueryAccess;
import io.lastfix.cli.output.Table;
import io.lastfix.model.device.Presence;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.devices.PresenceEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix devices}: lists which devices are there. */
@Command(
    name = "devices",
    description = {
      "Lists the devices that ever gave a sign of life, by id: who is there, and who fell silent.",
      "The devices job keeps that up to date: lastfix submit devices."
    },
    footer = "  lastfix devices --offline")
public final class DevicesCommand extends JsonCommand {
  @Option(names = "--offline", description = "Only those that are silent.")
  private boolean offline;

  @Option(names = "--class", paramLabel = "CLASS", description = "Only those of this class.")
  private @Nullable String deviceClass;

  @Mixin private final QueryAccess access = new QueryAccess();

  @Override
  public Integer call() throws IOException {
    List<PresenceEntry> entries = new ArrayList<>();
    try (QuerySession session = access.open()) {
      session
          .presence()
          .read(
              offline ? Presence.State.OFFLINE : null,
              deviceClass,
              presence -> entries.add(PresenceEntry.of(presence)));
    }
    Table table = new Table("DEVICE", "STATE", "SINCE", "SEEN", "CLASS", "SDK");
    for (PresenceEntry entry : entries) {
      table.row(
          entry.device(),
          entry.state(),
          entry.since(),
          entry.seen(),
          entry.deviceClass(),
          entry.sdk());
    }
    print(entries, List.of(table));
    if (entries.isEmpty() && !offline && deviceClass == null) {
      say(
          "No device is known. The devices job keeps this list: lastfix status shows whether it"
              + " runs, lastfix submit devices starts it");
    }
    return 0;
  }
}
