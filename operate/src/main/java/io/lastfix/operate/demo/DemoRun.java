package io.lastfix.operate.demo;

import io.lastfix.audit.RecordAccount;
import io.lastfix.catalogs.CellFile;
import io.lastfix.catalogs.ImportSummary;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.flink.BoundedJob;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.JobCounts;
import io.lastfix.cluster.flink.LocationMetrics;
import io.lastfix.cluster.submission.ResumableJob;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.poll.Poll;
import io.lastfix.local.ConsoleServer;
import io.lastfix.local.EndpointOverrides;
import io.lastfix.local.NotifyServer;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.analysis.Analysis;
import io.lastfix.operate.catalog.CatalogImport;
import io.lastfix.operate.job.HistoryJobs;
import io.lastfix.operate.job.LocationDrain;
import io.lastfix.operate.job.StreamJobSettings;
import io.lastfix.operate.rules.RuleStore;
import io.lastfix.rebuild.WriteCounter;
import io.lastfix.rules.fence.FenceReader;
import io.lastfix.rules.text.TextException;
import io.lastfix.store.alerts.AlertQueries;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.CountQueries.GroupSum;
import io.lastfix.store.query.numbers.LateReach;
import io.lastfix.store.query.numbers.ResultQueries.Selection;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.workload.MessageSender;
import io.lastfix.workload.Pacer;
import io.lastfix.workload.PushSummary;
import io.lastfix.workload.SampleCounts;
import io.lastfix.workload.SampleData;
import io.lastfix.workload.StepProgress;
import io.lastfix.workload.TaxiTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * The steps of the demo. The job that judges starts before all records, and the job that counts
 * before the taxis drive on, so that it counts all of their records.
 *
 * @param driver the main class of the {@code lastfix} command, if the taxis are to drive on
 */
