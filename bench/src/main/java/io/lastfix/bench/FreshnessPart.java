package io.lastfix.bench;

import com.mongodb.client.MongoDatabase;
import io.lastfix.bench.Probes.Probe;
import io.lastfix.bench.Probes.Probed;
import io.lastfix.bench.load.Latencies;
import io.lastfix.bench.measure.CheckpointWatch;
import io.lastfix.bench.measure.CpuColumns;
import io.lastfix.bench.measure.Goal;
import io.lastfix.bench.measure.ProcessCpu.Reading;
import io.lastfix.bench.measure.Report;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.plot.CheckpointTimeline.Span;
import io.lastfix.bench.plot.LinePlot;
import io.lastfix.operate.bench.BenchOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/** The time from Kafka's client until a query finds a record in MongoDB. */
final class FreshnessPart implements BenchPart {
  private static final double[] SHARES = {0.1, 0.5, 0.9};
  private static final Duration SETTLING = Duration.ofSeconds(5);
  private static final int PROBED_SECONDS_FACTOR = 6;

  /**
   * MongoDB begins a checkpoint a minute after the last one ended. Each load thus contains about
   * one; the table names its duration.
   */
  private static final Duration MIN_PROBED = Duration.ofSeconds(65);

  private static final double MILLIS = 1e6;

  /** The load of the goals. */
  private static final double GOAL_SHARE = 0.5;

  /**
   * The load while probes were sent, and their results.
   *
   * @param share of the maximum sustainable rate
   * @param sent records a second
   * @param seconds until a query found the last probe
   * @param cpu CPU seconds a second
   */
  private record Load(double share, double sent, double seconds, Reading cpu, Probes.Found found) {}

  @Override
  public void run(Bench bench) throws Exception {
    ResultTable table =
        new ResultTable(
            "freshness",
            "Freshness: time from Kafka's client until a query finds the record",
            CpuColumns.behind(
                new Column("load", "share of the maximum sustainable rate", 2),
                new Column("sent", "sent records/s", 0),
                new Column("collection", "collection", 0),
                new Column("probes", "probes", 0),
                new Column("p50Millis", "p50 ms", 0),
                new Column("p95Millis", "p95 ms", 0),
                new Column("p99Millis", "p99 ms", 0),
                new Column(
                    "mongoCheckpointSeconds", "seconds of MongoDB's checkpoints meanwhile", 1)));
    LinePlot plot =
        new LinePlot("Freshness", "offered, % of the maximum sustainable rate", "milliseconds");
    double maxRate = bench.maxSustainableRate();
    Optional<LinePlot> overTime = Optional.empty();
    try (LiveJob job = new LiveJob(bench)) {
      Duration probed = probed(bench.options());
      Probes probes = new Probes(bench, job, bench.options().users());
      for (double share : SHARES) {
        double offered = share * maxRate;
        try (LiveFeed feed = job.feed(offered)) {
          Thread.sleep(SETTLING.toMillis());
          CheckpointWatch watch = watch(bench, job);
          Load load = measure(share, job, feed, probes, probed, watch);
          Probes.Found found = load.found();
          double ofMongo = secondsOfMongo(watch, load.seconds());
          row(table, plot, load, ofMongo, "History", found.history());
          row(table, plot, load, ofMongo, "Last Known Location", found.lastKnownLocation());
          if (share == GOAL_SHARE) {
            boolean keptUp = load.sent() >= LiveJob.KEEPS_UP * offered;
            goals(bench, "History", found.history(), keptUp);
            goals(bench, "Last Known Location", found.lastKnownLocation(), keptUp);
            overTime = Optional.of(overTime(load, watch));
          }
          bench.say(
              "Freshness at %,.0f records/s is measured; sent %,d".formatted(offered, feed.sent()));
        }
        job.awaitAllStored();
      }
    }
    bench.report().add(table);
    plot.write(bench.options().output().resolve("freshness.png"));
    if (overTime.isPresent()) {
      overTime.get().write(bench.options().output().resolve("freshness-time.png"));
    }
  }

