package io.lastfix.presence;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Presence by going through each partition once, message by message, with neither watermarks nor
 * timers: what the job must agree with.
 */
final class PresenceOracle {
  /**
   * A message.
   *
   * @param device null: a tick
   * @param intervalSeconds 0: a record
   */
  record Entry(String device, long appendMillis, int intervalSeconds, int bytes) {}

  private static final class Known {
    boolean online;
    long patience;
    long deadline;
    long bytes;
  }

  private final PresenceOptions options;

  /** By device, its changes. */
  final Map<String, List<String>> changes = new TreeMap<>();

  /** By device, its bytes, where all times are of one day. */
  final Map<String, Long> bytes = new TreeMap<>();

  PresenceOracle(PresenceOptions options, List<List<Entry>> partitions) {
    this.options = options;
    long end =
        partitions.stream()
                .mapToLong(
                    entries -> entries.stream().mapToLong(Entry::appendMillis).max().orElseThrow())
                .min()
                .orElseThrow()
            - 1;
    for (List<Entry> entries : partitions) {
      read(entries, end);
    }
  }

  private void read(List<Entry> entries, long end) {
    Map<String, Known> devices = new TreeMap<>();
    long before = Long.MIN_VALUE;
    for (Entry entry : entries) {
      long now = Math.max(before, entry.appendMillis());
      if (before != Long.MIN_VALUE && now - before > options.longestSilence().toMillis()) {
        endSilence(devices, before, now);
      } else {
        fallSilent(devices, now - 1);
      }
      before = now;
      if (entry.device() != null) {
        live(devices.computeIfAbsent(entry.device(), device -> new Known()), entry, now);
      }
    }
    fallSilent(devices, end);
    devices.forEach((device, known) -> bytes.put(device, known.bytes));
    devices.forEach(
        (device, known) -> {
          if (!known.online && known.deadline > end) {
            removeLast(device);
          }
        });
  }

  /** The partition has messages after its deadline, but another one has not: not decided yet. */
  private void removeLast(String device) {
    List<String> all = changes.get(device);
    changes.put(device, all.subList(0, all.size() - 1));
  }

  /** Nobody's time has passed during an outage; it starts anew. */
  private void endSilence(Map<String, Known> devices, long from, long to) {
    fallSilent(devices, from);
    devices.values().stream()
        .filter(known -> known.online)
        .forEach(known -> known.deadline = to + known.patience);
  }

  private void fallSilent(Map<String, Known> devices, long until) {
    devices.forEach(
        (device, known) -> {
          if (known.online && known.deadline <= until) {
            known.online = false;
            change(device, "offline@" + known.deadline);
          }
        });
  }

  private void live(Known known, Entry entry, long now) {
    if (!known.online) {
      known.online = true;
      change(entry.device(), "online@" + now);
    }
    if (entry.intervalSeconds() > 0) {
      known.patience = 3_000L * entry.intervalSeconds();
    } else if (known.patience == 0) {
      known.patience = 3 * options.defaultInterval().toMillis();
    }
    known.deadline = now + known.patience;
    known.bytes += entry.bytes();
  }

  private void change(String device, String change) {
    changes.merge(
        device,
        List.of(change),
        (a, b) -> new ArrayList<>(Stream.concat(a.stream(), b.stream()).toList()));
  }
}
