package io.lastfix.cli.devices;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.Manifest;
import io.lastfix.operate.devices.DeviceEntry;
import io.lastfix.operate.devices.DevicesStore;
import io.lastfix.operate.devices.PresenceEntry;
import java.io.IOException;
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
  @Parameters(
      paramLabel = "DEVICE",
      description = "Id of the device.",
      converter = DeviceArgument.class)
  private DeviceId device;

  @Override
  void run(DevicesStore store) throws IOException {
    DeviceEntry entry = DeviceEntry.of(store.snapshot(), device);
    Optional<PresenceEntry> presence =
        PresenceEntry.find(options().settings(), options().servers(), entry.device());
    if (isJson()) {
      Manifest manifest = store.snapshot().manifest(device);
      ObjectNode result = emptyObject().putPOJO("device", entry);
      if (manifest != null) {
        result.set("manifest", new ObjectMapper().readTree(manifest.json()));
      }
      presence.ifPresent(found -> result.putPOJO("presence", found));
      printJson(result);
      return;
    }
    out().println("device      " + entry.device());
    out().println("group       " + entry.group());
    out().println("uuid        " + entry.uuid());
    out().println("class       " + entry.deviceClass());
    out().println("manifest    " + (entry.manifest() == null ? "none" : entry.manifest()));
    out().println("generation  " + entry.generation());
    out().println("state       " + (entry.disabled() ? "disabled" : "enabled"));
    out().println("registered  " + entry.registered());
    out()
        .println(
            "presence    "
                + presence
                    .map(
                        found ->
                            "%s since %s, seen %s"
                                .formatted(found.state(), found.since(), found.seen()))
                    .orElse("unknown"));
  }
}
