package io.lastfix.cli.devices;

import io.lastfix.cli.output.Table;
import io.lastfix.operate.devices.DevicesStore;
import io.lastfix.operate.devices.GroupEntry;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code lastfix group list}: lists the groups. */
@Command(
    name = "list",
    description = {
      "Lists the groups of devices, by name, with the keys whose secrets are valid.",
      "Of tokens only the hashes are stored: their number is shown."
    },
    footer = "  lastfix group list")
public final class GroupListCommand extends DevicesTopicCommand {
  @Override
  void run(DevicesStore store) {
    List<GroupEntry> entries = GroupEntry.all(store.snapshot());
    Table table = new Table("GROUP", "KEYS", "TOKENS", "DEVICES", "SPEAKS FOR", "CREATED");
    for (GroupEntry entry : entries) {
      table.row(
          entry.group(),
          String.join(",", entry.keys()),
          entry.tokens(),
          entry.devices(),
          entry.speaksFor().isEmpty() ? null : String.join(",", entry.speaksFor()),
          entry.created());
    }
    print(entries, List.of(table));
  }
}
