package io.lastfix.cli.bench;

import io.lastfix.bench.Bench;
import io.lastfix.bench.BenchDatabase;
import io.lastfix.bench.BenchOptions;
import io.lastfix.bench.BenchPart;
import io.lastfix.bench.BenchTopics;
import io.lastfix.bench.BurstPart;
import io.lastfix.bench.ConnectPart;
import io.lastfix.bench.DecodersPart;
import io.lastfix.bench.FloorPart;
import io.lastfix.bench.FreshnessPart;
import io.lastfix.bench.HostInfo;
import io.lastfix.bench.IngestPart;
import io.lastfix.bench.JobAccess;
import io.lastfix.bench.MemoryPart;
import io.lastfix.bench.ProcessCpu.Server;
import io.lastfix.bench.QueryPart;
import io.lastfix.bench.Report;
import io.lastfix.bench.ResultTable;
import io.lastfix.bench.ScalePart;
import io.lastfix.bench.StagesPart;
import io.lastfix.bench.TuningPart;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.Servers;
import io.lastfix.cli.output.Table;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.stack.Installation;
import io.lastfix.stack.Redaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.GlobalConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
public final class BenchCommand extends LastfixCommand {
  /** For the description, and for shell completion. */
  static final class PartNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Part.values()).map(Part::argument).iterator();
    }
  }

  /** The parts, in the order in which they are measured. */
  enum Part {
    FLOOR("the rate of plain loaders"),
    INGEST("the whole job, compared with those loaders"),
    TUNING("ingest with one setting changed at a time"),
    CONNECT("Kafka Connect's MongoDB sink, compared with the job"),
    STAGES("where the job's time goes"),
    DECODERS("decoders and serializers alone"),
    QUERY("queries while the job ingests"),
    FRESHNESS("time until a query finds a record"),
    BURST("twenty times the steady rate for a minute"),
    MEMORY("state and heap per cell and per user"),
    SCALE("rate by parallelism");

    private final String words;

    Part(String words) {
      this.words = words;
    }

    /** The name on the command line. */
    String argument() {
      return name().toLowerCase(Locale.ROOT);
    }

    BenchPart create() {
      return switch (this) {
        case FLOOR -> new FloorPart();
        case INGEST -> new IngestPart();
        case TUNING -> new TuningPart();
        case CONNECT -> new ConnectPart();
        case STAGES -> new StagesPart();
        case DECODERS -> new DecodersPart();
        case QUERY -> new QueryPart();
        case FRESHNESS -> new FreshnessPart();
        case BURST -> new BurstPart();
        case MEMORY -> new MemoryPart();
        case SCALE -> new ScalePart();
      };
    }
  }

  @Parameters(
      arity = "0..*",
      paramLabel = "PART",
      completionCandidates = PartNames.class,
      description =
          "Parts to measure (default: all but tuning, which takes as long again, and connect, which must be built first): ${COMPLETION-CANDIDATES}.")
  private List<String> parts = List.of();

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(names = "--json", description = "Print the results as JSON.")
  private boolean json;

  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final JobSettings settings = new JobSettings();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    try {
      options.check();
    } catch (IllegalArgumentException e) {
      throw usageError(e.getMessage());
    }
    Set<Part> wanted = wanted();
    // Before the servers are started and an hour is spent.
    requireWritable(options.output());
    Servers servers = Servers.start(endpoints, settings, this::say);
    try (Bench bench = new Bench(new CommandLineJobs(servers, settings), options, this::say)) {
      bench.requireQuiet();
      bench.cleanUp();
      List<Exception> failures = measure(bench, wanted);
      bench.cleanUp();
      print(bench.report());
      if (!failures.isEmpty()) {
        throw failures.get(0);
      }
    }
    return 0;
  }

  /**
   * Checks the directory without changing the results of an earlier run, which are still useful if
   * this one fails.
   */
  private static void requireWritable(Path directory) throws IOException {
    Files.delete(Files.createTempFile(Files.createDirectories(directory), "bench", null));
  }

  private Set<Part> wanted() {
    if (parts.isEmpty()) {
      Set<Part> defaults = EnumSet.complementOf(EnumSet.of(Part.TUNING, Part.CONNECT));
      if (Installation.isArchive()) {
        defaults.remove(Part.DECODERS);
      }
      return defaults;
    }
    Set<Part> wanted = EnumSet.noneOf(Part.class);
    for (String argument : parts) {
      wanted.add(
          Arrays.stream(Part.values())
              .filter(part -> part.argument().equalsIgnoreCase(argument))
              .findFirst()
              .orElseThrow(
                  () ->
                      usageError(
                          "unknown part '%s': expected any of %s"
                              .formatted(argument, String.join(", ", new PartNames())))));
    }
    return wanted;
  }

  /** Measures one part after the other; the results of a part stay useful if another one fails. */
  private List<Exception> measure(Bench bench, Set<Part> wanted) throws IOException {
    HostInfo.describe(bench, commandLine());
    List<Exception> failures = new ArrayList<>();
    for (Part part : wanted) {
      String name = part.argument();
      say("==> " + name + ": " + part.words);
      bench.requireQuiet();
      try {
        part.create().run(bench);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while " + name + " was measured", e);
      } catch (Exception e) {
        say("%s has failed: %s".formatted(name, e.getMessage()));
        failures.add(new IOException("%s: %s".formatted(name, e.getMessage()), e));
      }
      bench.report().write(options.output());
    }
    return failures;
  }

  private void print(Report report) {
    if (json) {
      printJson(report.toJson());
    } else {
      report.all().forEach(table -> out().printf("%n%s%n", text(table)));
      out().printf("%nWritten to %s%n", options.output().toAbsolutePath().normalize());
    }
    out().flush();
  }

  private static String text(ResultTable table) {
    Table text = new Table(table.headings().toArray(String[]::new));
    table.textRows().forEach(row -> text.row(row.toArray(String[]::new)));
    return table.title() + System.lineSeparator() + text;
  }

  /** The command line without secret values, because it is written with the results. */
  private String commandLine() {
    List<String> words = new ArrayList<>();
    for (String word : spec.root().commandLine().getParseResult().originalArgs()) {
      int equals = word.indexOf('=');
      words.add(
          equals > 0 && maySetASecret(word.substring(0, equals))
              ? word.substring(0, equals) + "=..."
              : Redaction.redact(word));
    }
    return "lastfix " + String.join(" ", words);
  }

  private static boolean maySetASecret(String key) {
    return GlobalConfiguration.isSensitive(key)
        || key.contains("uri")
        || key.contains("privacy.")
        || key.contains("kafka.properties.");
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
