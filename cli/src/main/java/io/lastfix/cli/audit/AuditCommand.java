package io.lastfix.cli.audit;

import io.lastfix.audit.Audit;
import io.lastfix.audit.AuditRange;
import io.lastfix.audit.AuditReport;
import io.lastfix.audit.AuditReport.Demanded;
import io.lastfix.audit.signature.SignatureReport;
import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.common.TerminalProgress;
import io.lastfix.cli.common.TimeOptions;
import io.lastfix.cli.devices.GroupKeyOptions;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.DevicesTopic;
import io.lastfix.gateway.devices.SignatureProof;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.audit.Audited;
import io.lastfix.operate.devices.DevicesStore;
import io.lastfix.store.audit.AuditResult;
import io.lastfix.store.audit.AuditResults;
import io.lastfix.workload.StepProgress;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix audit}: proves that both collections hold the content of the topics. */
@Command(
    name = "audit",
    description = {
      "Reads the input topics again, computes what both collections must hold, and reports what"
          + " is missing, extra or different.",
      "Messages that the job has not committed yet may be stored or not. For an exact result,"
          + " run 'lastfix drain' first.",
      "With --from or --to, it judges the records with these timestamps. It searches for a document"
          + " at the time in its _id, and not in collections of other periods.",
      "The last result of a job is kept in MongoDB, without users and positions, for the console. If"
          + " the user may not write there (role lastfixAudit), the audit prints that and continues.",
      "With --signatures it proves instead who sent each message: from the signature that the"
          + " gateway keeps on it, the groups' keys and the topic of devices."
    },
    exitCodeList = {
      "0:nothing differs, and no undecided record could hide a wrong position",
      "1:the audit found a discrepancy, or an undecided record could hide a wrong position (not"
          + " with --lenient), or the audit failed; with --strict: or something could not be"
          + " judged. With --signatures: a message is forged; with --strict: or a key is absent",
      "2:wrong usage"
    },
    footer = "  lastfix audit --from 2008-05-24 --to 2008-05-26")
public final class AuditCommand extends JsonCommand {
  @Mixin private final TimeOptions time = new TimeOptions();

  @Option(
      names = "--limit-shown",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Maximum number of discrepancies of each kind to list; all are counted (default:"
              + " ${DEFAULT-VALUE}).")
  private int shown;

  @Option(names = "--strict", description = "Also exit with 1 if anything could not be judged.")
  private boolean strict;

  @Option(
      names = "--lenient",
      description =
          "Exit with 0 if nothing differs, even if an undecided record may hide a wrong position.")
  private boolean lenient;

  @Option(
      names = "--signatures",
      description =
          "Prove who sent each message of the location topics; reads neither the catalogue nor"
              + " MongoDB.")
  private boolean signatures;

  @Option(
      names = "--devices-topic",
      paramLabel = "NAME",
      description = "With --signatures: topic of groups and devices (default: ${DEFAULT-VALUE}).",
      defaultValue = DevicesTopic.DEFAULT_NAME)
  private String devicesTopic = DevicesTopic.DEFAULT_NAME;

  @Mixin private final GroupKeyOptions groupKeys = new GroupKeyOptions();

  @Mixin private final AccessOptions options = new AccessOptions();

  @Override
  public Integer call() throws Exception {
    requireAtLeast("--limit-shown", 0, shown);
    if (strict && lenient) {
      throw usageError("--lenient: expected without --strict");
    }
    time.check();
    if (signatures) {
      if (time.isGiven() || lenient) {
        throw usageError("--signatures: expected without --from, --to and --lenient");
      }
      groupKeys.check();
      return auditSignatures();
    }
    LocationJobConfig config = options.load(Servers.Kind.KAFKA, Servers.Kind.MONGO);
    AuditRange range = new AuditRange(time.from(), time.to());
    InstantSource clock = InstantSource.system();
    long begun = System.nanoTime();
    AuditReport report;
    try (StepProgress progress = TerminalProgress.orLines(err())) {
      report = new Audit(Audited.job(config), range, shown, clock, progress).run();
    }
    AuditResult result =
        report.toResult(
            config.name(),
            range,
            Audited.topics(config).locations(),
            clock.instant(),
            Duration.ofNanos(System.nanoTime() - begun));
    print(report, report.toLines());
    AuditResults.tryKeep(config.historyMongo(), result)
        .ifPresent(reason -> say("The console will not show this result: %s", reason));
    say("lastfix audit: " + report.verdict());
    return report.exitCode(demanded());
  }

  Demanded demanded() {
    return strict ? Demanded.STRICT : lenient ? Demanded.LENIENT : Demanded.DEFAULT;
  }

  private int auditSignatures() throws IOException {
    LocationJobConfig config = options.load(Servers.Kind.KAFKA);
    DevicesSnapshot devices = DevicesStore.read(config.kafka(), devicesTopic).snapshot();
    sayUnreadable(devicesTopic, devices.unreadable());
    SignatureReport report;
    try (StepProgress progress = TerminalProgress.orLines(err())) {
      report =
          Audited.signatures(config, new SignatureProof(devices, groupKeys.keys()), shown, progress)
              .run();
    }
    print(report, report.toLines());
    say("lastfix audit: " + report.verdict());
    return report.exitCode(strict);
  }
}
