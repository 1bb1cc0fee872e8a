package io.lastfix.presence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

    /** Since when gateways could hear it, and for how long it may be silent then. */
    long start;

    long rest;
    long bytes;
  }

  /** A change that no sign of life caused is only made once all partitions have reached it. */
  private record Change(String text, long millis, boolean isOfSign) {}

  private final PresenceOptions options;

  /** By device, its changes. */
  final Map<String, List<String>> changes = new TreeMap<>();

  private final Map<String, List<Change>> found = new TreeMap<>();

  /** By device, its bytes, where all times are of one day, and no device is forgotten. */
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
    partitions.forEach(this::read);
    found.forEach(
        (device, all) -> {
          int size = all.size();
          while (!all.get(size - 1).isOfSign() && all.get(size - 1).millis() > end) {
            size--;
          }
          changes.put(device, all.subList(0, size).stream().map(Change::text).toList());
        });
  }

  private void read(List<Entry> entries) {
    Map<String, Known> devices = new TreeMap<>();
    long before = Long.MIN_VALUE;
    for (Entry entry : entries) {
      long now = Math.max(before, entry.appendMillis());
      if (before != Long.MIN_VALUE && now - before > options.longestSilence().toMillis()) {
        endSilence(devices, before, now);
      }
      fallSilent(devices, now - 1);
      before = now;
      if (entry.device() != null) {
        live(devices.computeIfAbsent(entry.device(), device -> new Known()), entry, now);
      }
    }
    fallSilent(devices, before - 1);
    devices.forEach((device, known) -> bytes.put(device, known.bytes));
  }

  /** Nobody's time has passed during an outage; it starts anew, but is twice as long at most. */
  private void endSilence(Map<String, Known> devices, long from, long to) {
    fallSilent(devices, from);
    devices.values().stream()
        .filter(known -> known.online)
        .forEach(
            known -> {
              known.rest -= from - known.start;
              known.start = to;
              known.deadline = to + Math.min(known.patience, known.rest);
            });
  }

  /** A device that is silent is forgotten some time after its deadline. */
  private void fallSilent(Map<String, Known> devices, long until) {
    for (String device : List.copyOf(devices.keySet())) {
      Known known = devices.get(device);
      if (known.online && known.deadline <= until) {
        known.online = false;
        change(device, "offline", known.deadline, false);
      }
      Duration forgetAfter = options.forgetAfter();
      if (!known.online && forgetAfter != null) {
        long forgetMillis = known.deadline + forgetAfter.toMillis();
        if (forgetMillis <= until) {
          devices.remove(device);
          change(device, "forgotten", forgetMillis, false);
        }
      }
    }
  }

  private void live(Known known, Entry entry, long now) {
    if (!known.online) {
      known.online = true;
      change(entry.device(), "online", now, true);
    }
    if (entry.intervalSeconds() > 0) {
      known.patience = 3_000L * entry.intervalSeconds();
    } else if (known.patience == 0) {
      known.patience = 3 * options.defaultInterval().toMillis();
    }
    known.start = now;
    known.rest = 2 * known.patience;
    known.deadline = now + known.patience;
    known.bytes += entry.bytes();
  }

  private void change(String device, String state, long millis, boolean isOfSign) {
    found
        .computeIfAbsent(device, key -> new ArrayList<>())
        .add(new Change(state + "@" + millis, millis, isOfSign));
  }
}
