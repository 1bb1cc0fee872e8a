package io.lastfix.cli.devices;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.Manifest;
import io.lastfix.operate.devices.DeviceEntry;
import io.lastfix.operate.devices.DevicesStore;
import io.lastfix.operate.devices.PresenceEntry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix device show}: shows one device. */
@Command(
    name = "show",
    description = {
      "Shows a device, and whether it is there; with --json its manifest, too.",
      "Presence comes from MongoDB, if its address is known."
    },
    footer = "  lastfix device show 00112233445566778899aabbccddeeff")
public final class DeviceShowCommand extends DevicesTopicCommand {
  @Parameters(paramLabel = "DEVICE", description = "Id of the device.")
  private DeviceId device;

  @Override
  void run(DevicesStore store) throws IOException {
    DeviceEntry entry = DeviceEntry.of(store.snapshot(), device);
    Optional<PresenceEntry> presence =
        PresenceEntry.find(options.settings(), options.servers(), entry.device());
    ObjectNode result = emptyObject().putPOJO("device", entry);
    Manifest manifest = store.snapshot().manifest(device);
    if (manifest != null) {
      result.set("manifest", new ObjectMapper().readTree(manifest.json()));
    }
    presence.ifPresent(found -> result.putPOJO("presence", found));
    print(
        result,
        List.of(
            "device      " + entry.device(),
            "group       " + entry.group(),
            "uuid        " + entry.uuid(),
            "class       " + entry.deviceClass(),
            "manifest    " + (entry.manifest() == null ? "none" : entry.manifest()),
            "generation  " + entry.generation(),
            "state       " + (entry.disabled() ? "disabled" : "enabled"),
            "registered  " + entry.registered(),
            "presence    "
                + presence
                    .map(
                        found ->
                            "%s since %s, seen %s"
                                .formatted(found.state(), found.since(), found.seen()))
                    .orElse("unknown")));
  }
}
