package io.lastfix.operate.devices;

import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.Group;
import java.time.Instant;
import java.util.List;

/**
 * A group as it is printed.
 *
 * @param keys the valid ones, the current one first
 * @param tokens how many are valid
 * @param devices how many are registered
 */
public record GroupEntry(
    String group,
    List<String> keys,
    int tokens,
    long devices,
    List<String> speaksFor,
    Instant created) {
  /** Returns the groups, by name. */
  public static List<GroupEntry> all(DevicesSnapshot snapshot) {
    return snapshot.groups().values().stream().map(group -> of(snapshot, group)).toList();
  }

  private static GroupEntry of(DevicesSnapshot snapshot, Group group) {
    return new GroupEntry(
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
