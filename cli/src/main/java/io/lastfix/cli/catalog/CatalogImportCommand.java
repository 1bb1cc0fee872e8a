package io.lastfix.cli.catalog;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.catalogs.ImportSummary;
import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.common.TerminalProgress;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.Relocate;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.catalog.CatalogImport;
import io.lastfix.operate.job.HistoryJobs;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import io.lastfix.workload.StepProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix catalog import}: publishes the changes of a catalogue file. */
@Command(
    name = "import",
    description = {
      "Reads an OpenCellID or MLS file (CSV, plain or gzip) and publishes the cells that are new or changed.",
      "A running job uses them at once; stored records do not change. With 'history.relocate:"
          + " after-import', records that are stored without a position then get theirs."
    },
    exitCodeList = {
      "0:done",
      "1:failed, or an entry of the catalogue is dated more than a day ahead",
      "2:wrong usage"
    },
    footer = "  lastfix catalog import config/sample/san-francisco-cells.csv.gz")
public final class CatalogImportCommand extends JsonCommand {
  private static final Duration QUERY_LIMIT = Duration.ofSeconds(30);

  @Parameters(paramLabel = "FILE", description = "The file.")
  private Path file = Path.of("");

  @Option(
      names = "--max-bad-share",
      paramLabel = "SHARE",
      defaultValue = "0.1",
      description =
          "Refuse the file if more than this share of its rows is bad, 0 to 1 (default:"
              + " ${DEFAULT-VALUE}).")
  private double maxBadShare;

  @Option(
      names = "--tolerance",
      paramLabel = "METRES",
      defaultValue = "50",
      description =
          "Distance from its last position within which a cell counts as not moved, and gets no"
              + " new version (default: ${DEFAULT-VALUE}).")
  private double toleranceMeters;

  @Mixin private final AccessOptions options = new AccessOptions();

  @Override
  public Integer call() throws Exception {
    if (!(maxBadShare >= 0 && maxBadShare <= 1)) {
      throw usageError("--max-bad-share: expected 0 to 1, found " + maxBadShare);
    }
    if (!(toleranceMeters >= 0)) {
      throw usageError("--tolerance: expected 0 or more, found " + toleranceMeters);
    }
    Servers servers = options.servers();
    LocationJobConfig config = options.settings().load(servers, Servers.Kind.KAFKA);
    try (KafkaTopics topics = KafkaTopics.connect(config.kafka())) {
      topics.ensure(config.profileNames());
    }
    ImportSummary summary;
    try (StepProgress progress = TerminalProgress.orSilent()) {
      summary = new CatalogImport(config, maxBadShare, toleranceMeters).run(file, progress);
    }
    boolean mayFind =
        config.relocate() == Relocate.AFTER_IMPORT
            && summary.newCells() + summary.changedCells() > 0;
    if (summary.warning() != null) {
      say(summary.warning());
    }
    ObjectNode node = new ObjectMapper().valueToTree(summary);
    try {
      if (!isJson()) {
        out().println(summary.toLine());
      }
      if (mayFind) {
        startRelocate(servers, node);
      }
    } finally {
      if (isJson()) {
        out().println(node);
      }
    }
    return 0;
  }

  /**
   * Starts the job for the periods from the oldest with a record that lacks a position, unless one
   * runs already.
   */
  private void startRelocate(Servers servers, ObjectNode node) throws InterruptedException {
    try {
      LocationJobConfig config = options.settings().load(servers, Servers.Kind.MONGO);
      Optional<HistoryPartition> oldest = oldestUnlocated(config);
      if (oldest.isEmpty()) {
        return;
      }
      List<FlinkRest.Job> running =
          new FlinkRest(servers.flink()).unfinished(Jobs.RELOCATE.nameIn(config));
      if (!running.isEmpty()) {
        String notice =
            "relocate runs already (%s), and may have read the catalogue before this import: run 'lastfix relocate' when it has ended"
                .formatted(running.get(0).id());
        node.put("relocateNotStarted", notice);
        say(notice);
        return;
      }
      String id =
          new HistoryJobs(servers, options.settings())
              .submitWithOneSubtask(
                  Jobs.RELOCATE, List.of("--from", oldest.get().start().toString()));
      node.put("relocateJob", id);
      if (!isJson()) {
        out()
            .println(
                "Started relocate, for records from %s on stored without a position (%s)"
                    .formatted(oldest.get().start(), id));
      }
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException(
          "the catalogue is imported, but relocate (history.relocate: after-import) was not started: %s. Run 'lastfix relocate'"
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Only the partitions of the configured period count: the job reads no others. */
  private static Optional<HistoryPartition> oldestUnlocated(LocationJobConfig config)
      throws IOException {
    try (QuerySession mongo = new QuerySession(config, QueryOptions.within(QUERY_LIMIT))) {
      HistoryQueries history = mongo.history();
      return history.oldestUnlocated(
          history.partitions(TimeRange.ALL).stream().filter(config.history()::isOfPeriod).toList(),
          QUERY_LIMIT);
    }
  }
}
