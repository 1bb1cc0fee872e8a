package io.lastfix.cli.local;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.audit.RecordAccount;
import io.lastfix.catalogs.CellFile;
import io.lastfix.catalogs.ImportSummary;
import io.lastfix.cli.analysis.Analysis;
import io.lastfix.cli.catalog.CatalogImport;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.InterruptNotice;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.QuerySession;
import io.lastfix.cli.common.Servers;
import io.lastfix.cli.common.StatusLine;
import io.lastfix.cli.common.Terminal;
import io.lastfix.cli.job.DrainCommand;
import io.lastfix.cli.job.HistoryJobCommand;
import io.lastfix.cli.job.StreamJobSettings;
import io.lastfix.cli.output.Sightings;
import io.lastfix.cli.plot.BarPlot;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.AnalyticsConnectors;
import io.lastfix.jobs.kafka.KafkaAdmin;
import io.lastfix.jobs.kafka.KafkaTopics;
import io.lastfix.sink.WriteCountSink;
import io.lastfix.stack.Installation;
import io.lastfix.stack.LocalStack;
import io.lastfix.stack.StackHome;
import io.lastfix.stack.drain.Drain;
import io.lastfix.stack.flink.BoundedJob;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.stack.flink.JobCounts;
import io.lastfix.stack.flink.LocationMetrics;
import io.lastfix.stack.kafka.ConsumerLag;
import io.lastfix.stack.submission.ResumableJob;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.CountQueries;
import io.lastfix.store.query.CountQueries.GroupSum;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.LateReach;
import io.lastfix.store.query.LateRecords;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.ResultQueries.Selection;
import io.lastfix.store.query.SightingJson;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.workload.DrivingTaxis;
import io.lastfix.workload.HeldBack;
import io.lastfix.workload.MessageSender;
import io.lastfix.workload.Pacer;
import io.lastfix.workload.PushProgress;
import io.lastfix.workload.PushSummary;
import io.lastfix.workload.SampleData;
import io.lastfix.workload.StepProgress;
import io.lastfix.workload.TaxiTraces;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lastfix demo}: runs everything on the sample data, with an account of every record at the
 * end.
 *
 * <p>It may be run again: records that are already stored count as duplicates.
 */
@Command(
    name = "demo",
    description = {
      "Starts a local stack with a console, loads San Francisco's cells, replays a slice of its taxis' traces,"
          + " half as XML and half as JSON, some broken and some twice, and shows where three of"
          + " them were last seen. The taxis that send JSON state their cell, their own position, or"
          + " both. Some cells come later; then lastfix relocate finds the positions of their"
          + " records. At the end it computes all numbers from History, as the replay is faster than"
          + " real time, and shows the cells with the most records.",
      "Leaves everything running, and lets the taxis drive on as if it were today, so that they move"
          + " on the map (not with --json); lastfix down stops it."
    })
public final class DemoCommand extends LastfixCommand {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int SHOWN_DEVICES = 3;
  private static final int SHOWN_CELLS = 5;

  private static final TimeRange TRACES = new TimeRange(SampleData.BEGIN, SampleData.END);

  /** Of all numbers that a record of the traces can change. */
  private static final TimeRange ANALYZED = LateReach.of(NumberKind.TRIPS).effectsOf(TRACES);

  /** Of the traces' own time. */
  private static final Duration LAST_MINUTES = Duration.ofMinutes(10);

  /** Of waiting for counts, if not one more record is counted meanwhile. */
  private static final Duration STANDSTILL_LIMIT = Duration.ofMinutes(1);

  private static final long READING_MILLIS = 500;
  private static final int UNCHANGED_READINGS = 4;

  /** The analytics job's, and the relocation's. */
  private static final int SLOTS_OF_TWO_JOBS = 2;

  /** How the user called the command; a clone's script sets it, since it is not on the PATH. */
  private static final String COMMAND_PROPERTY = "lastfix.command";

  /** The job's configuration, in {@code config/}. */
  private static final String CONFIG = "demo.yaml";

  /**
   * Messages at a rate that real devices could have, to measure a record's latency without a
   * backlog.
   */
  private static final int LIVE_MESSAGES = 1_500;

  private static final int LIVE_RATE = 1_000;

  /** Of the package above, which this one may not name. */
  private static final String MAIN_CLASS = "io.lastfix.cli.Lastfix";

  /** How many times as fast as in 2008: some taxi moves in each second. */
  private static final int DRIVEN_SPEED = 5;

  @Option(
      names = "--json",
      description = "Print the summary as JSON; progress goes to standard error.")
  private boolean json;

