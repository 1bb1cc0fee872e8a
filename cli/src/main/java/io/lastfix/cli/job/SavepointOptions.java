package io.lastfix.cli.job;

import io.lastfix.cli.common.SecondsConverter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a stop with a savepoint; a mixin. */
final class SavepointOptions {
  @Option(
      names = "--savepoint-dir",
      paramLabel = "DIR",
      description = "Directory of the savepoint (default: from the cluster's configuration).")
  private @Nullable String directory;

  @Option(
      names = "--timeout",
      converter = SecondsConverter.class,
      paramLabel = "SECONDS",
      defaultValue = "600",
      description = "Time limit of the stop with a savepoint (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ZERO;

  /** Null: the cluster's. */
  @Nullable String directory() {
    return directory;
  }

  Duration timeout() {
    return timeout;
  }
}
