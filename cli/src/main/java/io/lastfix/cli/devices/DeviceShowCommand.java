package io.lastfix.cli.devices;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.Manifest;
import io.lastfix.model.device.Presence;
import io.lastfix.operate.devices.DeviceEntry;
import io.lastfix.operate.devices.PresenceEntry;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
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
  void run(Session session) throws IOException {
    DeviceEntry entry = DeviceEntry.of(session.snapshot(), device);
    Optional<Presence> presence = presence(device);
    if (isJson()) {
      Manifest manifest = session.snapshot().manifest(device);
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("device", entry);
      if (manifest != null) {
        result.put("manifest", new ObjectMapper().readTree(manifest.json()));
      }
      presence.ifPresent(found -> result.put("presence", PresenceEntry.of(found)));
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
                    .map(PresenceEntry::of)
                    .map(
                        found ->
                            "%s since %s, seen %s"
                                .formatted(found.state(), found.since(), found.seen()))
                    .orElse("unknown"));
  }
}