  @Option(
      names = "--drive",
      description =
          "Only let the taxis drive as if it were today, five times as fast as they did, until you"
              + " stop it.")
  private boolean drive;

  @Mixin private EndpointOptions endpoints = new EndpointOptions();

  @Override
  public Integer call() throws Exception {
    if (drive) {
      drive();
      return 0;
    }
    return InterruptNotice.during(endpoints.overrides().orFrom(System.getenv()), err(), this::run);
  }

  private void drive() throws Exception {
    JobSettings settings = JobSettings.of(Installation.config(CONFIG));
    LocationJobConfig config = settings.load(Servers.resolve(endpoints), Servers.Kind.KAFKA);
    try (DrivingTaxis taxis = sample().driving(DRIVEN_SPEED);
        MessageSender sender =
            new MessageSender(
                MessageSender.newProducer(config.kafka().clientProperties()),
                message -> config.kafka().locationTopic(message.format().profile()))) {
      sender.send(taxis, Pacer.unlimited(), PushProgress.silent());
    }
  }

  private static SampleData sample() throws IOException {
    Path folder = Installation.config("sample");
    return new SampleData(folder, CellFile.read(SampleData.cellsFile(folder)));
  }

  /** In a process of its own, which ends with the stack. */
  private static void startToDrive() {
    new LocalStack(StackHome.ofThisProcess(), line -> {})
        .startBeside(
            "taxis",
            List.of(
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-D%s=%s".formatted(Installation.ROOT_PROPERTY, Installation.root()),
                "-cp",
                shortened(System.getProperty("java.class.path")),
                MAIN_CLASS,
                "demo",
                "--drive"));
  }

