package io.lastfix.cli.catalog;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.catalogs.ImportSummary;
import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.common.TerminalProgress;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.Relocate;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.catalog.CatalogImport;
import io.lastfix.operate.job.HistoryJobs;
import io.lastfix.workload.StepProgress;
import java.nio.file.Path;
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
        CatalogImport.relocate(new HistoryJobs(servers, options.settings()))
            .ifPresent(relocation -> print(relocation, node));
      }
    } finally {
      if (isJson()) {
        out().println(node);
      }
    }
    return 0;
  }

  private void print(CatalogImport.Relocation relocation, ObjectNode node) {
    Optional<String> id = relocation.id();
    node.put(id.isPresent() ? "relocateJob" : "relocateNotStarted", id.orElse(relocation.words()));
    if (id.isEmpty()) {
      say(relocation.words());
    } else if (!isJson()) {
      out().println(relocation.words());
    }
  }
}
