package io.lastfix.bench;

import io.lastfix.bench.measure.JobAccess;
import io.lastfix.bench.measure.ProcessCpu;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.Report;
import io.lastfix.bench.servers.BenchDatabase;
import io.lastfix.bench.servers.BenchTopics;
import io.lastfix.bench.stage.StageJob;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.FlinkRun;
import io.lastfix.jobs.AnalyticsJob;
import io.lastfix.jobs.AnalyzeJob;
import io.lastfix.jobs.DevicesJob;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.kit.poll.Poll;
import io.lastfix.model.CellSite;
import io.lastfix.operate.bench.BenchOptions;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.workload.MessageFormat;
import io.lastfix.workload.SyntheticCells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.jspecify.annotations.Nullable;

/** The parts' shared context: the servers, the workloads and the results. */
public final class Bench implements AutoCloseable {
  static final String CELLS_TOPIC = BenchTopics.PREFIX + "cells";

  /** Where measured jobs publish located records, if they do. */
  static final String LOCATED_TOPIC = BenchTopics.PREFIX + "located";

  private static final String JOB_NAME = "lastfix-bench";
  private static final Duration CANCEL_LIMIT = Duration.ofMinutes(1);
  private static final Duration POLL = Duration.ofMillis(100);

  /** The largest number of loader threads that is tried. */
  static final int MAX_LOADERS = 16;

  /**
   * Records sent during a measurement are newer than all stored records, and never lie in the
   * future, however fast they are sent.
   */
  static final Duration LIVE_SPAN = Duration.ofDays(10);

  private final JobAccess jobs;
  private final BenchOptions options;
  private final Consumer<String> progress;
  private final Report report = new Report();
  private final Goals goals = Goals.ofThisBuild();
  private final ProcessCpu cpu;
  private final List<CellSite> cells = SyntheticCells.grid();
  private final Instant began = Instant.now();
  private final FlinkRest flink;
  private final boolean publishes;
  private final LocationJobConfig config;
  private final BenchDatabase store;
  private final BenchTopics topics;

  /** Cached, because finding a workload's users generates all its messages. */
  private final Map<Workload, Set<String>> usersByWorkload = new HashMap<>();

  private int submissions;
  private int liveJobs;
  private int locatedTopics;
  private double ingestRate;
  private double maxSustainableRate;
  private int loaders;
  private @Nullable Instant newestLive;

  /**
   * Connects to MongoDB and Kafka.
   *
   * @param progress receives one line for the user at each step
   */
  public Bench(JobAccess jobs, BenchOptions options, Consumer<String> progress)
      throws MongoAccessException {
    this.jobs = jobs;
    this.options = options;
    this.progress = progress;
    this.flink = new FlinkRest(jobs.flink());
    this.publishes = jobs.load(Map.of()).locatedTopic() != null;
    this.config = jobs.load(ownKeys());
    this.store = new BenchDatabase(config, Math.max(options.loaders(), MAX_LOADERS));
    this.cpu = new ProcessCpu(StackHome.ofThisProcess(), onThisMachine());
    this.topics = new BenchTopics(config.kafka());
  }

  /** Returns whether all servers belong to the local stack, so that the CPU of each is visible. */
  boolean isLocalStack() {
    return onThisMachine().containsAll(EnumSet.allOf(Server.class));
  }

  /** The servers that belong to the local stack, not to the user. */
  private Set<Server> onThisMachine() {
    Set<Server> local = EnumSet.noneOf(Server.class);
    if (jobs.local(Server.MONGODB).filter(config.historyMongo().uri()::equals).isPresent()) {
      local.add(Server.MONGODB);
    }
    if (jobs.local(Server.KAFKA).filter(config.kafka().bootstrapServers()::equals).isPresent()) {
      local.add(Server.KAFKA);
    }
    if (jobs.local(Server.FLINK).filter(jobs.flink()::equals).isPresent()) {
      local.add(Server.FLINK);
    }
    return local;
  }

  /** Keys that keep the benchmark away from the user's database and topics. */
  private Map<String, String> ownKeys() {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("job.name", JOB_NAME);
    keys.put("job.parallelism", Integer.toString(options.parallelism()));
    keys.put("mongo.database", BenchDatabase.DATABASE);
    keys.put("kafka.cells-topic", CELLS_TOPIC);
    keys.put("kafka.rejected-topic", BenchTopics.PREFIX + "rejected");
    keys.put("kafka.location-topic-prefix", BenchTopics.PREFIX + "location.");
    if (publishes) {
      keys.put("located.topic", LOCATED_TOPIC);
    }
    keys.put("analytics.counts-topic", BenchTopics.PREFIX + "counts");
    keys.put("source.start", "earliest");
    keys.put(
        "flink.execution.checkpointing.externalized-checkpoint-retention",
        ExternalizedCheckpointRetention.DELETE_ON_CANCELLATION.name());
    return keys;
  }

