package io.lastfix.cli.bench;

import io.lastfix.operate.bench.BenchOptions;
import io.lastfix.operate.bench.CountsMeasurement;
import io.lastfix.operate.bench.GatewayLoad;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The size of the measurements and their number of rounds, as options. */
final class BenchArguments {
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
              + BenchOptions.SHORT_RECORDS
              + " records or documents, "
              + BenchOptions.SHORT_USERS
              + " users and "
              + BenchOptions.SHORT_SECONDS
              + " seconds, and "
              + BenchOptions.SHORT_AGENTS
              + " agents with a heartbeat each "
              + BenchOptions.SHORT_HEARTBEAT_SECONDS
              + " seconds, regardless of the other options.")
  private boolean isShort;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      defaultValue = "bench-results",
      description =
          "Where results.json, tables.md and the plots are written (default: ${DEFAULT-VALUE}).")
  private Path output = Path.of("bench-results");

  /**
   * Returns the options that were given.
   *
   * @throws IllegalArgumentException naming the first option that is out of range
   */
  BenchOptions options() {
    return new BenchOptions(
            atLeastOne("--records", records),
            atLeastOne("--users", users),
            atLeastOne("--rounds", rounds),
            atLeastOne("--seconds", seconds),
            atLeastOne("--parallelism", parallelism),
            loaders == null ? 0 : atLeastOne("--loaders", loaders),
            gateway.isEmpty() ? EnumSet.allOf(GatewayLoad.class) : EnumSet.copyOf(gateway),
            atLeastOne("--agents", agents),
            analytics.isEmpty()
                ? EnumSet.allOf(CountsMeasurement.class)
                : EnumSet.copyOf(analytics),
            atLeastOne("--documents", documents),
            atLeastOne("--heartbeat-interval", heartbeatInterval),
            atLeastOne("--heartbeat-seconds", heartbeatSeconds),
            isShort,
            output)
        .shortened();
  }

  private static int atLeastOne(String option, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + ": expected 1 or more, found " + value);
    }
    if (value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(option + ": expected at most " + Integer.MAX_VALUE);
    }
    return (int) value;
  }
}
