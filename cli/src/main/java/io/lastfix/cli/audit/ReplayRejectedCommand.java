package io.lastfix.cli.audit;

import io.lastfix.audit.AuditRange;
import io.lastfix.audit.ReplayRejected;
import io.lastfix.audit.ReplaySummary;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.RejectionReason;
import io.lastfix.workload.StepProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
          + " records that are stored already as duplicates. --from leaves out earlier"
          + " rejections."
    })
public final class ReplayRejectedCommand extends LastfixCommand {
  @Option(
      names = "--reason",
      paramLabel = "REASON",
      description =
          "Only messages rejected for this reason, for instance bad-value; may be given many"
              + " times.")
  private List<String> reasons = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Only messages rejected at this time or later.")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Only messages rejected before this time.")
  private @Nullable Instant to;

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

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final JobSettings settings = new JobSettings();

  @Override
  public Integer call() throws Exception {
    Set<String> codes = new HashSet<>();
    for (String reason : reasons) {
      try {
        codes.add(RejectionReason.ofCode(reason).code());
      } catch (IllegalArgumentException e) {
        throw usageError("--reason: " + e.getMessage());
      }
    }
    requireOrder(from, to);
    if (limit < 1) {
      throw usageError("--limit: expected 1 or more, found " + limit);
    }
    LocationJobConfig config = settings.loadForKafka(endpoints);
    ReplaySummary summary;
    try (StepProgress progress = AuditProgress.onStandardError(err())) {
      summary =
          new ReplayRejected(
                  Audited.topics(config),
                  codes,
                  new AuditRange(from, to),
                  isDryRun || isList,
                  isList ? limit : 0)
              .run(progress);
    }
    PrintWriter out = out();
    if (json) {
      printJson(summary);
    } else {
      summary.toLines().forEach(out::println);
    }
    out.flush();
    if (!summary.gone().isEmpty()) {
      throw new IOException(
          "%d messages are gone: neither topic has their bytes".formatted(summary.gone().size()));
    }
    return 0;
  }
}