  /** The options of the command line. */
  BenchOptions options() {
    return options;
  }

  /** The targets that the parts compare their figures with. */
  Goals goals() {
    return goals;
  }

  /** The results so far. */
  public Report report() {
    return report;
  }

  ProcessCpu cpu() {
    return cpu;
  }

  FlinkRest flink() {
    return flink;
  }

  /** The job's configuration, with the benchmark's own database and topics. */
  LocationJobConfig config() {
    return config;
  }

  BenchDatabase store() {
    return store;
  }

  BenchTopics topics() {
    return topics;
  }

  /** The catalogue of all workloads: 10,000 cells. */
  List<CellSite> cells() {
    return cells;
  }

  /** Prints one line of progress for the user. */
  void say(String what) {
    progress.accept(what);
  }

  /** The default workload: uniformly distributed users. */
  Workload workload() {
    return new Workload(
        MessageFormat.ARCANUM, 0, options.records(), options.users(), liveStart(), 0, 0);
  }

  /**
   * Creates a topic of located records that holds none: the analytics job reads the whole topic.
   */
  String newLocatedTopic() {
    locatedTopics++;
    String topic = "%s-%d".formatted(LOCATED_TOPIC, locatedTopics);
    topics.create(topic);
    return topic;
  }

  /** Returns a new prefix for the topics of a live job. */
  String nextLivePrefix() {
    liveJobs++;
    return BenchTopics.PREFIX + "live-" + liveJobs + ".";
  }

  /** An instant later than all records of {@link #workload}. */
  private Instant liveStart() {
    return began.minus(LIVE_SPAN);
  }

  /**
   * Returns an instant later than all records sent so far by any job, because each record has to
   * change a document.
   */
  Instant nextLiveStart() {
    return newestLive == null ? liveStart() : newestLive.plusMillis(1);
  }

  /** Notes that records up to this instant were sent. */
  void sentUpTo(Instant newest) {
    newestLive = newest;
  }

  /**
   * The fastest number of loader threads here; measured at the first call if no part has done so.
   */
  int loaders() throws Exception {
    if (loaders == 0) {
      loaders = options.loaders() > 0 ? options.loaders() : FloorPart.bestLoaders(this);
    }
    return loaders;
  }

  /**
   * Notes the rate at which the job stores the default workload, in records a second, measured in
   * rounds.
   */
  void ingestRate(double recordsPerSecond) {
    ingestRate = recordsPerSecond;
  }

  /**
   * The rate that {@link #ingestRate(double)} was given. If there is none yet, keeps this rate for
   * all later calls, so that all live jobs are warmed up with the same number of records.
   */
  double ingestRateOrKeep(double recordsPerSecond) {
    if (ingestRate == 0) {
      ingestRate = recordsPerSecond;
    }
    return ingestRate;
  }

  /** The topic of a workload's messages. */
  static String topic(Workload workload) {
    return prefix(workload) + workload.format().profile();
  }

  private static String prefix(Workload workload) {
    return "%s%s-%d.".formatted(BenchTopics.PREFIX, workload.kind(), workload.records());
  }

  /** The users of a workload that report at least once. */
  Set<String> reportingUsers(Workload workload) {
    return usersByWorkload.computeIfAbsent(workload, it -> it.reportingUsers(cells));
  }

  /** Writes the catalogue and all messages of a workload to Kafka. */
  void fill(Workload workload) throws Exception {
    topics.fillCells(CELLS_TOPIC, cells);
    topics.fill(topic(workload), workload.messages(cells));
  }

  /** The keys of a job that reads a workload from its beginning. */
  static Map<String, String> keys(Workload workload) {
    return keys(prefix(workload), workload.format());
  }

