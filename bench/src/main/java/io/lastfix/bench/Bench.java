package io.lastfix.bench;

import io.lastfix.bench.ProcessCpu.Server;
import io.lastfix.bench.stage.StageJob;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.CellSite;
import io.lastfix.stack.Installation;
import io.lastfix.stack.StackHome;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.stack.flink.FlinkRun;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.workload.MessageFormat;
import io.lastfix.workload.SyntheticCells;
import java.io.IOException;
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
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.jspecify.annotations.Nullable;

/** What the parts of the benchmark share: the servers, the workloads, and what was found. */
public final class Bench implements AutoCloseable {
  static final String CELLS_TOPIC = BenchTopics.PREFIX + "cells";
  private static final String JOB_NAME = "lastfix-bench";
  private static final Duration CANCEL_LIMIT = Duration.ofMinutes(1);
  private static final long POLL_MILLIS = 100;

  /** As many as the loader is tried with. */
  static final int MOST_LOADERS = 16;

  /**
   * Records that are sent while something is measured are newer than those that are stored by then,
   * and none is of the future, however fast they are sent.
   */
  static final Duration LIVE_SPAN = Duration.ofDays(10);

  private final JobAccess jobs;
  private final BenchOptions options;
  private final Consumer<String> progress;
  private final Report report = new Report();
  private final ProcessCpu cpu;
  private final List<CellSite> cells = SyntheticCells.grid();
  private final Instant began = Instant.now();
  private final FlinkRest flink;
  private final LocationJobConfig config;
  private final BenchDatabase store;
  private final BenchTopics topics;

  /** To find them out, all messages are made: once. */
  private final Map<Workload, Set<String>> usersByWorkload = new HashMap<>();

  private int submissions;
  private int liveJobs;
  private double ingestRate;
  private double liveMost;
  private int loaders;
  private @Nullable Instant newestLive;

  /**
   * Connects to MongoDB and Kafka.
   *
   * @param progress takes one line for the user at each step
   */
  public Bench(JobAccess jobs, BenchOptions options, Consumer<String> progress)
      throws MongoAccessException {
    this.jobs = jobs;
    this.options = options;
    this.progress = progress;
    this.flink = new FlinkRest(jobs.flink());
    this.config = jobs.load(ownKeys());
    this.store = new BenchDatabase(config, Math.max(options.loaders(), MOST_LOADERS));
    this.cpu = new ProcessCpu(StackHome.ofThisProcess(), onThisMachine());
    this.topics = new BenchTopics(config.kafka());
  }

  /** Whether all servers are the local stack's, so that the CPU of each is seen. */
  boolean isLocalStack() {
    return onThisMachine().containsAll(EnumSet.allOf(Server.class));
  }

  /** The servers that are the local stack's, and not the user's own. */
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

  /** So that nothing of the user's own is read or written. */
  private Map<String, String> ownKeys() {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("job.name", JOB_NAME);
    keys.put("job.parallelism", Integer.toString(options.parallelism()));
    keys.put("mongo.database", BenchDatabase.DATABASE);
    keys.put("kafka.cells-topic", CELLS_TOPIC);
    keys.put("kafka.rejected-topic", BenchTopics.PREFIX + "rejected");
    keys.put("kafka.location-topic-prefix", BenchTopics.PREFIX);
    keys.put("source.start", "earliest");
    keys.put(
        "flink.execution.checkpointing.externalized-checkpoint-retention",
        ExternalizedCheckpointRetention.DELETE_ON_CANCELLATION.name());
    return keys;
  }

  /** What the user asked for. */
  BenchOptions options() {
    return options;
  }

  /** Collects what is found. */
  public Report report() {
    return report;
  }

  ProcessCpu cpu() {
    return cpu;
  }

  FlinkRest flink() {
    return flink;
  }

  /** As the job has it, with the benchmark's own names. */
  LocationJobConfig config() {
    return config;
  }

  BenchDatabase store() {
    return store;
  }

  BenchTopics topics() {
    return topics;
  }

  /** Where devices are heard: 10,000 cells. */
  List<CellSite> cells() {
    return cells;
  }

  /** Tells the user what is being done. */
  void say(String what) {
    progress.accept(what);
  }

  /** The usual records. */
  Workload workload() {
    return new Workload(MessageFormat.ARCANUM, 0, options.records(), options.users(), liveStart());
  }

  /** What the names of the topics of a job that stores what comes in begin with. */
  String nextLivePrefix() {
    liveJobs++;
    return BenchTopics.PREFIX + "live-" + liveJobs + ".";
  }

  /** Later than all records of {@link #workload}. */
  private Instant liveStart() {
    return began.minus(LIVE_SPAN);
  }

  /**
   * Later than all records that were sent so far, by any job: each record shall change a document.
   */
  Instant nextLiveStart() {
    return newestLive == null ? liveStart() : newestLive.plusMillis(1);
  }

  /** Records up to that time were sent. */
  void sentUpTo(Instant newest) {
    newestLive = newest;
  }

  /** Threads with which the loader is fastest here: as measured, or measured now. */
  int loaders() throws Exception {
    if (loaders == 0) {
      loaders = options.loaders() > 0 ? options.loaders() : FloorPart.bestLoaders(this);
    }
    return loaders;
  }

  /** What the job stores of the usual records in a second, as measured in rounds. */
  void ingestRate(double recordsPerSecond) {
    ingestRate = recordsPerSecond;
  }

