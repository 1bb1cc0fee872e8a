package io.lastfix.cli.forget;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.forget.Forgetting;
import io.lastfix.store.erasure.ErasureReport;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix forget}: erases a user. */
@Command(
    name = "forget",
    description = {
      "Erases a user from Last Known Location and from all of History. The user's stays, trips and"
          + " alerts go, too, and the presence of the device of that name. The running jobs, a"
          + " replay or an old savepoint store nothing of the user again that is dated before now"
          + " plus parse.max-timestamp-ahead (5 minutes): no record, stay, trip or alert. Of a live"
          + " device nothing is stored until then. The jobs store later records of the device.",
      "Counts, density and flows keep numbers that the user was part of: lastfix analyze computes"
          + " them again without.",
      "The command writes its steps to an audit collection, with a hash for the user."
    },
    exitCodeList = {
      "0:the user is erased",
      "1:the user is not erased, or only in part; running the command again is safe",
      "2:wrong usage, or help; nothing is erased",
      "3:no record of this user was stored, or an earlier run has erased all"
    },
    footer = "  lastfix forget abniar --yes --config config/demo.yaml")
public final class ForgetCommand extends JsonCommand {
  private static final int NO_RECORD = 3;

  @Parameters(paramLabel = "USER", description = "The device or subscriber, as messages name it.")
  private String user = "";

  @Option(
      names = "--pseudonym",
      description = "USER is already the name in the collections: the command does not convert it.")
  private boolean isPseudonym;

  @Option(names = "--yes", description = "Required, since an erasure cannot be undone.")
  private boolean yes;

  @Option(
      names = "--no-job",
      description = "No job that writes to these collections runs: query no Flink cluster.")
  private boolean noJob;

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description =
          "Time limit for the running job to apply the erasure list, and for MongoDB to run one"
              + " deletion (default: ${DEFAULT-VALUE}).")
  private int timeLimitSeconds;

  @Option(
      names = "--shard-time-limit",
      paramLabel = "SECONDS",
      defaultValue = "1200",
      description =
          "Time limit for each shard to delete the documents of chunks that were moved away from"
              + " it (default: ${DEFAULT-VALUE}; MongoDB deletes them after 900).")
  private int shardTimeLimitSeconds;

  @Mixin private final AccessOptions options = new AccessOptions();

  @Override
  public Integer call() throws Exception {
    if (user.isBlank()) {
      throw usageError("USER: expected a text, found nothing");
    }
    requireAtLeast("--time-limit", 1, timeLimitSeconds);
    requireAtLeast("--shard-time-limit", 0, shardTimeLimitSeconds);
    if (!yes) {
      throw usageError("an erasure cannot be undone: add --yes");
    }
    LocationJobConfig config = options.load(Servers.Kind.MONGO);
    Optional<FlinkRest> flink =
        noJob ? Optional.empty() : Optional.of(Forgetting.flink(options.servers()));
    ErasureReport report =
        new Forgetting(config, flink, this::say)
            .run(
                user,
                isPseudonym,
                Duration.ofSeconds(timeLimitSeconds),
                Duration.ofSeconds(shardTimeLimitSeconds));
    print(report, report.lines());
    return exitCode(report);
  }

  static int exitCode(ErasureReport report) {
    if (!report.failed().isEmpty()) {
      return ExitCode.SOFTWARE;
    }
    return report.erased() == 0 ? NO_RECORD : ExitCode.OK;
  }
}