  /**
   * The keys of a job that reads the topic of one format.
   *
   * @param topicPrefix of the topic's name
   */
  static Map<String, String> keys(String topicPrefix, MessageFormat format) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("kafka.location-topic-prefix", topicPrefix);
    keys.put("profiles.names", format.profile());
    return keys;
  }

  /**
   * Submits the location job.
   *
   * @param keys override those of the benchmark
   */
  RunningJob submit(Map<String, String> keys) throws IOException, InterruptedException {
    return submit(run(), Installation.jobJar(), keys, List.of());
  }

  /**
   * Submits the location job up to one of its stages.
   *
   * @param more arguments after those of the configuration
   */
  RunningJob submitStages(Map<String, String> keys, List<String> more)
      throws IOException, InterruptedException {
    return submit(run().of(StageJob.class), stageJobJar(), keys, more);
  }

  /**
   * The job that measures the stages of the location job; it holds the job's jar.
   *
   * @throws StackException if it was not built
   */
  public static Path stageJobJar() {
    Path jar =
        Installation.root()
            .resolve(Installation.isArchive() ? "bench" : "bench/target")
            .resolve("lastfix-bench-stage-job.jar");
    if (!Files.isRegularFile(jar)) {
      throw new StackException("no " + jar + ": " + Installation.remedy());
    }
    return jar;
  }

  /** Submits the devices job. */
  RunningJob submitDevices(Map<String, String> keys) throws IOException, InterruptedException {
    return submit(DevicesJob.class, keys, List.of());
  }

  /** Submits the analytics job. */
  RunningJob submitAnalytics(Map<String, String> keys) throws IOException, InterruptedException {
    return submit(AnalyticsJob.class, keys, List.of());
  }

  /**
   * Submits the job that computes numbers from History.
   *
   * @param more arguments after those of the configuration
   */
  RunningJob submitAnalyze(List<String> more) throws IOException, InterruptedException {
    return submit(AnalyzeJob.class, Map.of(), more);
  }

  private RunningJob submit(Class<?> job, Map<String, String> keys, List<String> more)
      throws IOException, InterruptedException {
    return submit(run().of(job), Installation.jobJar(), keys, more);
  }

  private RunningJob submit(FlinkRun run, Path jar, Map<String, String> keys, List<String> more)
      throws IOException, InterruptedException {
    Map<String, String> ours = withGroup(keys);
    List<String> arguments = new ArrayList<>(jobs.arguments(ours));
    arguments.addAll(more);
    return new RunningJob(flink, run.submit(jar, arguments, null, jobs.environment(ours)));
  }

  private FlinkRun run() {
    return new FlinkRun(
        Installation.serverLibraries("flink"), StackHome.ofThisProcess().root(), jobs.flink());
  }

  /** Gives each job its own consumer group, so that no job starts at another's offsets. */
  private Map<String, String> withGroup(Map<String, String> keys) {
    Map<String, String> all = ownKeys();
    all.putAll(keys);
    submissions++;
    all.put("kafka.group-id", "%s-%d-%d".formatted(JOB_NAME, began.toEpochMilli(), submissions));
    return all;
  }

  /** A job of the benchmark, which is cancelled when it is closed. */
  record RunningJob(FlinkRest flink, String id) implements AutoCloseable {
    /** Fails if the job no longer runs. */
    void requireAlive() throws IOException {
      FlinkRest.Job job = flink.job(id);
      if (job.isOver()) {
        throw new IOException(
            "the measured job is %s: %s. See %s"
                .formatted(
                    job.state(), flink.causeOf(id).orElse("it did not fail"), flink.pageOf(id)));
      }
    }

    /** Cancels the job, and waits until its slots are free. */
    @Override
    public void close() throws IOException {
      if (!flink.job(id).isOver()) {
        flink.cancel(id);
      }
      Poll poll = new Poll(POLL, CANCEL_LIMIT);
      while (!flink.job(id).isOver()) {
        try {
          poll.pause(
              () ->
                  new IOException(
                      "the measured job did not end within %d s: see %s"
                          .formatted(CANCEL_LIMIT.toSeconds(), flink.pageOf(id))));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted while the measured job was cancelled", e);
        }
      }
    }
  }

  /** Fails if another job runs: it would be measured too, and slow this one down. */
  void requireQuiet() throws IOException {
    for (FlinkRest.Job job : flink.jobs()) {
      if (job.isOver()) {
        continue;
      }
      if (!isOurs(job)) {
        throw new IOException(
            "job '%s' runs on this cluster: stop it first (lastfix stop location), or measure on another stack (LASTFIX_HOME=/tmp/bench lastfix bench)"
                .formatted(job.name()));
      }
      say("Cancelling a job of an earlier benchmark");
      new RunningJob(flink, job.id()).close();
    }
  }

  private boolean isOurs(FlinkRest.Job job) {
    return Stream.of(Jobs.LOCATION, Jobs.DEVICES, Jobs.ANALYTICS, Jobs.ANALYZE)
        .anyMatch(ours -> ours.nameIn(config).equals(job.name()));
  }

  /**
   * The maximum sustainable rate beside a sender on this machine, in records a second. Measured at
   * the first call by a separate job, so that its records are in no database that another part
   * measures.
   */
  double maxSustainableRate() throws Exception {
    if (maxSustainableRate == 0) {
      say("Searching the maximum sustainable rate");
      try (LiveJob job = new LiveJob(this)) {
        maxSustainableRate = job.findMaxSustainableRate();
        report.environment(
            "maximum sustainable rate",
            "%,.0f records/s, sustained beside the sender for some seconds, without queries"
                .formatted(maxSustainableRate));
      }
    }
    return maxSustainableRate;
  }

  /** Deletes the benchmark's database and topics. */
  void cleanUp() throws IOException, InterruptedException {
    store.drop();
    topics.deleteAll();
  }

  @Override
  public void close() {
    topics.close();
    store.close();
  }
}
