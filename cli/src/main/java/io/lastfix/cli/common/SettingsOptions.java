package io.lastfix.cli.common;

import io.lastfix.operate.access.JobSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name the job's configuration; a mixin. */
public final class SettingsOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The job's configuration (default: the defaults of config/location.yaml).")
  private @Nullable Path configFile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides a key of the file; may be given many times.")
  private List<String> overrides = new ArrayList<>();

  /** The settings of the command line. */
  public JobSettings settings() {
    return new JobSettings(configFile, overrides);
  }
}
