package io.lastfix.cli.provision;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.jobs.StoreProvisioning;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.Servers;
import io.lastfix.store.provision.ProvisionReport;
import java.io.IOException;
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
      "Creates what the job needs in MongoDB and is missing: collections, indexes, sharding on a"
          + " sharded cluster, the view over History, and the job's roles.",
      "Running it twice is harmless. The command shows an item that disagrees with the"
          + " configuration, and does not change it. A role that lacks rights gets them, and"
          + " keeps its other rights."
    },
    exitCodeList = {
      "0:all items exist, were created, or would be",
      "1:an item disagrees with the configuration, this user may not inspect or create an item,"
          + " or the command failed",
      "2:wrong usage"
    },
    footer = "  lastfix provision --dry-run")
public final class ProvisionCommand extends JsonCommand {
  @Option(names = "--dry-run", description = "Show what would be created, and create nothing.")
  private boolean isDryRun;

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "3600",
      description =
          "Time limit for one step; an index on many documents takes long (default:"
              + " ${DEFAULT-VALUE}).")
  private int timeLimitSeconds;

  @Option(
      names = "--no-roles",
      description =
          "Do not inspect or change roles: an administrator manages them"
              + " (config/mongodb/create-roles.js).")
  private boolean withoutRoles;

  @Mixin private final AccessOptions options = new AccessOptions();

  @Override
  public Integer call() throws Exception {
    requireAtLeast("--time-limit", 1, timeLimitSeconds);
    LocationJobConfig config = options.load(Servers.Kind.MONGO);
    ProvisionReport report = new ProvisionReport();
    try {
      new StoreProvisioning(
              config,
              isDryRun,
              !withoutRoles,
              Duration.ofSeconds(timeLimitSeconds),
              InstantSource.system())
          .run(report);
    } finally {
      print(report, report.lines());
    }
    Optional<String> failure = report.failure();
    if (failure.isPresent()) {
      throw new IOException(failure.get());
    }
    return 0;
  }
}
