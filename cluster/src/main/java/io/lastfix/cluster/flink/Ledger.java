package io.lastfix.cluster.flink;

import io.lastfix.model.metrics.JobMetrics;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What became of all records of a location job since its ledger began, at its last completed
 * checkpoint. The job keeps the sums in its checkpoints, so they cover all its runs.
 *
 * @param checkpoint the number of that checkpoint, 0 before the first
 * @param in records that came in
 * @param stored records that became a document of History
 * @param duplicates records that History already had
 * @param erased records of erased users
 * @param rejected records that were rejected
 * @param notRecords what their profile knows to be no record
 * @param waiting records that wait for their cell
 * @param unaccounted {@code in} less the others; not 0 if records are lost or counted twice
 */
public record Ledger(
    long checkpoint,
    long in,
    long stored,
    long duplicates,
    long erased,
    long rejected,
    long notRecords,
    long waiting,
    long unaccounted) {
  private static final String PREFIX = JobMetrics.LEDGER + "." + JobMetrics.LEDGER + ".";
  private static final List<String> METRICS =
      Stream.of(
              JobMetrics.CHECKPOINT,
              JobMetrics.IN,
              JobMetrics.STORED,
              JobMetrics.DUPLICATES,
              JobMetrics.ERASED,
              JobMetrics.REJECTED,
              JobMetrics.NOT_RECORDS,
              JobMetrics.WAITING,
              JobMetrics.UNACCOUNTED)
          .map(PREFIX::concat)
          .toList();

  /**
   * Reads the ledger of a job as the cluster has collected it last, which may be long ago; empty if
   * the job has none, or the cluster has not collected it yet.
   */
  public static Optional<Ledger> read(FlinkRest flink, String jobId) throws IOException {
    // The operator is alone in its task, so its name is that of the vertex.
    Map<String, Double> values = flink.metricsOfVertex(jobId, JobMetrics.LEDGER, METRICS);
    if (values.size() < METRICS.size()) {
      return Optional.empty();
    }
    long[] found =
        METRICS.stream().mapToLong(id -> values.getOrDefault(id, 0.0).longValue()).toArray();
    return Optional.of(
        new Ledger(
            found[0], found[1], found[2], found[3], found[4], found[5], found[6], found[7],
            found[8]));
  }

  /**
   * Reads the ledger of the newest completed checkpoint, see {@link FreshMetrics}.
   *
   * @param limit after it, an older ledger is returned if there is one
   * @return empty if the job has none, or none was collected in time
   */
  public static Optional<Ledger> readNewest(FlinkRest flink, String jobId, Duration limit)
      throws IOException, InterruptedException {
    // A batch job has no checkpoints either, and Flink refuses the query for them.
    if (!flink.hasVertex(jobId, JobMetrics.LEDGER)) {
      return Optional.empty();
    }
    long newest = flink.latestCompletedCheckpoint(jobId);
    Optional<Ledger> ledger = read(flink, jobId);
    if (newest == 0 || (ledger.isEmpty() && !flink.hasAlignedCheckpoints(jobId))) {
      return ledger;
    }
    return FreshMetrics.read(
        () -> read(flink, jobId),
        found -> found.filter(it -> it.checkpoint() >= newest).isPresent(),
        limit);
  }

  /** Returns what is wrong; empty if all records are accounted for. */
  public Optional<String> problem() {
    if (unaccounted == 0) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            unaccounted > 0
                ? "%,d records are in no sum: they are lost. See docs/operate/watch.md#the-ledger"
                : "%,d records are in the sums that did not come in: they are counted twice."
                    + " See docs/operate/watch.md#the-ledger",
            Math.abs(unaccounted)));
  }

  /** Returns a line with all of it. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "in %,d = stored %,d + duplicates %,d + erased %,d + rejected %,d + not records %,d"
            + " + waiting %,d; unaccounted %,d, at checkpoint %,d",
        in,
        stored,
        duplicates,
        erased,
        rejected,
        notRecords,
        waiting,
        unaccounted,
        checkpoint);
  }
}
