package io.lastfix.cli.provision;

import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.jobs.config.LocationJobConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix provision}: creates what the job needs in MongoDB. */
@Command(
    name = "provision",
    description = {
      "Makes what the job needs in MongoDB and is missing: collections, indexes, shards where the"
          + " server has any, the view over History, and the job's roles.",
      "Twice is harmless. What is there and disagrees with the configuration is shown, and left as"
          + " it is. A role that lacks rights is given these, and keeps what else it has."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is there, or was made, or would be",
      "1:something disagrees, this user may not see or make something, or it failed",
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

  @Option(
      names = "--no-roles",
      description =
          "Leave roles alone: somebody else looks after them (config/mongodb/create-roles.js).")
  private boolean withoutRoles;

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
    ProvisionReport report = new ProvisionReport();
    try {
      new Provision(
              config,
              isDryRun,
              !withoutRoles,
              Duration.ofSeconds(timeLimitSeconds),
              InstantSource.system())
          .run(report);
    } finally {
      print(report);
    }
    Optional<String> failure = report.failure();
    if (failure.isPresent()) {
      throw new IOException(failure.get());
    }
    return 0;
  }

  private void print(ProvisionReport report) {
    PrintWriter out = out();
    if (json) {
      printJson(report);
    } else {
      report.toLines().forEach(out::println);
    }
    out.flush();
  }
}
