package io.lastfix.bench;

import io.lastfix.bench.Bench.RunningJob;
import io.lastfix.bench.measure.CpuTimeline;
import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.StageMetrics;
import io.lastfix.bench.stage.StageJob.Stage;
import io.lastfix.cluster.flink.FlinkRest.Aggregation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs the location job's graph up to a stage, on a workload that Kafka already holds. Nothing is
 * stored, so the measurement covers the job and Kafka only.
 */
final class StageRun {
  /**
   * The share of the records before the measurement: each job loads its classes anew, and code that
   * is not compiled yet is slow.
   */
  private static final double WARM_UP_SHARE = 0.3;

  /** Metric: the catalogue's messages that were read. */
  private static final String ENTRIES = "parse_cells.entries";

  private static final long SAMPLE_MILLIS = 100;

  /**
   * A long interval, because the cluster's work on the answers is measured too. The job itself
   * reports when a record arrived.
   */
  private static final long POLL_MILLIS = 2_000;

  /** The longest wait for more of the catalogue, or for more records. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Bench bench;

  StageRun(Bench bench) {
    this.bench = bench;
  }

  /**
   * Measures one run, without its warm-up.
   *
   * @param until the last stage
   * @param keys over those of the workload
   */
  Measurement measure(Workload workload, Stage until, Map<String, String> keys) throws Exception {
    bench.fill(workload);
    Map<String, String> all = Bench.keys(workload);
    all.putAll(keys);
    try (RunningJob job = submit(until, all, Math.round(workload.records() * WARM_UP_SHARE))) {
      return await(job, bench.cells().size(), workload.records());
    }
  }

  RunningJob submit(Stage until, Map<String, String> keys, long warmUpRecords)
      throws IOException, InterruptedException {
    return bench.submitStages(
        keys,
        List.of(
            "--until",
            until.name().toLowerCase(Locale.ROOT),
            "--warm-up",
            Long.toString(warmUpRecords)));
  }

  /**
   * Waits until N records have reached the sink.
   *
   * @param cells in the catalogue, which the job reads before any record
   */
  Measurement await(RunningJob job, long cells, long records)
      throws IOException, InterruptedException {
    CpuTimeline cpu = new CpuTimeline();
    Progress progress = new Progress(0, 0);
    boolean hasCatalogue = false;
    long progressNanos = System.nanoTime();
    long pollNanos = progressNanos;
    while (true) {
      cpu.add(System.currentTimeMillis(), bench.cpu().read());
      long now = System.nanoTime();
      if (now - pollNanos >= Duration.ofMillis(POLL_MILLIS).toNanos()) {
        pollNanos = now;
        job.requireAlive();
        Progress found = progress(job);
        if (found.records() >= records) {
          cpu.add(System.currentTimeMillis(), bench.cpu().read());
          return StageMetrics.read(bench.flink(), job.id()).measurement(cpu);
        }
        if (!hasCatalogue && found.entries() >= cells) {
          hasCatalogue = true;
          // The job reads its first record after a checkpoint has stored the catalogue.
          bench.flink().triggerCheckpoint(job.id());
        }
        if (!found.equals(progress)) {
          progress = found;
          progressNanos = now;
        } else if (now - progressNanos > PATIENCE.toNanos()) {
          throw new IOException(
              "nothing arrived for %d s; %,d of %,d cells and %,d of %,d records have arrived. See %s"
                  .formatted(
                      PATIENCE.toSeconds(),
                      found.entries(),
                      cells,
                      found.records(),
                      records,
                      bench.flink().pageOf(job.id())));
        }
      }
      Thread.sleep(SAMPLE_MILLIS);
    }
  }

  /**
   * The progress of a job.
   *
   * @param entries of the catalogue that were read
   * @param records that have reached the sink
   */
  private record Progress(long entries, long records) {}

  private Progress progress(RunningJob job) throws IOException {
    Map<String, Double> sums =
        bench
            .flink()
            .metrics(
                job.id(),
                id -> id.equals(ENTRIES) || id.equals(StageMetrics.RECORDS),
                Aggregation.SUM);
    return new Progress(
        sums.getOrDefault(ENTRIES, 0.0).longValue(),
        sums.getOrDefault(StageMetrics.RECORDS, 0.0).longValue());
  }
}