  /** Sends probes for a duration while the feed continues, and then closes the watch. */
  private static Load measure(
      double share,
      LiveJob job,
      LiveFeed feed,
      Probes probes,
      Duration probed,
      CheckpointWatch watch)
      throws IOException, InterruptedException {
    try (watch) {
      long sentBefore = feed.sent();
      LiveJob.Counting counting = job.new Counting();
      Probes.Found found = probes.measure(probed);
      double seconds = watch.second(System.nanoTime());
      // Computed before the watch is closed, which may take a while: the feed continues to send.
      double sent = (feed.sent() - sentBefore) / seconds;
      return new Load(share, sent, seconds, counting.rates().cpu(), found);
    }
  }

  private static CheckpointWatch watch(Bench bench, LiveJob job) {
    MongoDatabase admin = bench.store().client().getDatabase("admin");
    return new CheckpointWatch(
        () -> admin.runCommand(CheckpointWatch.STATUS),
        () -> bench.flink().checkpointTimes(job.job().id()),
        bench::say);
  }

  /** Seconds in which MongoDB took a checkpoint; NaN if it does not report them. */
  private static double secondsOfMongo(CheckpointWatch watch, double seconds) {
    return watch.seesMongo()
        ? watch.timeline().ofMongo(seconds).stream().mapToDouble(Span::seconds).sum()
        : Double.NaN;
  }

  /** Plots each probe's latency with the checkpoints that may have delayed it. */
  private static LinePlot overTime(Load load, CheckpointWatch watch) {
    LinePlot plot =
        new LinePlot(
            "Freshness at %,.0f records/s%s"
                .formatted(
                    load.sent(),
                    watch.seesMongo() ? "" : " (MongoDB's checkpoints are not visible)"),
            "second",
            "milliseconds until a query finds the record");
    addProbes(plot, "History", load.found().history(), watch);
    addProbes(plot, "Last Known Location", load.found().lastKnownLocation(), watch);
    plot.addSpans("Flink's checkpoints", watch.timeline().ofFlink(load.seconds()));
    plot.addSpans("MongoDB's checkpoints", watch.timeline().ofMongo(load.seconds()));
    return plot;
  }

  private static void addProbes(
      LinePlot plot, String collection, Probed found, CheckpointWatch watch) {
    found.each().stream()
        .sorted(Comparator.comparing(Probe::dueNanos))
        .forEach(
            probe ->
                plot.add(collection, watch.second(probe.dueNanos()), probe.tookNanos() / MILLIS));
  }

  private static Duration probed(BenchOptions options) {
    Duration wanted = Duration.ofSeconds((long) PROBED_SECONDS_FACTOR * options.seconds());
    return options.isShort() || wanted.compareTo(MIN_PROBED) > 0 ? wanted : MIN_PROBED;
  }

  private static void row(
      ResultTable table,
      LinePlot plot,
      Load load,
      double mongoCheckpointSeconds,
      String collection,
      Probed found) {
    Latencies latencies = found.latencies();
    table.row(
        CpuColumns.behind(
            figure -> figure.applyAsDouble(load.cpu()),
            load.share(),
            load.sent(),
            collection,
            latencies.count(),
            latencies.percentile(50),
            latencies.percentile(95),
            latencies.percentile(99),
            mongoCheckpointSeconds));
    for (int percent : new int[] {50, 95, 99}) {
      plot.add(
          "%s, p%d".formatted(collection, percent),
          100 * load.share(),
          latencies.percentile(percent));
    }
  }

  /**
   * @param keptUp whether the sender reached the load of the goal
   */
  private static void goals(Bench bench, String collection, Probed found, boolean keptUp) {
    Report report = bench.report();
    Goals.Freshness goals = bench.goals().freshness();
    Latencies latencies = found.latencies();
    goal(report, collection, "median", goals.medianMillis(), latencies.percentile(50), keptUp);
    goal(report, collection, "p95", goals.p95Millis(), latencies.percentile(95), keptUp);
  }

  private static void goal(
      Report report, String collection, String what, double wanted, double found, boolean keptUp) {
    report.add(
        Goal.atMost(
                "freshness of %s at half the maximum sustainable rate: %s ms"
                    .formatted(collection, what),
                wanted,
                keptUp ? found : Double.NaN)
            .orElse("the sender on this machine did not keep up"));
  }
}
