package io.lastfix.cli.audit;

import io.lastfix.audit.Audit;
import io.lastfix.audit.AuditRange;
import io.lastfix.audit.AuditReport;
import io.lastfix.audit.AuditReport.Demanded;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.workload.StepProgress;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix audit}: proves that both collections hold what the topics say. */
@Command(
    name = "audit",
    description = {
      "Reads the input topics again, works out what both collections must hold, and says what is missing, extra or"
          + " different.",
      "Messages that the job has not committed yet may be stored or not: run 'lastfix drain' first for a sharp answer.",
      "With --from or --to a document whose _id has the time of another record is looked for at that time, and one in"
          + " another period's collection is not."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing differs, and no wrong position could hide in what is undecided",
      "1:a discrepancy was found, or a wrong position could hide in what is undecided (not with"
          + " --lenient), or the audit failed; with --strict: or something could not be judged",
      "2:wrong usage"
    })
public final class AuditCommand extends LastfixCommand {
  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Judge records from this moment on, by their own time.")
  private @Nullable Instant from;

  @Option(names = "--to", paramLabel = "TIME", description = "Judge records before this moment.")
  private @Nullable Instant to;

  @Option(
      names = "--limit-shown",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Name at most so many discrepancies of each kind; all are counted (default: ${DEFAULT-VALUE}).")
  private int shown;

  @Option(names = "--strict", description = "Exit with 1 where anything could not be judged, too.")
  private boolean strict;

  @Option(
      names = "--lenient",
      description =
          "Exit with 0 if nothing differs, although a wrong position could hide in what is undecided.")
  private boolean lenient;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final JobSettings settings = new JobSettings();

  @Override
  public Integer call() throws Exception {
    if (shown < 0) {
      throw usageError("--limit-shown: expected 0 or more, found " + shown);
    }
    if (strict && lenient) {
      throw usageError("--lenient: expected without --strict");
    }
    requireOrder(from, to);
    LocationJobConfig config = settings.loadForKafkaAndMongo(endpoints);
    AuditReport report;
    try (StepProgress progress = AuditProgress.onStandardError(err())) {
      report =
          new Audit(
                  Audited.job(config),
                  new AuditRange(from, to),
                  shown,
                  InstantSource.system(),
                  progress)
              .run();
    }
    PrintWriter out = out();
    if (json) {
      printJson(report);
    } else {
      report.toLines().forEach(out::println);
    }
    out.flush();
    err().println("lastfix audit: " + report.verdict());
    err().flush();
    return report.exitCode(demanded());
  }

  private Demanded demanded() {
    if (strict) {
      return Demanded.STRICT;
    }
    return lenient ? Demanded.LENIENT : Demanded.USUAL;
  }
}
