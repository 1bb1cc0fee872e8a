package io.lastfix.cli.bench;

import com.mongodb.client.MongoDatabase;
import io.lastfix.cli.bench.CheckpointTimeline.Span;
import io.lastfix.cli.bench.Probes.Probe;
import io.lastfix.cli.bench.Probes.Probed;
import io.lastfix.cli.bench.ProcessCpu.Reading;
import io.lastfix.cli.bench.ResultTable.Column;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/** How long a record takes from Kafka until it can be read in MongoDB. */
final class FreshnessPart implements BenchPart {
  private static final double[] SHARES = {0.1, 0.5, 0.9};
  private static final Duration SETTLING = Duration.ofSeconds(5);
  private static final int PROBED_SECONDS_FACTOR = 6;

  /**
   * MongoDB takes a checkpoint of its own a minute after the last one ended: each load has about
   * one, and the table says how much of it.
   */
  private static final Duration LEAST_PROBED = Duration.ofSeconds(65);

  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e6;

  /** The load at which the goals hold. */
  private static final double GOAL_SHARE = 0.5;

  private static final double GOAL_P95_MILLIS = 350;
  private static final double GOAL_MEDIAN_MILLIS = 150;

  /**
   * What came in while probes were sent.
   *
   * @param share of the most
   * @param sent records a second
   * @param mongoCheckpointSeconds in which MongoDB took a checkpoint; NaN: it does not tell
   * @param cpu CPU seconds a second
   */
  private record Load(double share, double sent, double mongoCheckpointSeconds, Reading cpu) {}

  @Override
  public void run(Bench bench) throws Exception {
    ResultTable table =
        new ResultTable(
            "freshness",
            "Freshness: from Kafka's client until a query finds the record",
            CpuColumns.behind(
                new Column("load", "share of the most", 2),
                new Column("sent", "sent records/s", 0),
                new Column("collection", "collection", 0),
                new Column("probes", "probes", 0),
                new Column("p50Millis", "p50 ms", 0),
                new Column("p95Millis", "p95 ms", 0),
                new Column("p99Millis", "p99 ms", 0),
                new Column("mongoCheckpointSeconds", "seconds of MongoDB's checkpoints in it", 1)));
    LinePlot plot =
        new LinePlot("Freshness", "offered, % of the most that is stored", "milliseconds");
    double most = bench.liveMost();
    Optional<LinePlot> overTime = Optional.empty();
    try (LiveJob job = new LiveJob(bench)) {
      Duration probed = probed(bench.options());
      Probes probes = new Probes(bench, job, bench.options().users());
      for (double share : SHARES) {
        double offered = share * most;
        try (LiveFeed feed = job.feed(offered)) {
          Thread.sleep(SETTLING.toMillis());
          long sentBefore = feed.sent();
          long nanos = System.nanoTime();
          Probes.Found found;
          double seconds;
          double sent;
          Reading cpu;
          CheckpointWatch watch = watch(bench, job);
          try (watch) {
            LiveJob.Counting counting = job.new Counting();
            found = probes.measure(probed);
            seconds = (System.nanoTime() - nanos) / NANOS;
            sent = (feed.sent() - sentBefore) / seconds;
            cpu = counting.rates().cpu();
          }
          Load load = new Load(share, sent, secondsOfMongo(watch, seconds), cpu);
          row(table, plot, load, "History", found.history());
          row(table, plot, load, "Last Known Location", found.lastKnownLocation());
          if (share == GOAL_SHARE) {
            boolean keptUp = sent >= LiveJob.KEEPS_UP * offered;
            goals(bench.report(), "History", found.history(), keptUp);
            goals(bench.report(), "Last Known Location", found.lastKnownLocation(), keptUp);
            overTime = Optional.of(overTime(found, watch, sent, seconds));
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

  private static CheckpointWatch watch(Bench bench, LiveJob job) {
    MongoDatabase admin = bench.store().client().getDatabase("admin");
    return new CheckpointWatch(
        () -> admin.runCommand(CheckpointWatch.STATUS),
        () -> bench.flink().checkpointTimes(job.job().id()),
        bench::say);
  }

  /** NaN where MongoDB does not tell. */
  private static double secondsOfMongo(CheckpointWatch watch, double seconds) {
    return watch.seesMongo()
        ? watch.timeline().ofMongo(seconds).stream().mapToDouble(Span::seconds).sum()
        : Double.NaN;
  }

  /** How long each probe took, beside the checkpoints that may have held it up. */
  private static LinePlot overTime(
      Probes.Found found, CheckpointWatch watch, double sent, double seconds) {
    LinePlot plot =
        new LinePlot(
            "Freshness at %,.0f records/s%s"
                .formatted(sent, watch.seesMongo() ? "" : " (MongoDB's checkpoints are not seen)"),
            "second",
            "milliseconds until it could be read");
    addProbes(plot, "History", found.history(), watch);
    addProbes(plot, "Last Known Location", found.lastKnownLocation(), watch);
    plot.addSpans("Flink's checkpoints", watch.timeline().ofFlink(seconds));
    plot.addSpans("MongoDB's checkpoints", watch.timeline().ofMongo(seconds));
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
    return options.isShort() || wanted.compareTo(LEAST_PROBED) > 0 ? wanted : LEAST_PROBED;
  }

  private static void row(
      ResultTable table, LinePlot plot, Load load, String collection, Probed found) {
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
            load.mongoCheckpointSeconds()));
    for (int percent : new int[] {50, 95, 99}) {
      plot.add(
          "%s, p%d".formatted(collection, percent),
          100 * load.share(),
          latencies.percentile(percent));
    }
  }

  /**
   * @param keptUp whether the sender has made the load that the goal is for
   */
  private static void goals(Report report, String collection, Probed found, boolean keptUp) {
    Latencies latencies = found.latencies();
    goal(report, collection, "median", GOAL_MEDIAN_MILLIS, latencies.percentile(50), keptUp);
    goal(report, collection, "p95", GOAL_P95_MILLIS, latencies.percentile(95), keptUp);
  }

  private static void goal(
      Report report, String collection, String what, double wanted, double found, boolean keptUp) {
    report.add(
        Goal.atMost(
                "freshness of %s at half the load: %s ms".formatted(collection, what),
                wanted,
                keptUp ? found : Double.NaN)
            .orElse("the sender on this machine did not keep up"));
  }
}