  /**
   * The same; if it was not measured, this rate that was found by the way, now and from now on, so
   * that all live jobs are warmed up with equally many records.
   */
  double ingestRateOrKeep(double recordsPerSecond) {
    if (ingestRate == 0) {
      ingestRate = recordsPerSecond;
    }
    return ingestRate;
  }

  /** Where a workload's messages are put. */
  static String topic(Workload workload) {
    return prefix(workload) + workload.format().profile();
  }

  private static String prefix(Workload workload) {
    return "%s%s-%d.".formatted(BenchTopics.PREFIX, workload.userKind(), workload.records());
  }

  /** The users that report at all in a workload. */
  Set<String> reportingUsers(Workload workload) {
    return usersByWorkload.computeIfAbsent(workload, it -> it.reportingUsers(cells));
  }

  /** Has Kafka hold the catalogue and all messages of a workload. */
  void fill(Workload workload) throws Exception {
    topics.fillCells(CELLS_TOPIC, cells);
    topics.fill(topic(workload), workload.messages(cells));
  }

  /** The keys for a job that reads a workload from its beginning. */
  static Map<String, String> keys(Workload workload) {
    return keys(prefix(workload), workload.format());
  }

  /** The keys for a job that reads the topic of one format, whose name begins so. */
  static Map<String, String> keys(String topicPrefix, MessageFormat format) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("kafka.location-topic-prefix", topicPrefix);
    keys.put("profiles.names", format.profile());
    return keys;
  }

  /** The location job, with keys over those of the benchmark. */
  RunningJob submit(Map<String, String> keys) throws IOException, InterruptedException {
    Map<String, String> ours = withGroup(keys);
    return new RunningJob(
        flink,
        run().submit(Installation.jobJar(), jobs.arguments(ours), null, jobs.environment(ours)));
  }

  /**
   * The location job up to one of its stages.
   *
   * @param more arguments behind those of the configuration
   */
  RunningJob submitStages(Map<String, String> keys, List<String> more)
      throws IOException, InterruptedException {
    Map<String, String> ours = withGroup(keys);
    List<String> arguments = new ArrayList<>(jobs.arguments(ours));
    arguments.addAll(more);
    return new RunningJob(
        flink,
        run()
            .submit(Installation.stageJobJar(), StageJob.class, arguments, jobs.environment(ours)));
  }

  private FlinkRun run() {
    return new FlinkRun(
        Installation.serverLibraries("flink"), StackHome.ofThisProcess().root(), jobs.flink());
  }

  /** Each job is of a group of its own: what another has read is nothing to it. */
  private Map<String, String> withGroup(Map<String, String> keys) {
    Map<String, String> all = ownKeys();
    all.putAll(keys);
    submissions++;
    all.put("kafka.group-id", "%s-%d-%d".formatted(JOB_NAME, began.toEpochMilli(), submissions));
    return all;
  }

  /** A job of the benchmark: cancelled when it is closed. */
  record RunningJob(FlinkRest flink, String id) implements AutoCloseable {
    /** Fails if the job does not run any more. */
    void requireAlive() throws IOException {
      FlinkRest.Job job = flink.job(id);
      if (job.isOver()) {
        throw new IOException(
            "the measured job is %s: %s. See %s"
                .formatted(
                    job.state(), flink.causeOf(id).orElse("it did not fail"), flink.pageOf(id)));
      }
    }

    /** Cancels it, and waits until its slots are free. */
    @Override
    public void close() throws IOException {
      if (!flink.job(id).isOver()) {
        flink.cancel(id);
      }
      Instant deadline = Instant.now().plus(CANCEL_LIMIT);
      while (!flink.job(id).isOver()) {
        if (Instant.now().isAfter(deadline)) {
          throw new IOException(
              "the measured job did not end within %d s: see %s"
                  .formatted(CANCEL_LIMIT.toSeconds(), flink.pageOf(id)));
        }
        try {
          Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted while the measured job was cancelled", e);
        }
      }
    }
  }

  /** A job that runs beside would be measured too, and slowed down. */
  public void requireQuiet() throws IOException {
    for (FlinkRest.Job job : flink.jobs()) {
      if (job.isOver()) {
        continue;
      }
      if (!job.name().equals(JOB_NAME)) {
        throw new IOException(
            "job '%s' runs on this cluster: stop it first (./lastfix stop location), or measure on a stack of its own (LASTFIX_HOME=/tmp/bench ./lastfix bench)"
                .formatted(job.name()));
      }
      say("Cancelling a job that an earlier benchmark left");
      new RunningJob(flink, job.id()).close();
    }
  }

  /**
   * The most that is stored as fast as a sender beside it sends it, in records a second: as
   * measured, or measured now, by a job of its own, so that what is stored for it is in no store
   * that something else is measured on.
   */
  double liveMost() throws Exception {
    if (liveMost == 0) {
      say("Searching the maximum sustainable rate");
      try (LiveJob job = new LiveJob(this)) {
        liveMost = job.findMost();
        report.surrounding(
            "maximum sustainable rate",
            "%,.0f records/s, kept up beside the sender for some seconds, without queries"
                .formatted(liveMost));
      }
    }
    return liveMost;
  }

  /** Leaves nothing behind. */
  public void cleanUp() throws IOException, InterruptedException {
    store.drop();
    topics.deleteAll();
  }

  @Override
  public void close() {
    topics.close();
    store.close();
  }
}
