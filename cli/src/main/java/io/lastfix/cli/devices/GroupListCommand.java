package io.lastfix.cli.devices;

import io.lastfix.cli.output.Table;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.Group;
import java.time.Instant;
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
  /** A group as it is printed. */
  record Entry(
      String group,
      List<String> keys,
      int tokens,
      long devices,
      List<String> speaksFor,
      Instant created) {
    static List<Entry> all(DevicesSnapshot snapshot) {
      return snapshot.groups().values().stream().map(group -> of(snapshot, group)).toList();
    }

    private static Entry of(DevicesSnapshot snapshot, Group group) {
      return new Entry(
          group.name(),
          group.keys(),
          group.tokens().size(),
          snapshot.devices().values().stream()
              .filter(device -> device.group().equals(group.name()))
              .count(),
          group.speaksFor().list(),
          group.created());
    }
  }

  @Override
  void run(Session session) {
    List<Entry> entries = Entry.all(session.snapshot());
    Table table = new Table("GROUP", "KEYS", "TOKENS", "DEVICES", "SPEAKS FOR", "CREATED");
    for (Entry entry : entries) {
      table.row(
          entry.group(),
          String.join(",", entry.keys()),
          String.valueOf(entry.tokens()),
          String.valueOf(entry.devices()),
          entry.speaksFor().isEmpty() ? "-" : String.join(",", entry.speaksFor()),
          entry.created().toString());
    }
    print(entries, List.of(table));
  }
}
