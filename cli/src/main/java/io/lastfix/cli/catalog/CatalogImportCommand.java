package io.lastfix.cli.catalog;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.catalogs.ImportSummary;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.ImportProgress;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.KafkaAdmin;
import io.lastfix.jobs.kafka.KafkaTopics;
import io.lastfix.workload.StepProgress;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix catalog import}: publishes the changes of a catalogue file. */
@Command(
    name = "import",
    description = {
      "Reads an OpenCellID or MLS file (CSV, plain or gzip) and publishes the cells that are new or changed.",
      "A running job uses them at once; stored records do not change."
    })
public final class CatalogImportCommand extends LastfixCommand {
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

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final JobSettings settings = new JobSettings();

  @Override
  public Integer call() throws Exception {
    if (!(maxBadShare >= 0 && maxBadShare <= 1)) {
      throw usageError("--max-bad-share: expected 0 to 1, found " + maxBadShare);
    }
    if (!(toleranceMeters >= 0)) {
      throw usageError("--tolerance: expected 0 or more, found " + toleranceMeters);
    }
    LocationJobConfig config = settings.loadForKafka(endpoints);
    try (Admin admin = KafkaAdmin.connect(config.kafka())) {
      new KafkaTopics(admin, config.kafka()).ensure(config.profileNames());
    }
    ImportSummary summary;
    try (StepProgress progress = ImportProgress.onStandardError()) {
      summary = new CatalogImport(config, maxBadShare, toleranceMeters).run(file, progress);
    }
    PrintWriter out = out();
    out.println(json ? new ObjectMapper().writeValueAsString(summary) : summary.toLine());
    out.flush();
    return 0;
  }
}
