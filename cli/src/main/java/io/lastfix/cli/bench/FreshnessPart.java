package io.lastfix.cli.bench;

import io.lastfix.cli.bench.ResultTable.Column;
import java.time.Duration;

/** How long a record takes from Kafka until it can be read in MongoDB. */
final class FreshnessPart implements BenchPart {
  private static final double[] SHARES = {0.1, 0.5, 0.9};
  private static final Duration SETTLING = Duration.ofSeconds(5);
  private static final int PROBED_SECONDS_FACTOR = 6;

  /** MongoDB takes a checkpoint of its own each minute: each load has to have one. */
  private static final Duration LEAST_PROBED = Duration.ofSeconds(61);

  /** The load at which the goals hold. */
  private static final double GOAL_SHARE = 0.5;

  private static final double GOAL_P95_MILLIS = 350;
  private static final double GOAL_MEDIAN_MILLIS = 150;

  @Override
  public void run(Bench bench) throws Exception {
    ResultTable table =
        new ResultTable(
            "freshness",
            "Freshness: from Kafka's client until a query finds the record",
            new Column("load", "share of the most", 2),
            new Column("sent", "sent records/s", 0),
            new Column("collection", "collection", 0),
            new Column("probes", "probes", 0),
            new Column("p50Millis", "p50 ms", 0),
            new Column("p95Millis", "p95 ms", 0),
            new Column("p99Millis", "p99 ms", 0));
    LinePlot plot =
        new LinePlot("Freshness", "offered, % of the most that is stored", "milliseconds");
    try (LiveJob job = new LiveJob(bench)) {
      double most = bench.liveMost(job);
      Duration probed = probed(bench.options());
      Probes probes = new Probes(bench, job, bench.options().users());
      for (double share : SHARES) {
        double offered = share * most;
        try (LiveFeed feed = job.feed(offered)) {
          Thread.sleep(SETTLING.toMillis());
          long sentBefore = feed.sent();
          long nanos = System.nanoTime();
          Probes.Found found = probes.measure(probed);
          double sent = (feed.sent() - sentBefore) * 1e9 / (System.nanoTime() - nanos);
          row(table, plot, share, sent, "History", found.history());
          row(table, plot, share, sent, "Last Known Location", found.lastKnownLocation());
          if (share == GOAL_SHARE) {
            boolean keptUp = sent >= LiveJob.KEEPS_UP * offered;
            goals(bench.report(), "History", found.history(), keptUp);
            goals(bench.report(), "Last Known Location", found.lastKnownLocation(), keptUp);
            found
                .timeline()
                .write(
                    "Freshness at %,.0f records/s".formatted(sent),
                    bench.flink().completedCheckpoints(job.job().id()),
                    bench.options().output().resolve("freshness-time.png"));
          }
          bench.say(
              "Freshness at %,.0f records/s is measured; sent %,d".formatted(offered, feed.sent()));
        }
        job.awaitAllStored();
      }
    }
    bench.report().add(table);
    plot.write(bench.options().output().resolve("freshness.png"));
  }

  private static Duration probed(BenchOptions options) {
    Duration wanted = Duration.ofSeconds((long) PROBED_SECONDS_FACTOR * options.seconds());
    return options.isShort() || wanted.compareTo(LEAST_PROBED) > 0 ? wanted : LEAST_PROBED;
  }

  private static void row(
      ResultTable table,
      LinePlot plot,
      double share,
      double sent,
      String collection,
      Latencies latencies) {
    table.row(
        share,
        sent,
        collection,
        latencies.count(),
        latencies.percentile(50),
        latencies.percentile(95),
        latencies.percentile(99));
    for (int percent : new int[] {50, 95, 99}) {
      plot.add(
          "%s, p%d".formatted(collection, percent), 100 * share, latencies.percentile(percent));
    }
  }

  /**
   * @param keptUp whether the sender has made the load that the goal is for
   */
  private static void goals(Report report, String collection, Latencies latencies, boolean keptUp) {
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
