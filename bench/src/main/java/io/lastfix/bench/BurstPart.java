package io.lastfix.bench;

import io.lastfix.bench.measure.CpuColumns;
import io.lastfix.bench.measure.Goal;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.kit.poll.Poll;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Twenty times the steady rate for a minute: the backlog in Kafka, the heap, and the time to drain.
 */
final class BurstPart implements BenchPart {
  private static final double TIMES = 20;

  /** Of the maximum sustainable rate, so that the burst is twice that rate. */
  private static final double STEADY_SHARE = 0.1;

  private static final Duration STEADY = Duration.ofSeconds(10);
  private static final Duration BURST = Duration.ofMinutes(1);
  private static final Duration SHORT_BURST = Duration.ofSeconds(10);
  private static final Duration DRAIN_LIMIT = Duration.ofMinutes(15);

  private static final Duration POLL = Duration.ofMillis(500);
  private static final double MEBIBYTE = 1 << 20;

  @Override
  public void run(Bench bench) throws Exception {
    double steady = STEADY_SHARE * bench.maxSustainableRate();
    try (LiveJob job = new LiveJob(bench)) {
      new Run(bench, job, steady).report();
    }
  }

  /** One burst and its measurements. */
  private static final class Run {
    private final Bench bench;
    private final LiveJob job;
    private final double steady;
    private final long sentBefore;
    private long peakLag;
    private long peakHeap;
    private long heapBound;

    Run(Bench bench, LiveJob job, double steady) {
      this.bench = bench;
      this.job = job;
      this.steady = steady;
      sentBefore = job.sent();
    }

    void report() throws Exception {
      Duration burst = bench.options().isShort() ? SHORT_BURST : BURST;
      watch(steady, STEADY);
      LiveJob.Counting counting = job.new Counting();
      watch(TIMES * steady, burst);
      LiveJob.Rates burstRates = counting.rates();
      double burstRate = burstRates.sent();
      double drainSeconds = drain();
      long lost = job.lag();
      long restarts = bench.flink().restarts(job.job().id());
      ResultTable table =
          new ResultTable(
              "burst",
              "Burst: %.0f times the steady rate for %d s".formatted(TIMES, burst.toSeconds()),
              CpuColumns.behind(
                  new Column("steady", "steady records/s", 0),
                  new Column("burst", "sent records/s in the burst", 0),
                  new Column("records", "records sent", 0),
                  new Column("peakLag", "maximum lag, records", 0),
                  new Column("drainSeconds", "drained after, s", 1),
                  new Column("peakHeapMebibytes", "maximum heap used, MiB", 0),
                  new Column("heapBoundMebibytes", "heap limit, MiB", 0),
                  new Column("restarts", "restarts", 0),
                  new Column("lost", "lost", 0)));
      table.row(
          CpuColumns.behind(
              figure -> figure.applyAsDouble(burstRates.cpu()),
              steady,
              burstRate,
              job.sent() - sentBefore,
              peakLag,
              drainSeconds,
              mebibytes(peakHeap),
              mebibytes(heapBound),
              restarts,
              lost));
      bench.report().add(table);
      // As measured: less than the target if the sender is too slow.
      String what = "burst of %.0f times the steady rate: ".formatted(burstRate / steady);
      Goals.Burst goals = bench.goals().burst();
      bench.report().add(Goal.atMost(what + "records lost", goals.recordsLost(), (double) lost));
      bench
          .report()
          .add(
              Goal.atMost(
                      what + "heap of a TaskManager, MiB",
                      goals.heapShare() * mebibytes(heapBound),
                      mebibytes(peakHeap))
                  .orElse("Flink did not report the heap of its TaskManagers"));
      bench
          .report()
          .add(Goal.atMost(what + "restarts of the job", goals.restarts(), (double) restarts));
    }

    /** NaN if the cluster did not report it. */
    private static double mebibytes(long bytes) {
      return bytes == 0 ? Double.NaN : bytes / MEBIBYTE;
    }

    /** Sends at a rate for a duration, and records the largest lag and heap. */
    private void watch(double rate, Duration duration) throws Exception {
      try (LiveFeed feed = job.feed(rate)) {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < end) {
          sample();
          Thread.sleep(POLL.toMillis());
        }
        bench.say(
            "Sent %,d at %,.0f records/s; maximum lag %,d records"
                .formatted(feed.sent(), rate, peakLag));
      }
    }

    /** Measures the seconds until the backlog is stored, while the steady load continues. */
    private double drain() throws Exception {
      double seconds;
      long began = System.nanoTime();
      Poll poll = new Poll(POLL, DRAIN_LIMIT);
      try (LiveFeed feed = job.feed(steady)) {
        // Records in flight at the steady rate are no backlog.
        while (job.lag() > steady) {
          sample();
          poll.pause(
              () ->
                  new IOException(
                      "%,d records are not stored %d s after the burst"
                          .formatted(job.lag(), DRAIN_LIMIT.toSeconds())));
        }
        seconds = (System.nanoTime() - began) / 1e9;
        bench.say(
            "Drained after %.1f s; %,d records sent meanwhile".formatted(seconds, feed.sent()));
      }
      job.awaitAllStored();
      return seconds;
    }

    private void sample() throws IOException {
      peakLag = Math.max(peakLag, job.lag());
      for (String taskManager : bench.flink().lastHeartbeatMillisByTaskManager().keySet()) {
        OptionalLong used =
            bench.flink().taskManagerMetric(taskManager, "Status.JVM.Memory.Heap.Used");
        OptionalLong bound =
            bench.flink().taskManagerMetric(taskManager, "Status.JVM.Memory.Heap.Max");
        peakHeap = Math.max(peakHeap, used.orElse(0));
        heapBound = Math.max(heapBound, bound.orElse(0));
      }
    }
  }
}
