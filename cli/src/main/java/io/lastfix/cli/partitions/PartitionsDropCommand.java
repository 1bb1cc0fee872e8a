package io.lastfix.cli.partitions;

import io.lastfix.store.history.ClocksDisagreeException;
import io.lastfix.store.history.DropPlan;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.PartitionExpiry;
import io.lastfix.store.history.PartitionReport;
import io.lastfix.store.history.PartitionReport.Status;
import io.lastfix.store.provision.ProvisionException;
import java.io.IOException;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lastfix partitions drop}: drops whole old partitions. */
@Command(
    name = "drop",
    description = {
      "Drops collections of History whose period ended before a given age, with all their"
          + " records. Also drops the collections of counts, density, flows, stays, trips, late records and"
          + " alerts of the same age.",
      "Refuses to drop a period for which the configured job still accepts records:"
          + " history.retention must be as short. Last Known Location does not change.",
      "Also refuses if this machine's clock and MongoDB's differ by more than ten minutes."
    },
    footer = "  lastfix partitions drop --older-than 90d --dry-run")
public final class PartitionsDropCommand extends PartitionCommand {
  @Option(
      names = "--older-than",
      required = true,
      paramLabel = "TIME",
      converter = Age.Converter.class,
      description = "Minimum time since the end of the period: P90D, P3M, 90d.")
  private Age age;

  @Option(names = "--dry-run", description = "Show what would be dropped, and drop nothing.")
  private boolean isDryRun;

  @Option(names = "--force", description = "Ignore history.retention. Use it only if no job runs.")
  private boolean isForced;

  @Override
  void run(Session session) throws IOException, ProvisionException, ClocksDisagreeException {
    // A single clock must not decide the age of data to delete.
    Instant now = PartitionExpiry.of(session::now, session.partitions()::serverTime);
    DropPlan plan =
        DropPlan.of(
            session.partitions().listWithNumbers(),
            age.before(now),
            now,
            session.config().history().retention(),
            isForced);
    PartitionReport report = new PartitionReport();
    try {
      for (HistoryPartition partition : plan.dropped()) {
        if (!session.partitions().isOwn(partition)) {
          continue;
        }
        if (!isDryRun) {
          session.partitions().drop(partition);
        }
        report.add(isDryRun ? Status.WOULD_DROP : Status.DROPPED, partition);
      }
      plan.kept().forEach(partition -> report.add(Status.KEPT, partition));
    } finally {
      print(report, report.lines());
    }
    if (!isDryRun) {
      var unused = session.partitions().refreshView();
    }
    if (report.partitions().isEmpty()) {
      say("No partition is that old");
    } else if (report.has(Status.KEPT)) {
      say(
          "The kept partitions are expired, but the job may still write records to them; the"
              + " job drops them later");
    }
  }
}
