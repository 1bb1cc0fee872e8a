package io.lastfix.operate.size;

import io.lastfix.store.connect.ArgumentChecks;

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
    ArgumentChecks.atLeast("--devices", devices, 1);
    ArgumentChecks.atLeast("--interval", intervalSeconds, 1);
    ArgumentChecks.atLeast("--bytes", bytes, 1);
    ArgumentChecks.atLeast("--records", records, 0);
    if (isHeartbeats && records > 0) {
      throw new IllegalArgumentException(
          "--heartbeats: expected without --records, because a heartbeat has none");
    }
    if (!(peak >= 1) || Double.isInfinite(peak)) {
      throw new IllegalArgumentException("--peak: expected 1 or more, found " + peak);
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