  /**
   * The same class path with a folder of jars as one entry: of a longer command line the system
   * shows nothing, and the stack would not find its process.
   */
  static String shortened(String classPath) {
    Map<String, List<String>> byFolder =
        Arrays.stream(classPath.split(File.pathSeparator, -1))
            .collect(
                Collectors.groupingBy(
                    entry -> String.valueOf(Path.of(entry).getParent()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return byFolder.entrySet().stream()
        .flatMap(
            folder ->
                folder.getValue().size() > 1
                        && folder.getValue().stream().allMatch(it -> it.endsWith(".jar"))
                    ? Stream.of(folder.getKey() + File.separator + "*")
                    : folder.getValue().stream())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private int run() throws Exception {
    step("Starting MongoDB, Kafka, Flink and the console");
    JobSettings settings = JobSettings.of(Installation.config(CONFIG));
    Servers servers = Servers.startWithConsole(endpoints, settings, this::say);
    LocationJobConfig config = settings.load(servers, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    SampleData sample = sample();
    FlinkRest flink = new FlinkRest(servers.flink());
    try (Admin admin = KafkaAdmin.connect(config.kafka());
        QuerySession mongo = new QuerySession(config, QueryOptions.within(LIMIT))) {
      new KafkaTopics(admin, config.kafka()).ensure(config.profileNames());

      step("Loading San Francisco's cells into " + config.kafka().cellsTopic());
      say(importEarlierCells(config, sample).toLine());

      ResumableJob job =
          new StreamJobSettings(Jobs.LOCATION, servers, settings, config).resumable();
      Optional<FlinkRest.Job> running = job.findRunning();
      String jobId;
      boolean isResumed = false;
      if (running.isPresent()) {
        step("The location job runs already");
        jobId = running.get().id();
      } else {
        isResumed = job.isRemembered();
        jobId = isResumed ? resume(job) : submit(job);
      }
      say(flink.pageOf(jobId));
      job.awaitRunning(jobId, LIMIT, err()::println);
      boolean isCounted = startToCount(servers, settings, config, flink);
      Drain drain = DrainCommand.drain(flink, admin, config);
      if (isResumed) {
        step("Waiting until earlier messages are stored");
        drain(drain, jobId);
      }

      JobCounts countsBefore = JobCounts.read(flink, jobId, Instant.now());
      long historyBefore = mongo.history().count();
      long rejectedBefore = messagesEver(admin, config);

      step("Pushing taxi traces as XML and JSON, as fast as possible");
      PushSummary burst;
      PushSummary live;
      Duration took;
      try (TaxiTraces messages = sample.messages();
          MessageSender sender =
              new MessageSender(
                  MessageSender.newProducer(config.kafka().clientProperties()),
                  message -> config.kafka().locationTopic(message.format().profile()))) {
        HeldBack burstMessages = new HeldBack(messages, LIVE_MESSAGES);
        Instant began = Instant.now();
        burst = sender.send(burstMessages, Pacer.unlimited(), PushProgress.silent());
        say(burst.toLine());
        step("Waiting until all records are stored");
        drain(drain, jobId);
        took = Duration.between(began, Instant.now());
        say(String.format(Locale.ROOT, "Stored after %.1f s", took.toMillis() / 1000.0));

        step("Pushing the last messages at a live rate, %,d a second".formatted(LIVE_RATE));
        live =
            sender.send(burstMessages.heldBack(), Pacer.ofRate(LIVE_RATE), PushProgress.silent());
        say(live.toLine());
        drain(drain, jobId);
      }
      LocationMetrics metrics = LocationMetrics.readAfter(flink, jobId, Instant.now());
      DemoSummary summary =
          new DemoSummary(
              new RecordAccount(
                  burst.plus(live),
                  JobCounts.of(metrics).since(countsBefore),
                  mongo.history().count() - historyBefore,
                  messagesEver(admin, config) - rejectedBefore),
              burst.records() * 1000.0 / Math.max(1, took.toMillis()),
              metrics.endToEndLatency("median").orElse(Duration.ZERO),
              metrics.endToEndLatency("p95").orElse(Duration.ZERO));
      step("Loading the cells that were left out, and finding the positions of their records");
      say(new CatalogImport(config).run(sample.cellsFile(), StepProgress.silent()).toLine());
      OptionalLong relocated = relocate(servers, settings, flink);
      say(
          relocated.isPresent()
              ? "%,d records stored without a position have one now"
                  .formatted(relocated.getAsLong())
              : "Skipped: no task slot is free for it. Run 'lastfix relocate' on a cluster with more slots ('lastfix up --slots N')");
      // Of a Kafka of the user's own, nobody would stop them.
      boolean isDriving =
          !json && servers.console().isPresent() && servers.named(Servers.Kind.KAFKA).isEmpty();
      Busiest busiest = isCounted ? busiest(mongo.counts(), admin, config) : Busiest.NONE;
      List<LastKnownLocation> devices = lastKnown(sample, mongo);
      if (isDriving) {
        startToDrive();
      }
      if (isCounted && busiest.isComplete()) {
        if (isDriving) {
          awaitClosed(mongo);
        }
        analyze(servers, settings, config, flink);
        busiest = busiest.again(mongo.counts());
      }
      LateRecords late = mongo.late().read(NumberKind.COUNTS, TRACES);
      Optional<String> map =
          servers
              .console()
              .map(it -> it + (isDriving ? "/  (the taxis drive on, as if it were today)" : "/"));
      print(summary, relocated, devices, busiest, late, servers.console(), map);
      if (!summary.account().reconciles()) {
        throw new IOException("the counts do not reconcile: " + summary.account().difference());
      }
    }
    return 0;
  }

  /**
   * Starts the analytics job if it does not run, and the cluster has a slot for it besides the one
   * of the relocation. Returns whether it runs.
   */
  private boolean startToCount(
      Servers servers, JobSettings settings, LocationJobConfig config, FlinkRest flink)
      throws IOException, InterruptedException {
    ResumableJob job =
        new StreamJobSettings(
                Jobs.ANALYTICS, servers, settings.with(Map.of("job.parallelism", "1")), config)
            .resumable();
    Optional<FlinkRest.Job> running = job.findRunning();
    if (running.isPresent()) {
      return true;
    }
    if (flink.slots().available() < SLOTS_OF_TWO_JOBS) {
      return false;
    }
    step("Starting to count, with the analytics job");
    String id = job.isRemembered() ? job.resume().id() : job.submit(null);
    say(flink.pageOf(id));
    job.awaitRunning(id, LIMIT, err()::println);
    return true;
  }

  /**
   * Waits until the analytics job has read each located record and the numbers do not grow any
   * more. If the job stands still, or takes too long, says that the numbers are not complete.
   */
  private Busiest busiest(CountQueries counts, Admin admin, LocationJobConfig config)
      throws IOException, InterruptedException {
    step("Waiting until the records are counted");
    long end = System.nanoTime() + LIMIT.toNanos();
    long standstillEnd = System.nanoTime() + STANDSTILL_LIMIT.toNanos();
    ConsumerLag lag = new ConsumerLag(admin);
    String group = AnalyticsConnectors.groupId(config.kafka());
    Busiest busiest = Busiest.NONE;
    long behind = Long.MAX_VALUE;
    int unchanged = 0;
    while (unchanged < UNCHANGED_READINGS) {
      if (System.nanoTime() > Math.min(end, standstillEnd)) {
        say("The analytics job has not counted all yet: lastfix counts shows the numbers later");
        return new Busiest(busiest.range(), busiest.cells(), false);
      }
      Thread.sleep(READING_MILLIS);
      // The job commits at its checkpoints: before the first one, its group is not there.
      Map<String, Long> byTopic = lag.byGroupAndTopic(group::equals).get(group);
      long before = behind;
      behind =
          byTopic == null
              ? Long.MAX_VALUE
              : byTopic.values().stream().mapToLong(Long::longValue).sum();
      Busiest now =
          counts
              .range(null, null, LAST_MINUTES)
              .map(range -> new Busiest(range, counts.top(range, CountBy.CELL, SHOWN_CELLS), true))
              .orElse(Busiest.NONE);
      boolean isSame = numbers(now.cells()).equals(numbers(busiest.cells()));
      unchanged = behind == 0 && isSame && !now.cells().isEmpty() ? unchanged + 1 : 0;
      if (behind < before || !isSame) {
        standstillEnd = System.nanoTime() + STANDSTILL_LIMIT.toNanos();
      }
      busiest = now;
    }
    return busiest;
  }

  /**
   * The taxis that drive on take event time to the present. Until it is there, the stream has not
   * closed the last hours of the traces, and would write its own numbers after the analysis.
   */
  private void awaitClosed(QuerySession mongo) throws IOException, InterruptedException {
    step("Waiting until the stream has closed the numbers of the traces");
    TimeRange last = new TimeRange(SampleData.END.minus(Duration.ofHours(3)), SampleData.END);
    Selection flows = new Selection(NumberKind.FLOWS, last, PlaceKind.AREA, null);
    long end = System.nanoTime() + STANDSTILL_LIMIT.toNanos();
    while (mongo.results().completeness(flows).open() > 0
        || mongo.counts().sums(last, CountBy.TOTAL, null, 1).completeness().open() > 0) {
      if (System.nanoTime() > end) {
        say("Some are still open: lastfix status says what they lack");
        return;
      }
      Thread.sleep(READING_MILLIS);
    }
  }

  /**
   * Computes all numbers of the traces from History. The replay is faster than real time. Therefore
   * many of its records come too late for the stream. If the analysis fails, the demo continues
   * without it.
   */
  private void analyze(
      Servers servers, JobSettings settings, LocationJobConfig config, FlinkRest flink)
      throws InterruptedException {
    step("Adding the records that came too late for the stream: lastfix analyze all");
    List<NumberKind> kinds = config.analytics().numbers();
    Instant now = Instant.now();
    List<String> arguments =
        new ArrayList<>(
            List.of("--from", ANALYZED.from().toString(), "--to", ANALYZED.to().toString()));
    arguments.addAll(Analysis.arguments(kinds, now));
    try {
      Analysis.Result result =
          new Analysis(config, kinds, true, ANALYZED, now)
              .run(
                  () ->
                      new BoundedJob(
                              flink,
                              HistoryJobCommand.submitWithOneSubtask(
                                  Jobs.ANALYZE,
                                  servers,
                                  settings,
                                  arguments.toArray(String[]::new)))
                          .await(LIMIT, counted -> {}));
      say(
          String.format(
              Locale.ROOT,
              "Counted: %,d records, by the stream alone %,d",
              result.counted().orElse(0),
              result.countedBefore().orElse(0)));
    } catch (IOException e) {
      say("They could not be added: " + e.getMessage());
    }
  }

  /** The cells with the most records of a time. */
  private record Busiest(TimeRange range, List<GroupSum> cells, boolean isComplete) {
    static final Busiest NONE = new Busiest(TimeRange.ALL, List.of(), true);

    Busiest again(CountQueries counts) {
      return new Busiest(range, counts.top(range, CountBy.CELL, SHOWN_CELLS), isComplete);
    }
  }

  /** Without states, which change when a window closes. */
  private static Map<String, Long> numbers(List<GroupSum> sums) {
    return sums.stream().collect(Collectors.toMap(GroupSum::key, GroupSum::n));
  }

  /** Loads the catalogue without some cells, so that {@code relocate} has something to find. */
  private static ImportSummary importEarlierCells(LocationJobConfig config, SampleData sample)
      throws Exception {
    Path file = Files.createTempFile("lastfix-cells", ".csv");
    try {
      sample.writeEarlierCells(file);
      return new CatalogImport(config).run(file, StepProgress.silent());
    } finally {
      Files.delete(file);
    }
  }

  /** Returns how many records got a position; empty if the cluster has no free slot. */
  private static OptionalLong relocate(Servers servers, JobSettings settings, FlinkRest flink)
      throws IOException, InterruptedException {
    if (flink.slots().available() == 0) {
      return OptionalLong.empty();
    }
    String id = HistoryJobCommand.submitWithOneSubtask(Jobs.RELOCATE, servers, settings);
    return OptionalLong.of(
        HistoryJobCommand.count(
            new BoundedJob(flink, id).await(LIMIT, counted -> {}), WriteCountSink.WRITTEN));
  }

  private String submit(ResumableJob job) throws IOException, InterruptedException {
    step("Submitting the location job");
    return job.submit(null);
  }

  private String resume(ResumableJob job) throws IOException, InterruptedException {
    step("Resuming the location job");
    return job.resume().id();
  }

  private static void drain(Drain drain, String jobId) throws IOException, InterruptedException {
    try (StatusLine status = StatusLine.onStandardError()) {
      drain.await(jobId, LIMIT, status::show);
    }
  }

  /** The number of messages ever written to the rejected topic. */
  private static long messagesEver(Admin admin, LocationJobConfig config) throws IOException {
    return new ConsumerLag(admin)
        .ranges(List.of(config.kafka().rejectedTopic())).values().stream()
            .mapToLong(ConsumerLag.Range::end)
            .sum();
  }

  /** The first devices of the sample. */
  private static List<LastKnownLocation> lastKnown(SampleData sample, QuerySession mongo)
      throws IOException {
    Set<String> users = new LinkedHashSet<>();
    try (TaxiTraces messages = sample.messages()) {
      while (users.size() < SHOWN_DEVICES && messages.hasNext()) {
        messages.next().records().forEach(record -> users.add(record.user()));
      }
    }
    LastKnownLocationQueries queries = mongo.lastKnownLocation();
    return users.stream()
        .limit(SHOWN_DEVICES)
        .map(queries::where)
        .flatMap(Optional::stream)
        .toList();
  }

  private void print(
      DemoSummary summary,
      OptionalLong relocated,
      List<LastKnownLocation> devices,
      Busiest busiest,
      LateRecords late,
      Optional<String> console,
      Optional<String> map) {
    PrintWriter out = out();
    if (json) {
      ObjectNode node = summary.toJson();
      relocated.ifPresent(records -> node.put("relocated", records));
      ArrayNode array = node.putArray("lastKnownLocation");
      devices.forEach(device -> array.add(SightingJson.of(device)));
      node.put("isCounted", busiest.isComplete());
      ArrayNode cells = node.putArray("busiestCells");
      busiest.cells().forEach(cell -> cells.addObject().put("k", cell.key()).put("n", cell.n()));
      late.addTo(node);
      console.ifPresent(address -> node.put("console", address));
      out.println(node);
    } else {
      out.println();
      out.println(summary.toText());
      relocated.ifPresent(
          records ->
              out.println(
                  DemoSummary.line(
                      "Located later", records, "of those stored without coordinates: relocate")));
      out.println();
      out.println("Last known location of three taxis:");
      out.println(
          Sightings.toTable(
              devices.stream().flatMap(device -> device.sightings().stream()).toList()));
      out.println();
      if (!busiest.cells().isEmpty()) {
        BarPlot plot =
            new BarPlot(
                "the busiest cells from %s to %s%s"
                    .formatted(
                        busiest.range().from(),
                        busiest.range().to(),
                        busiest.isComplete() ? "" : ", counted so far"),
                "cell",
                "records");
        busiest.cells().forEach(cell -> plot.add(cell.key(), cell.n()));
        out.println(plot.toText(Terminal.width(), !Terminal.hasStandardOutput()));
        out.println();
      }
      late.text("the numbers of the traces")
          .ifPresent(
              text -> {
                out.println(text);
                out.println();
              });
      String user = devices.isEmpty() ? "USER" : devices.get(0).last().user();
      map.ifPresent(it -> out.println("Map:            " + it));
      out.println(nextCommands(System.getProperty(COMMAND_PROPERTY, "lastfix"), user));
    }
    out.flush();
  }

  /**
   * Suggested next commands, as typed in the repository's root.
   *
   * @param lastfix how the user called this command
   */
  static String nextCommands(String lastfix, String user) {
    return """
        Query:          %1$s where %2$s
                        %1$s history %2$s --limit 10
                        %1$s counts --plot
                        %1$s density --by area
                        %1$s status
        Keep running:   %1$s supervise location --config config/%3$s
        Stop all of it: %1$s down"""
        .formatted(lastfix, user, CONFIG);
  }

  private void step(String what) {
    write("==> " + what);
  }

  private void say(String what) {
    write("    " + what);
  }

  private void write(String line) {
    PrintWriter writer = json ? err() : out();
    writer.println(line);
    writer.flush();
  }
}
