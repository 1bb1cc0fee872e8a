package io.lastfix.cli.audit;

import io.lastfix.audit.AuditRange;
import io.lastfix.audit.replay.ReplayRejected;
import io.lastfix.audit.replay.ReplaySummary;
import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.common.TerminalProgress;
import io.lastfix.cli.common.TimeOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.RejectionReason;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.audit.Audited;
import io.lastfix.workload.StepProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix replay-rejected}: sends rejected messages to the job again. */
@Command(
    name = "replay-rejected",
    description = {
      "Sends rejected messages back to the topics they came from. Fix the cause of the"
          + " rejections first.",
      "Stored records do not change. The job rejects messages that are still bad again.",
      "Each run sends each message back once, even if an earlier run sent it too: the job counts"
          + " records that are stored already as duplicates. --from and --to are times of rejection,"
          + " and leave out earlier and later ones."
    },
    exitCodeList = {"0:done", "1:failed, or the bytes of some messages are gone", "2:wrong usage"},
    footer = "  lastfix replay-rejected --list --limit 20")
public final class ReplayRejectedCommand extends JsonCommand {
  @Option(
      names = "--reason",
      paramLabel = "REASON",
      description =
          "Only messages rejected for this reason, for instance bad-value; may be given many"
              + " times.")
  private List<String> reasons = new ArrayList<>();

  @Mixin private final TimeOptions time = new TimeOptions();

  @Option(names = "--dry-run", description = "Count only, send nothing.")
  private boolean isDryRun;

  @Option(
      names = "--list",
      description =
          "List the newest rejections, the newest first, one per line: time, topic, partition,"
              + " offset, reason, detail, and where lastfix.rejected holds the bytes. Sends"
              + " nothing.")
  private boolean isList;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "With --list: maximum number of rejections (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Mixin private final AccessOptions options = new AccessOptions();

  @Override
  public Integer call() throws Exception {
    Set<String> codes = new HashSet<>();
    for (String reason : reasons) {
      codes.add(accepted("--reason: ", () -> RejectionReason.ofCode(reason).code()));
    }
    time.check();
    requireAtLeast("--limit", 1, limit);
    LocationJobConfig config = options.load(Servers.Kind.KAFKA);
    ReplaySummary summary;
    try (StepProgress progress = TerminalProgress.orLines(err())) {
      summary =
          new ReplayRejected(
                  Audited.topics(config),
                  codes,
                  new AuditRange(time.from(), time.to()),
                  isDryRun || isList,
                  isList ? limit : 0)
              .run(progress);
    }
    print(summary, summary.toLines());
    if (!summary.gone().isEmpty()) {
      throw new IOException(
          "%d messages are gone: neither topic has their bytes".formatted(summary.gone().size()));
    }
    return 0;
  }
}
