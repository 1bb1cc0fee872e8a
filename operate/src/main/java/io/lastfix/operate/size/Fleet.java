package io.lastfix.operate.size;

/**
 * The devices and what they send.
 *
 * @param devices 1 or more
 * @param intervalSeconds between two requests of a device; 1 or more
 * @param bytes of a request's body; 1 or more
 * @param records with a location in a request; 0: heartbeats, or data that is no location
 * @param isHeartbeats whether the requests are heartbeats, of which Kafka keeps no body; without
 *     records
 * @param peak the highest rate as a ratio to the average; 1 or more
 * @param isReconnecting whether each request opens a TLS connection; if not, connections stay
 */
public record Fleet(
    long devices,
    long intervalSeconds,
    long bytes,
    long records,
    boolean isHeartbeats,
    double peak,
    boolean isReconnecting) {
  private static final double BYTES_PER_KB = 1_000;

  public Fleet {
    requireAtLeast("--devices", 1, devices);
    requireAtLeast("--interval", 1, intervalSeconds);
    requireAtLeast("--bytes", 1, bytes);
    requireAtLeast("--records", 0, records);
    if (isHeartbeats && records > 0) {
      throw new IllegalArgumentException(
          "--heartbeats: expected without --records, because a heartbeat has none");
    }
    if (!(peak >= 1) || Double.isInfinite(peak)) {
      throw new IllegalArgumentException("--peak: expected 1 or more, found " + peak);
    }
  }

  private static void requireAtLeast(String option, long least, long value) {
    if (value < least) {
      throw new IllegalArgumentException(
          "%s: expected %d or more, found %d".formatted(option, least, value));
    }
  }

  /** Requests a second on average. */
  double averageRequests() {
    return devices / (double) intervalSeconds;
  }

  /** Requests a second at the peak. */
  double peakRequests() {
    return averageRequests() * peak;
  }

  double kilobytes() {
    return bytes / BYTES_PER_KB;
  }
}
