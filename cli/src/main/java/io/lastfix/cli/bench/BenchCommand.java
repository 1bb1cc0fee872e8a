package io.lastfix.cli.bench;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.output.Table;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.bench.BenchOptions;
import io.lastfix.operate.bench.Benchmark;
import io.lastfix.operate.bench.Benchmark.Results;
import io.lastfix.operate.bench.Part;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lastfix bench}: measures MongoDB's rate, and how close Lastfix comes to it. */
@Command(
    name = "bench",
    description = {
      "Measures how many records your MongoDB can store, how close the job comes to that rate,"
          + " and where its time goes. The command starts the local stack, or uses servers of your"
          + " own.",
      "Uses the database "
          + Benchmark.DATABASE
          + " and topics that begin with "
          + Benchmark.TOPIC_PREFIX
          + "; deletes both at the beginning and at the end, so only one benchmark can use the"
          + " same servers at a time. All parts take one to two hours. Run nothing else"
          + " meanwhile.",
      "A stack that the command started stays up; stop it with lastfix down. To measure on a"
          + " separate stack, set LASTFIX_HOME to an empty directory for both commands."
    },
    footer = "  lastfix bench ingest query --records 300000")
public final class BenchCommand extends JsonCommand {
  /** For the description, and for shell completion. */
  static final class PartNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Part.arguments().iterator();
    }
  }

  @Parameters(
      arity = "0..*",
      paramLabel = "PART",
      completionCandidates = PartNames.class,
      description =
          "Parts to measure (default: all but tuning, which takes as long again, located, analytics, gateway, and connect, which must be built first): ${COMPLETION-CANDIDATES}.")
  private List<String> parts = List.of();

  @Mixin private final BenchArguments bench = new BenchArguments();
  @Mixin private final AccessOptions job = new AccessOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    BenchOptions options = accepted("", bench::options);
    Set<Part> wanted = accepted("", () -> Part.of(parts));
    Benchmark benchmark = Benchmark.find();
    options.requireWritable();
    JobSettings settings = job.settings();
    Results results =
        benchmark.run(
            Servers.start(job.named(), settings, Set.of(), this::say),
            settings,
            options,
            wanted,
            spec.root().commandLine().getParseResult().originalArgs(),
            this::say);
    if (isJson()) {
      printJson(results.json());
    } else {
      results.tables().forEach(table -> out().printf("%n%s%n", text(table)));
      out().printf("%nWritten to %s%n", options.output().toAbsolutePath().normalize());
    }
    if (!results.failures().isEmpty()) {
      throw results.failures().get(0);
    }
    return 0;
  }

  private static String text(Benchmark.Table table) {
    Table text = new Table(table.headings().toArray());
    table.rows().forEach(row -> text.row(row.toArray()));
    return table.title() + System.lineSeparator() + text;
  }
}
