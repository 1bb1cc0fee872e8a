package io.lastfix.local;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * The size of a local mongod's cache. All members together get an eighth of the machine's memory,
 * and each gets half a gibibyte at least. The rest stays for the user, and the data of an hour's
 * load still fits. If the data does not fit, even a query has to evict pages first, and waits for
 * the disk.
 */
final class MongoCache {
  private static final double SHARE = 1.0 / 8;
  private static final double LEAST_GIBIBYTES = 0.5;
  private static final double BYTES_PER_GIBIBYTE = 1L << 30;

  private MongoCache() {}

  /** The value of {@code --wiredTigerCacheSizeGB} for each of N members on this machine. */
  static String ofThisMachine(int members) {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return gibibytes(system.getTotalMemorySize(), members);
  }

  /** The value for each of N members on a machine with that much memory. */
  static String gibibytes(long memoryBytes, int members) {
    double share = memoryBytes / BYTES_PER_GIBIBYTE * SHARE / members;
    return String.format(Locale.ROOT, "%.2f", Math.max(LEAST_GIBIBYTES, share));
  }
}
