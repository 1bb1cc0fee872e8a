package io.lastfix.cli.partitions;

import io.lastfix.cli.common.TimeOptions;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.history.PartitionReport;
import io.lastfix.store.history.PartitionReport.Status;
import io.lastfix.store.provision.ProvisionException;
import io.lastfix.store.provision.ProvisionMode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix partitions create}: creates partitions ahead of their records. */
@Command(
    name = "create",
    description = {
      "Creates collections of History, with their indexes and shards, before their records"
          + " arrive: those of the current and the next periods, or those that overlap --from and --to.",
      "Running it twice is harmless. The job does the same, one period ahead."
    },
    footer = "  lastfix partitions create --ahead 2")
public final class PartitionsCreateCommand extends PartitionCommand {
  /** A larger number is probably a mistake: three years of days. */
  private static final int MAX_PERIODS = 1_100;

  @Mixin private final TimeOptions time = new TimeOptions();

  @Option(
      names = "--ahead",
      paramLabel = "N",
      description = "Create the current period and N after it (default: 1).")
  private @Nullable Integer ahead;

  @Override
  void check() {
    if ((time.from() == null) != (time.to() == null)) {
      throw usageError("--from and --to: expected both or none");
    }
    if (time.isGiven() && ahead != null) {
      throw usageError("--ahead: expected without --from and --to");
    }
    if (ahead != null && (ahead < 0 || ahead > MAX_PERIODS)) {
      throw usageError("--ahead: expected 0 to %d, found %d".formatted(MAX_PERIODS, ahead));
    }
    time.check();
  }

  @Override
  void run(Session session) throws IOException, ProvisionException {
    List<HistoryPartition> wanted = wanted(session.config().history(), session.now());
    PartitionReport report = new PartitionReport();
    try {
      for (HistoryPartition partition : wanted) {
        boolean isNew =
            !session.partitions().ensure(partition.collection(), ProvisionMode.AUTO).isEmpty();
        report.add(isNew ? Status.MADE : Status.THERE, partition);
      }
    } finally {
      print(report, report.lines());
    }
    var unused = session.partitions().refreshView();
  }

  private List<HistoryPartition> wanted(HistoryOptions history, Instant now) throws IOException {
    List<HistoryPartition> wanted = new ArrayList<>();
    Instant from = time.from();
    Instant to = time.to();
    HistoryPartition next = history.partitionAt(from == null ? now : from);
    int maxPeriods = from != null ? MAX_PERIODS : ahead == null ? 2 : ahead + 1;
    while (wanted.size() < maxPeriods && (to == null || next.start().isBefore(to))) {
      wanted.add(next);
      next = history.partitionAt(next.end());
    }
    if (to != null && next.start().isBefore(to)) {
      throw usageError("--from and --to: expected %d periods or fewer".formatted(MAX_PERIODS));
    }
    HistoryRetention retention = history.retention();
    HistoryPartition first = wanted.get(0);
    if (retention != null && retention.isExpired(first, now)) {
      throw new IOException(
          ("%s is expired by history.retention: the job accepts no records for it and would drop"
                  + " it; give a --from of %s or later")
              .formatted(
                  first.collection(),
                  Instant.ofEpochMilli(retention.firstKept(now.toEpochMilli()))));
    }
    return wanted;
  }
}
