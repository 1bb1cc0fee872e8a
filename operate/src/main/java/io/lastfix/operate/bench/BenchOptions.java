package io.lastfix.operate.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * The size of the measurements and their number of rounds.
 *
 * @param records per measured rate
 * @param users devices that report
 * @param rounds each measures all candidates in turn
 * @param seconds of each measurement of queries
 * @param parallelism subtasks of the measured job
 * @param loaders threads of the loaders; 0: the fastest of 4, 8 and 16
 * @param gatewayLoads what the gateway's part measures, in the order of the measurement
 * @param agents devices at the gateway
 * @param analyticsMeasurements what the analytics' part measures, in the order of the measurement
 * @param documents of History to count
 * @param heartbeatIntervalSeconds between two heartbeats of a device
 * @param heartbeatSeconds until a third of the devices falls silent
 * @param isShort whether the command is tried, not measured with: see {@link #shortened}
 * @param output the folder of the results
 */
public record BenchOptions(
    long records,
    int users,
    int rounds,
    int seconds,
    int parallelism,
    int loaders,
    Set<GatewayLoad> gatewayLoads,
    int agents,
    Set<CountsMeasurement> analyticsMeasurements,
    long documents,
    int heartbeatIntervalSeconds,
    int heartbeatSeconds,
    boolean isShort,
    Path output) {
  /** Most records and documents of a short run. */
  public static final int SHORT_RECORDS = 50_000;

  /** Most devices of a short run. */
  public static final int SHORT_USERS = 5_000;

  /** Longest measurement of queries in a short run, in seconds. */
  public static final int SHORT_SECONDS = 2;

  /** Most devices at the gateway in a short run. */
  public static final int SHORT_AGENTS = 1_000;

  /** Longest time between two heartbeats in a short run, in seconds. */
  public static final int SHORT_HEARTBEAT_SECONDS = 5;

  /** Returns the same if it is not short, else one of a few minutes. */
  public BenchOptions shortened() {
    return isShort
        ? new BenchOptions(
            Math.min(records, SHORT_RECORDS),
            Math.min(users, SHORT_USERS),
            1,
            Math.min(seconds, SHORT_SECONDS),
            parallelism,
            loaders,
            gatewayLoads,
            Math.min(agents, SHORT_AGENTS),
            analyticsMeasurements,
            Math.min(documents, SHORT_RECORDS),
            Math.min(heartbeatIntervalSeconds, SHORT_HEARTBEAT_SECONDS),
            Math.min(heartbeatSeconds, 2 * SHORT_HEARTBEAT_SECONDS),
            true,
            output)
        : this;
  }

  /**
   * Checks the directory of the results without changing those of an earlier run, which are still
   * useful if this one fails. Call it before the servers are started and an hour is spent.
   *
   * @throws IOException if it cannot be written to
   */
  public void requireWritable() throws IOException {
    Files.delete(Files.createTempFile(Files.createDirectories(output), "bench", null));
  }
}
