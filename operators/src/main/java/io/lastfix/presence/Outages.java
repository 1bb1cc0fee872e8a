package io.lastfix.presence;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The outages of each partition that may still move a deadline. A device's time starts anew with
 * the end of an outage that began before its time had passed. But it has {@link #MOST_TIMES} its
 * time at most, not counting outages: otherwise a silent device with a long interval would stay
 * online as long as a gateway restarts now and then.
 */
final class Outages {
  /**
   * How many times its time a device may be silent while gateways could hear it. After that it is
   * offline, whatever outages there were.
   */
  static final int MOST_TIMES = 2;

  /** By partition, by start. */
  private final Map<Integer, TreeMap<Long, Outage>> byPartition = new TreeMap<>();

  /** Adds an outage; another time changes nothing. */
  void add(Outage outage) {
    byPartition
        .computeIfAbsent(outage.partition(), partition -> new TreeMap<>())
        .put(outage.fromMillis(), outage);
  }

  /**
   * Removes those that move no deadline after an instant: since then gateways could hear for longer
   * than any device may be silent.
   *
   * @param longestPatienceMillis the longest time that a device can have
   */
  void removeSettledBefore(long millis, long longestPatienceMillis) {
    for (TreeMap<Long, Outage> outages : byPartition.values()) {
      long until = millis;
      long heard = 0;
      for (Outage outage : outages.descendingMap().values()) {
        // Before the first watermark, the difference would overflow.
        heard += until > outage.toMillis() ? until - outage.toMillis() : 0;
        if (heard > MOST_TIMES * longestPatienceMillis) {
          outages.headMap(outage.fromMillis(), true).clear();
          break;
        }
        until = Math.min(until, outage.fromMillis());
      }
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
      long start = seenMillis;
      long rest = MOST_TIMES * patienceMillis;
      for (Outage outage : outages.tailMap(seenMillis, true).values()) {
        if (outage.fromMillis() >= deadline) {
          break;
        }
        rest -= outage.fromMillis() - start;
        start = outage.toMillis();
        deadline = start + Math.min(patienceMillis, rest);
      }
    }
    return deadline;
  }

  List<Outage> all() {
    return byPartition.values().stream().flatMap(outages -> outages.values().stream()).toList();
  }
}
