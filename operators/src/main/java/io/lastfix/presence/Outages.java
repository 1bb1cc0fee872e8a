package io.lastfix.presence;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The outages of each partition that may still move a deadline. A device's time starts anew with
 * the end of an outage that began before its time had passed.
 */
final class Outages {
  /** By partition, by start. */
  private final Map<Integer, TreeMap<Long, Outage>> byPartition = new TreeMap<>();

  /** Adds an outage; another time changes nothing. */
  void add(Outage outage) {
    byPartition
        .computeIfAbsent(outage.partition(), partition -> new TreeMap<>())
        .put(outage.fromMillis(), outage);
  }

  /** Removes those that ended before. */
  void removeEndedBefore(long millis) {
    for (TreeMap<Long, Outage> outages : byPartition.values()) {
      outages.values().removeIf(outage -> outage.toMillis() < millis);
    }
  }

  /**
   * Returns when a device's time has passed, unless it gives another sign of life until then.
   *
   * @param seenMillis its last sign of life
   * @param patienceMillis its time
   */
  long deadline(int partition, long seenMillis, long patienceMillis) {
    long deadline = seenMillis + patienceMillis;
    TreeMap<Long, Outage> outages = byPartition.get(partition);
    if (outages != null) {
      for (Outage outage : outages.tailMap(seenMillis, true).values()) {
        if (outage.fromMillis() >= deadline) {
          break;
        }
        deadline = outage.toMillis() + patienceMillis;
      }
    }
    return deadline;
  }

  List<Outage> all() {
    List<Outage> all = new ArrayList<>();
    byPartition.values().forEach(outages -> all.addAll(outages.values()));
    return all;
  }
}
