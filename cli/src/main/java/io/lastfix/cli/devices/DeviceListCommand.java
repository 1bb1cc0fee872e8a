package io.lastfix.cli.devices;

import io.lastfix.cli.output.Table;
import io.lastfix.operate.devices.DeviceEntry;
import io.lastfix.operate.devices.DevicesStore;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lastfix device list}: lists the registered devices. */
@Command(
    name = "list",
    description = "Lists the registered devices, by id.",
    footer = "  lastfix device list --group fleet-a --disabled")
public final class DeviceListCommand extends DevicesTopicCommand {
  @Option(names = "--group", paramLabel = "GROUP", description = "Only those of this group.")
  private Optional<String> group = Optional.empty();

  @Option(names = "--class", paramLabel = "CLASS", description = "Only those of this class.")
  private Optional<String> deviceClass = Optional.empty();

  @Option(names = "--disabled", description = "Only those that are disabled.")
  private boolean disabled;

  @Override
  void run(DevicesStore store) {
    List<DeviceEntry> entries =
        store.snapshot().devices().keySet().stream()
            .map(id -> DeviceEntry.of(store.snapshot(), id))
            .filter(entry -> group.map(entry.group()::equals).orElse(true))
            .filter(entry -> deviceClass.map(entry.deviceClass()::equals).orElse(true))
            .filter(entry -> entry.disabled() || !disabled)
            .toList();
    Table table = new Table("DEVICE", "GROUP", "CLASS", "GENERATION", "STATE", "REGISTERED");
    for (DeviceEntry entry : entries) {
      table.row(
          entry.device(),
          entry.group(),
          entry.deviceClass(),
          entry.generation(),
          entry.disabled() ? "disabled" : "enabled",
          entry.registered());
    }
    print(entries, List.of(table));
  }
}
