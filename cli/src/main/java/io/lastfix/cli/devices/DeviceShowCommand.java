package io.lastfix.cli.devices;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.Manifest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix device show}: shows one device. */
@Command(name = "show", description = "Shows a device; with --json its manifest, too.")
public final class DeviceShowCommand extends DevicesTopicCommand {
  @Parameters(
      paramLabel = "DEVICE",
      description = "Id of the device.",
      converter = DeviceArgument.class)
  private @Nullable DeviceId device;

  @Override
  void run(Session session) throws IOException {
    DeviceId id = Objects.requireNonNull(device);
    DeviceEntry entry = DeviceEntry.of(session.snapshot(), id);
    if (isJson()) {
      Manifest manifest = session.snapshot().manifest(id);
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("device", entry);
      if (manifest != null) {
        result.put("manifest", new ObjectMapper().readTree(manifest.json()));
      }
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
  }
}
