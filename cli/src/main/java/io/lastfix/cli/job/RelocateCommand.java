package io.lastfix.cli.job;

import static io.lastfix.operate.job.HistoryJobs.count;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.RelocateJob;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.locate.CatalogFirstLocateOperator;
import io.lastfix.operate.access.Servers;
import io.lastfix.rebuild.WriteCounter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lastfix relocate}: finds the positions of stored records whose cell was unknown. */
@Command(
    name = "relocate",
    description = {
      "Finds the positions of stored records whose cell was unknown when they arrived, with a"
          + " bounded Flink job. The location job may run meanwhile.",
      "Reads the records of History without a position, and joins them with the catalogue as it is"
          + " now. Adds the position to those whose cell is known by now, with the time of this run"
          + " ('located'), and moves Last Known Location forward. A stored position never changes."
    },
    footer = "  lastfix relocate --from 2008-05-01 --dry-run")
public final class RelocateCommand extends HistoryJobCommand {
  @Option(
      names = "--dry-run",
      description = "Write nothing; print how many records would get a position.")
  private boolean dryRun;

  /** Called by picocli. */
  public RelocateCommand() {
    super(
        Jobs.RELOCATE,
        "%,d documents read",
        RelocateJob.DOCUMENTS,
        Servers.Kind.MONGO,
        Servers.Kind.KAFKA);
  }

  @Override
  protected List<String> moreArguments() {
    return dryRun ? List.of("--dry-run") : List.of();
  }

  @Override
  protected void run(LocationJobConfig config, FlinkRest flink, Run run)
      throws IOException, InterruptedException {
    Instant began = Instant.now();
    Map<String, String> counted = run.await();
    double seconds = Duration.between(began, Instant.now()).toMillis() / 1000.0;
    long located = count(counted, CatalogFirstLocateOperator.LOCATED);
    long written = count(counted, WriteCounter.WRITTEN);
    long restarts = count(counted, WriteCounter.RESTARTS);
    long unknown = count(counted, CatalogFirstLocateOperator.UNKNOWN);
    long ambiguous = count(counted, CatalogFirstLocateOperator.AMBIGUOUS);
    print(
        emptyObject()
            .put("documents", count(counted, RelocateJob.DOCUMENTS))
            .put("dryRun", dryRun)
            .put("located", located)
            .put("written", written)
            .put("unknownCell", unknown)
            .put("ambiguousCell", ambiguous)
            .put("restarts", restarts)
            .put("seconds", seconds),
        String.format(
            Locale.ROOT,
            "Read %,d records without a position in %.1f s%n"
                + "Of %,d the cell is known by now, of %,d still unknown, of %,d several towers"
                + " match%n%s%s",
            count(counted, RelocateJob.DOCUMENTS),
            seconds,
            located,
            unknown,
            ambiguous,
            dryRun
                ? "Nothing is written (dry run)"
                : String.format(Locale.ROOT, "%,d records got their position", written),
            restarts == 0 ? "" : afterRestarts(restarts)));
  }

  private static String afterRestarts(long restarts) {
    return String.format(
        Locale.ROOT,
        "%nThe job was restarted (%,d times). The numbers are of its last attempt: records that"
            + " got their position before are not among them",
        restarts);
  }
}
