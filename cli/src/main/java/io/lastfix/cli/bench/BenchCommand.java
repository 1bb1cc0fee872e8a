package io.lastfix.cli.bench;

import io.lastfix.bench.Bench;
import io.lastfix.bench.BenchOptions;
import io.lastfix.bench.BenchRun;
import io.lastfix.bench.Part;
import io.lastfix.bench.measure.JobAccess;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.Report;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.servers.BenchDatabase;
import io.lastfix.bench.servers.BenchTopics;
import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.common.Servers;
import io.lastfix.cli.output.Table;
import io.lastfix.jobs.config.LocationJobConfig;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
          + " and where its time goes, on the local stack, which the command starts, or on"
          + " servers of your own.",
      "Uses the database "
          + BenchDatabase.DATABASE
          + " and topics that begin with "
          + BenchTopics.PREFIX
          + "; deletes both at the beginning and at the end, so only one benchmark can use the"
          + " same servers at a time. All parts take one to two hours. Run nothing else"
          + " meanwhile.",
      "A stack that the command started stays up; stop it with lastfix down. To measure on a"
          + " separate stack, set LASTFIX_HOME to an empty directory for both commands."
    })
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

  @Mixin private BenchOptions bench = new BenchOptions();

  @Mixin private final AccessOptions job = new AccessOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Set<Part> wanted;
    try {
      bench.check();
      wanted = Part.of(parts);
    } catch (IllegalArgumentException e) {
      throw usageError(e.getMessage());
    }
    BenchRun.requireWritable(bench);
    JobSettings settings = job.settings();
    Servers servers = Servers.start(job.named(), settings, false, this::say);
    try (Bench started = new Bench(new CommandLineJobs(servers, settings), bench, this::say)) {
      List<Exception> failures =
          new BenchRun(started)
              .run(wanted, spec.root().commandLine().getParseResult().originalArgs());
      print(started.report());
      if (!failures.isEmpty()) {
        throw failures.get(0);
      }
    }
    return 0;
  }

  private void print(Report report) {
    if (isJson()) {
      printJson(report.toJson());
    } else {
      report.all().forEach(table -> out().printf("%n%s%n", text(table)));
      out().printf("%nWritten to %s%n", bench.output().toAbsolutePath().normalize());
    }
    out().flush();
  }

  private static String text(ResultTable table) {
    Table text = new Table(table.headings().toArray(String[]::new));
    table.textRows().forEach(row -> text.row(row.toArray(String[]::new)));
    return table.title() + System.lineSeparator() + text;
  }

  /** Prints progress, separately from the results. */
  private void say(String what) {
    err().println(what);
    err().flush();
  }

  /** The servers and the configuration of the command line. */
  private record CommandLineJobs(Servers servers, JobSettings settings) implements JobAccess {
    @Override
    public String flink() {
      return servers.flink();
    }

    @Override
    public Optional<String> local(Server server) {
      return servers.local(
          switch (server) {
            case MONGODB -> Servers.Kind.MONGO;
            case KAFKA -> Servers.Kind.KAFKA;
            case FLINK -> Servers.Kind.FLINK;
          });
    }

    @Override
    public LocationJobConfig load(Map<String, String> keys) {
      return settings.with(keys).load(servers, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    }

    @Override
    public List<String> arguments(Map<String, String> keys) {
      return settings.with(keys).arguments(servers);
    }

    @Override
    public Map<String, String> environment(Map<String, String> keys) {
      return settings.with(keys).environment(servers);
    }
  }
}
