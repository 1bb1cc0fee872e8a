package io.lastfix.cli.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a stop with a savepoint; a mixin. */
final class SavepointOptions {
  /** Null: the cluster's. */
  @Option(
      names = "--savepoint-dir",
      paramLabel = "DIR",
      description = "Directory of the savepoint (default: from the cluster's configuration).")
  @Nullable String directory;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "600",
      description = "Time limit of the stop with a savepoint (default: ${DEFAULT-VALUE}).")
  Duration timeout = Duration.ZERO;
}