public record DemoRun(
    JobSettings settings,
    Servers servers,
    LocationJobConfig config,
    SampleData sample,
    FlinkRest flink,
    Admin admin,
    QuerySession mongo,
    Optional<Class<?>> driver,
    Heartbeat progress) {
  /** The job's configuration, in {@code config/}. */
  static final String CONFIG = "demo.yaml";

  /** The rule that the rules job judges by, in {@code config/rules}. */
  static final String RULE = "left-airport";

  /** The rule's fence, in {@code config/fences}. */
  private static final String FENCE = "sfo";

  /** The rule's webhook is that of notify's file in a new home. */
  private static final Set<String> SERVICES = Set.of(ConsoleServer.NAME, NotifyServer.NAME);

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int SHOWN_DEVICES = 3;
  private static final int SHOWN_CELLS = 5;

  private static final TimeRange TRACES = new TimeRange(SampleData.BEGIN, SampleData.END);

  /** Of all numbers that a record of the traces can change. */
  private static final TimeRange ANALYZED = LateReach.of(NumberKind.TRIPS).effectsOf(TRACES);

  /** Of the traces' own time. */
  private static final TimeRange LAST_MINUTES =
      new TimeRange(SampleData.END.minus(Duration.ofMinutes(10)), SampleData.END);

  /** Of waiting until the stream has closed the traces' last windows. */
  private static final Duration STANDSTILL_LIMIT = Duration.ofMinutes(1);

  private static final Duration READING = Duration.ofMillis(500);

  /** The analytics job's, and that of the analysis. */
  private static final int SLOTS_OF_TWO_JOBS = 2;

  /** Those, and the one of the rules job. */
  private static final int SLOTS_OF_THREE_JOBS = 3;

  /**
   * Messages at a rate that real devices could have, to measure a record's latency without a
   * backlog.
   */
  private static final int LIVE_MESSAGES = 1_500;

  private static final int LIVE_RATE = 1_000;

  /**
   * Starts what does not run, and runs all steps.
   *
   * @param named the user's own servers
   * @param driver the main class of the {@code lastfix} command, which lets the taxis drive on at
   *     the end if the servers are the local stack's; empty: they do not
   */
  public static DemoResult run(
      EndpointOverrides named, Optional<Class<?>> driver, Heartbeat progress) throws Exception {
    progress.step("Starting MongoDB, Kafka, Flink, the console and notify");
    JobSettings settings = new JobSettings(Installation.config(CONFIG), List.of());
    Servers servers = Servers.start(named, settings, SERVICES, progress::say);
    LocationJobConfig config = settings.load(servers, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    try (Admin admin = KafkaAdmin.connect(config.kafka());
        QuerySession mongo = new QuerySession(config, QueryOptions.within(LIMIT))) {
      // Of a Kafka of the user's own, no command would stop them.
      boolean isOwn = servers.console().isPresent() && servers.named(Servers.Kind.KAFKA).isEmpty();
      return new DemoRun(
              settings,
              servers,
              config,
              readSample(),
              new FlinkRest(servers.flink()),
              admin,
              mongo,
              driver.filter(it -> isOwn),
              progress)
          .run();
    }
  }

  private DemoResult run() throws Exception {
    servers.console().ifPresent(it -> progress.say("Map: " + it + "/"));
    new KafkaTopics(admin, config.kafka()).ensure(config.profileNames());
    progress.step("Loading San Francisco's cells into " + config.kafka().cellsTopic());
    progress.say(importEarlierCells().toLine());
    String jobId = startLocationJob();
    boolean isJudging = startToJudge();
    DemoSummary summary = replay(jobId);
    Map<TopicPartition, ConsumerLag.Range> located =
        new ConsumerLag(admin)
            .ranges(List.of(Objects.requireNonNull(config.locatedTopic(), "demo.yaml sets it")));
    boolean isCounting = startToCount();
    driver.ifPresent(
        mainClass -> {
          progress.step("Letting the taxis drive on, as if it were today");
          TaxiDrive.start(mainClass);
        });
    OptionalLong relocated = relocate();
    boolean isCounted = !isCounting || count(located);
    OptionalLong alerts = isJudging ? OptionalLong.of(alerts(located)) : OptionalLong.empty();
    return new DemoResult(
        summary,
        relocated,
        lastKnown(),
        LAST_MINUTES,
        isCounting
            ? mongo.counts().top(LAST_MINUTES, CountBy.CELL, SHOWN_CELLS)
            : List.<GroupSum>of(),
        isCounted,
        mongo.late().read(NumberKind.COUNTS, TRACES),
        alerts,
        servers.console(),
        driver.isPresent());
  }

  /** Returns the job's id; one that was resumed has stored all earlier messages. */
  private String startLocationJob() throws IOException, InterruptedException {
    ResumableJob job = new StreamJobSettings(Jobs.LOCATION, servers, settings, config).resumable();
    Optional<FlinkRest.Job> running = job.findRunning();
    boolean isResumed = running.isEmpty() && job.isRemembered();
    progress.step(
        running.isPresent()
            ? "The location job runs already"
            : (isResumed ? "Resuming" : "Submitting") + " the location job");
    String id;
    if (running.isPresent()) {
      id = running.get().id();
    } else {
      id = isResumed ? job.resume().id() : job.submit(null, false);
    }
    progress.say(flink.pageOf(id));
    job.awaitRunning(id, LIMIT, progress::show);
    if (isResumed) {
      progress.step("Waiting until earlier messages are stored");
      drain(id);
    }
    return id;
  }

  /** Sends the traces and waits until each record is stored. */
  private DemoSummary replay(String jobId) throws Exception {
    JobCounts countsBefore = JobCounts.of(LocationMetrics.readAfter(flink, jobId, Instant.now()));
    long historyBefore = mongo.history().count();
    long rejectedBefore = messagesEver();
    progress.step("Pushing taxi traces as XML and JSON, as fast as possible");
    PushSummary burst;
    PushSummary live;
    Duration took;
    try (TaxiTraces messages = sample.messages();
        MessageSender sender = sender(config)) {
      // Reading the traces once is no part of the rate.
      SampleCounts all = sample.counts();
      long burstMessages = all.messages() - LIVE_MESSAGES;
      Instant began = Instant.now();
      burst =
          sender.send(
              Stream.generate(messages::next).limit(burstMessages).iterator(),
              Pacer.unlimited(),
              pushed(all.records()));
      progress.say(burst.toLine());
      progress.step("Waiting until all records are stored");
      drain(jobId);
      took = Duration.between(began, Instant.now());
      progress.say(String.format(Locale.ROOT, "Stored after %.1f s", took.toMillis() / 1000.0));

      progress.step("Pushing the last messages at a live rate, %,d a second".formatted(LIVE_RATE));
      live = sender.send(messages, Pacer.ofRate(LIVE_RATE), sent -> {});
      progress.say(live.toLine());
      drain(jobId);
    }
    LocationMetrics metrics = LocationMetrics.readAfter(flink, jobId, Instant.now());
    return new DemoSummary(
        new RecordAccount(
            burst.plus(live),
            JobCounts.of(metrics).since(countsBefore),
            mongo.history().count() - historyBefore,
            messagesEver() - rejectedBefore),
        burst.records() * 1000.0 / Math.max(1, took.toMillis()),
        metrics.endToEndLatency("median").orElse(Duration.ZERO),
        metrics.endToEndLatency("p95").orElse(Duration.ZERO));
  }

  static SampleData readSample() throws IOException {
    Path folder = Installation.config("sample");
    return new SampleData(folder, CellFile.read(SampleData.cellsFile(folder)));
  }

  /** Sends each message to the topic of its profile. */
  static MessageSender sender(LocationJobConfig config) {
    return new MessageSender(
        MessageSender.newProducer(config.kafka().clientProperties()),
        message -> config.kafka().locationTopic(message.format().profile()));
  }

  private LongConsumer pushed(long all) {
    AtomicLong sent = new AtomicLong();
    return count -> progress.show("%,d of %,d records sent".formatted(sent.addAndGet(count), all));
  }

  /**
   * Puts the demo's rule, and starts the rules job if it does not run, and the cluster has slots
   * for it and the jobs that follow. Returns whether it runs. Without earlier state it judges what
   * comes from now on.
   */
  private boolean startToJudge() throws IOException, InterruptedException, TextException {
    putRule();
    if (!start(
        Jobs.RULES,
        Map.of(),
        SLOTS_OF_THREE_JOBS,
        "Starting the rules job, which judges by config/rules/%s.yaml".formatted(RULE))) {
      progress.say(
          "No alerts: no task slot is free for the rules job. Run the demo on a cluster with more slots ('lastfix up --slots N')");
      return false;
    }
    // Its tasks may run before it has decided where in the topic it begins.
    ConsumerLag lag = new ConsumerLag(admin);
    String group = Jobs.RULES.groupId(config.kafka());
    var unused =
        Poll.until(
            READING,
            LIMIT,
            () -> lag.committed(group),
            committed ->
                committed.keySet().stream()
                    .anyMatch(it -> it.topic().equals(config.locatedTopic())));
    return true;
  }

  private void putRule() throws IOException, TextException {
    RuleStore rules = RuleStore.open(config, true);
    Path fence = Installation.config("fences/%s.geojson".formatted(FENCE));
    Path rule = Installation.config("rules/%s.yaml".formatted(RULE));
    var unusedFence = rules.putFence(FenceReader.read(FENCE, Files.readString(fence), null));
    var unusedRule = rules.putRule(Files.readString(rule));
  }

  /**
   * Starts the analytics job if it does not run, and the cluster has a slot for it besides the one
   * of the analysis. Returns whether it runs. The first time it begins behind the traces: their
   * replay is faster than real time, so that many of their records would come too late for it.
   */
  private boolean startToCount() throws IOException, InterruptedException {
    return start(
        Jobs.ANALYTICS,
        Map.of("source.start", "latest"),
        SLOTS_OF_TWO_JOBS,
        "Starting the analytics job, which counts what comes from now on");
  }

  /**
   * Starts a job with one subtask if it does not run, and the cluster has slots for it and others.
   * Returns whether it runs.
   *
   * @param keys of its configuration, over those of the demo
   */
  private boolean start(Jobs.Job stream, Map<String, String> keys, int slots, String step)
      throws IOException, InterruptedException {
    ResumableJob job =
        new StreamJobSettings(
                stream, servers, settings.with(Map.of("job.parallelism", "1")).with(keys), config)
            .resumable();
    if (job.findRunning().isPresent()) {
      return true;
    }
    if (flink.slots().available() < slots) {
      return false;
    }
    progress.step(step);
    String id = job.resumeOrSubmit();
    progress.say(flink.pageOf(id));
    job.awaitRunning(id, LIMIT, progress::show);
    return true;
  }

  /**
   * Waits until a job has read those records. Returns whether it has; it commits at its
   * checkpoints.
   */
  private boolean awaitRead(Jobs.Job job, Map<TopicPartition, ConsumerLag.Range> located)
      throws IOException, InterruptedException {
    ConsumerLag lag = new ConsumerLag(admin);
    String group = job.groupId(config.kafka());
    long left =
        Poll.until(
            READING,
            LIMIT,
            () -> {
              long now =
                  lag.byTopic(group, located).values().stream().mapToLong(Long::longValue).sum();
              progress.show("%,d located records left".formatted(now));
              return now;
            },
            now -> now == 0);
    return left == 0;
  }

  /** Returns the number of alerts about the traces. */
  private long alerts(Map<TopicPartition, ConsumerLag.Range> located)
      throws IOException, InterruptedException {
    if (!awaitRead(Jobs.RULES, located)) {
      progress.say("The rules job has not judged all yet: lastfix alerts shows the alerts later");
    }
    AlertQueries.Selection ofRule = new AlertQueries.Selection(RULE, null);
    return mongo
        .alerts()
        .read(ofRule, TRACES, TimeOrder.OLDEST_FIRST, Integer.MAX_VALUE, progress::say)
        .size();
  }

  /**
   * Waits until the stream has read the traces, if it had begun before them, and counts them from
   * History. Returns whether all is counted.
   */
  private boolean count(Map<TopicPartition, ConsumerLag.Range> located)
      throws IOException, InterruptedException {
    if (!awaitRead(Jobs.ANALYTICS, located)) {
      progress.say(
          "The analytics job has not counted all yet: lastfix counts shows the numbers later");
      return false;
    }
    if (driver.isPresent()) {
      awaitClosed();
    }
    analyze();
    return true;
  }

  /**
   * The taxis that drive on take event time to the present. Until it is there, the stream has not
   * closed the last hours of the traces, and would write its own numbers after the analysis.
   */
  private void awaitClosed() throws IOException, InterruptedException {
    TimeRange last = new TimeRange(SampleData.END.minus(Duration.ofHours(3)), SampleData.END);
    Selection flows = new Selection(NumberKind.FLOWS, last, PlaceKind.AREA, null, null);
    Poll poll = new Poll(READING, STANDSTILL_LIMIT);
    while (mongo.results().completeness(flows).open() > 0
        || mongo.counts().sums(last, CountBy.TOTAL, null, 1).completeness().open() > 0) {
      if (poll.isOver()) {
        progress.say("Some are still open: lastfix status says what they lack");
        return;
      }
      progress.show("waiting until the stream has closed the numbers of the traces");
      poll.pause();
    }
  }

  /**
   * Computes all numbers of the traces from History. If the analysis fails, the demo continues
   * without it.
   */
  private void analyze() throws InterruptedException {
    progress.step("Counting the traces by cell, area and hour, from History: lastfix analyze all");
    List<NumberKind> kinds = config.analytics().numbers();
    Instant now = Instant.now();
    List<String> arguments =
        new ArrayList<>(
            List.of("--from", ANALYZED.from().toString(), "--to", ANALYZED.to().toString()));
    arguments.addAll(Analysis.arguments(kinds, now));
    try {
      Analysis.Result result =
          new Analysis(config, kinds, true, ANALYZED, now)
              .run(() -> readHistory(Jobs.ANALYZE, arguments), progress::show);
      progress.say(String.format(Locale.ROOT, "Counted: %,d records", result.counted().orElse(0)));
    } catch (IOException e) {
      progress.say("They could not be counted: " + e.getMessage());
    }
  }

  /** Loads the catalogue without some cells, so that {@code relocate} has something to find. */
  private ImportSummary importEarlierCells() throws Exception {
    Path file = Files.createTempFile("lastfix-cells", ".csv");
    try {
      sample.writeEarlierCells(file);
      return new CatalogImport(config).run(file, StepProgress.silent());
    } finally {
      Files.delete(file);
    }
  }

  /** Returns how many records got a position; empty if the cluster has no free slot. */
  private OptionalLong relocate() throws Exception {
    progress.step(
        "Loading the cells that were left out, and finding the positions of their records");
    progress.say(new CatalogImport(config).run(sample.cellsFile(), StepProgress.silent()).toLine());
    if (flink.slots().available() == 0) {
      progress.say(
          "Skipped: no task slot is free for it. Run 'lastfix relocate' on a cluster with more slots ('lastfix up --slots N')");
      return OptionalLong.empty();
    }
    long relocated = HistoryJobs.count(readHistory(Jobs.RELOCATE, List.of()), WriteCounter.WRITTEN);
    progress.say("%,d records stored without a position have one now".formatted(relocated));
    return OptionalLong.of(relocated);
  }

  /** Runs a job over History to its end, and returns its accumulators. */
  private Map<String, String> readHistory(Jobs.Job job, List<String> arguments)
      throws IOException, InterruptedException {
    String id = new HistoryJobs(servers, settings).submitWithOneSubtask(job, arguments);
    return new BoundedJob(flink, id)
        .await(LIMIT, counted -> progress.show("reading History: job " + id));
  }

  private void drain(String jobId) throws IOException, InterruptedException {
    List<String> topics = config.kafka().locationTopics(config.profileNames());
    LocationDrain.of(flink, admin, config, topics).await(jobId, LIMIT, progress::show);
  }

  /** The number of messages ever written to the rejected topic. */
  private long messagesEver() throws IOException {
    return new ConsumerLag(admin)
        .ranges(List.of(config.kafka().rejectedTopic())).values().stream()
            .mapToLong(ConsumerLag.Range::end)
            .sum();
  }

  /** The first devices of the sample. */
  private List<LastKnownLocation> lastKnown() throws IOException {
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
}
