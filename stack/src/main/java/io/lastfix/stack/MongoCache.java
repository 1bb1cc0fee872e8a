package io.lastfix.stack;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * How much memory a mongod of the local stack may use for its cache: an eighth of the machine's for
 * all members together, but half a gibibyte for each at least, so that a laptop has the rest, and
 * what is stored in an hour's load still fits. Where it does not fit, even a query has to make room
 * first, and waits for the disk.
 */
final class MongoCache {
  private static final double SHARE = 1.0 / 8;
  private static final double LEAST_GIBIBYTES = 0.5;
  private static final double BYTES_PER_GIBIBYTE = 1L << 30;

  private MongoCache() {}

  /** For {@code --wiredTigerCacheSizeGB} of each of so many members on this machine. */
  static String ofThisMachine(int members) {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return gibibytes(system.getTotalMemorySize(), members);
  }

  /** The same on a machine with so many bytes of memory. */
  static String gibibytes(long memoryBytes, int members) {
    double share = memoryBytes / BYTES_PER_GIBIBYTE * SHARE / members;
    return String.format(Locale.ROOT, "%.2f", Math.max(LEAST_GIBIBYTES, share));
  }
}
