package io.lastfix.bench;

import io.lastfix.bench.counts.CountsMeasurement;
import io.lastfix.bench.load.GatewayLoad;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The size of the measurements and their number of rounds. */
public final class BenchOptions {
  private static final int SHORT_RECORDS = 50_000;
  private static final int SHORT_USERS = 5_000;
  private static final int SHORT_SECONDS = 2;
  private static final int SHORT_AGENTS = 1_000;
  private static final int SHORT_HEARTBEAT_SECONDS = 5;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Records per measured rate (default: ${DEFAULT-VALUE}).")
  private long records;

  @Option(
      names = "--users",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Devices that report (default: ${DEFAULT-VALUE}).")
  private int users;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rounds; each measures all candidates in turn (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Duration of each measurement of queries. Freshness takes six times as long, and at"
              + " least 65 s without --short (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      defaultValue = "2",
      description = "Subtasks of the measured job (default: ${DEFAULT-VALUE}).")
  private int parallelism;

  @Option(
      names = "--loaders",
      paramLabel = "N",
      description = "Threads of the loaders (default: the fastest of 4, 8 and 16).")
  private @Nullable Integer loaders;

  @Option(
      names = "--gateway",
      paramLabel = "WHAT",
      split = ",",
      description =
          "What the part gateway measures: ${COMPLETION-CANDIDATES} (default: all). Separate"
              + " several with commas.")
  private List<GatewayLoad> gateway = List.of();

  @Option(
      names = "--agents",
      paramLabel = "N",
      defaultValue = "100000",
      description =
          "Devices that register at the gateway and send it heartbeats (default:"
              + " ${DEFAULT-VALUE}).")
  private int agents;

  @Option(
      names = "--analytics",
      paramLabel = "WHAT",
      split = ",",
      description =
          "What the part analytics measures: ${COMPLETION-CANDIDATES} (default: all). Separate"
              + " several with commas.")
  private List<CountsMeasurement> analytics = List.of();

  @Option(
      names = "--documents",
      paramLabel = "N",
      defaultValue = "3000000",
      description =
          "Documents of History that the part analytics counts (default: ${DEFAULT-VALUE}).")
  private long documents;

  @Option(
      names = "--heartbeat-interval",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Time between two heartbeats of an agent (default: ${DEFAULT-VALUE}).")
  private int heartbeatInterval;

  @Option(
      names = "--heartbeat-seconds",
      paramLabel = "N",
      defaultValue = "60",
      description =
          "Time until a third of the agents stops. The measurement then lasts four more"
              + " intervals (default: ${DEFAULT-VALUE}).")
  private int heartbeatSeconds;

  @Option(
      names = "--short",
      description =
          "Runs all parts in a few minutes, to try the command, not to measure: one round, and"
              + " at most "
              + SHORT_RECORDS
              + " records or documents, "
              + SHORT_USERS
              + " users and "
              + SHORT_SECONDS
              + " seconds, and "
              + SHORT_AGENTS
              + " agents with a heartbeat each "
              + SHORT_HEARTBEAT_SECONDS
              + " seconds, regardless of the other options.")
  private boolean isShort;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      defaultValue = "bench-results",
      description =
          "Where results.json, tables.md and the plots are written (default: ${DEFAULT-VALUE}).")
  private Path output = Path.of("bench-results");

  long records() {
    return isShort ? Math.min(records, SHORT_RECORDS) : records;
  }

  /** What the analytics' part measures, in the order of the measurement. */
  Set<CountsMeasurement> analyticsMeasurements() {
    return analytics.isEmpty() ? EnumSet.allOf(CountsMeasurement.class) : EnumSet.copyOf(analytics);
  }

  /** Documents of History to count. */
  long documents() {
    return isShort ? Math.min(documents, SHORT_RECORDS) : documents;
  }

  int users() {
    return isShort ? Math.min(users, SHORT_USERS) : users;
  }

  int rounds() {
    return isShort ? 1 : rounds;
  }

  int seconds() {
    return isShort ? Math.min(seconds, SHORT_SECONDS) : seconds;
  }

  /** What the gateway's part measures, in the order of the measurement. */
  Set<GatewayLoad> gatewayLoads() {
    return gateway.isEmpty() ? EnumSet.allOf(GatewayLoad.class) : EnumSet.copyOf(gateway);
  }

  /** Devices at the gateway. */
  int agents() {
    return isShort ? Math.min(agents, SHORT_AGENTS) : agents;
  }

  int heartbeatIntervalSeconds() {
    return isShort ? Math.min(heartbeatInterval, SHORT_HEARTBEAT_SECONDS) : heartbeatInterval;
  }

  /** Until a third of the devices falls silent. */
  int heartbeatSeconds() {
    return isShort ? Math.min(heartbeatSeconds, 2 * SHORT_HEARTBEAT_SECONDS) : heartbeatSeconds;
  }

  int parallelism() {
    return parallelism;
  }

  /** The number of loader threads; 0: the fastest. */
  int loaders() {
    return loaders == null ? 0 : loaders;
  }

  boolean isShort() {
    return isShort;
  }

  public Path output() {
    return output;
  }

  /**
   * Checks the ranges of the options.
   *
   * @throws IllegalArgumentException naming the first option that is out of range
   */
  public void check() {
    atLeastOne("--records", records);
    atLeastOne("--documents", documents);
    atLeastOne("--users", users);
    atLeastOne("--rounds", rounds);
    atLeastOne("--seconds", seconds);
    atLeastOne("--parallelism", parallelism);
    atLeastOne("--agents", agents);
    atLeastOne("--heartbeat-interval", heartbeatInterval);
    atLeastOne("--heartbeat-seconds", heartbeatSeconds);
    if (loaders != null) {
      atLeastOne("--loaders", loaders);
    }
    if (documents > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("--documents: expected at most " + Integer.MAX_VALUE);
    }
    if (records > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("--records: expected at most " + Integer.MAX_VALUE);
    }
  }

  private static void atLeastOne(String option, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + ": expected 1 or more, found " + value);
    }
  }
}
