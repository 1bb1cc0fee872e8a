package io.lastfix.cli.provision;

import io.lastfix.cli.EndpointOptions;
import io.lastfix.cli.LastfixCommand;
import io.lastfix.cli.command.JobSettings;
import io.lastfix.jobs.config.LocationJobConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix provision}: makes what the job needs in MongoDB. */
@Command(
    name = "provision",
    description = {
      "Makes what the job needs in MongoDB and is missing: collections, indexes, shards where the"
          + " server has any, the view over History, and the job's roles.",
      "Twice is harmless. What is there and disagrees with the configuration is shown, and left as"
          + " it is."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is there, or was made, or would be",
      "1:something disagrees, or it failed",
      "2:wrong usage"
    })
public final class ProvisionCommand extends LastfixCommand {
  @Option(names = "--dry-run", description = "Say what would be made, and make nothing.")
  private boolean isDryRun;

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "3600",
      description =
          "How long one thing may take; an index on many documents takes long (default:"
              + " ${DEFAULT-VALUE}).")
  private int timeLimitSeconds;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final JobSettings settings = new JobSettings();

  @Override
  public Integer call() throws Exception {
    if (timeLimitSeconds < 1) {
      throw usageError("--time-limit: expected 1 or more, found " + timeLimitSeconds);
    }
    LocationJobConfig config = settings.loadForMongo(endpoints);
    ProvisionReport report =
        new Provision(
                config, isDryRun, Duration.ofSeconds(timeLimitSeconds), InstantSource.system())
            .run();
    PrintWriter out = out();
    if (json) {
      printJson(report);
    } else {
      report.toLines().forEach(out::println);
    }
    out.flush();
    if (report.refused() > 0) {
      throw new IOException(
          "%d refused: what disagrees with the configuration is left as it is"
              .formatted(report.refused()));
    }
    return 0;
  }
}
