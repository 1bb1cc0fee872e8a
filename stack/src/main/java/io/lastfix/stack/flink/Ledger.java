package io.lastfix.stack.flink;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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
  /** The operator's name; alone in its task, it is also that of the vertex. */
  private static final String VERTEX = "ledger";

  private static final String PREFIX = "ledger.ledger.";

  private static final List<String> METRICS =
      List.of(
          "checkpoint",
          "in",
          "stored",
          "duplicates",
          "erased",
          "rejected",
          "notRecords",
          "waiting",
          "unaccounted");

  /**
   * Reads the ledger of a job as the cluster has collected it last, which may be long ago; empty if
   * the job has none, or the cluster has not collected it yet.
   */
  public static Optional<Ledger> read(FlinkRest flink, String jobId) throws IOException {
    Map<String, Double> values =
        flink.metricsOfVertex(jobId, VERTEX, METRICS.stream().map(name -> PREFIX + name).toList());
    if (values.size() < METRICS.size()) {
      return Optional.empty();
    }
    return Optional.of(
        new Ledger(
            value(values, "checkpoint"),
            value(values, "in"),
            value(values, "stored"),
            value(values, "duplicates"),
            value(values, "erased"),
            value(values, "rejected"),
            value(values, "notRecords"),
            value(values, "waiting"),
            value(values, "unaccounted")));
  }

  /**
   * Reads the ledger of the newest completed checkpoint, see {@link FreshMetrics}.
   *
   * @param limit after it, an older ledger is returned if there is one
   * @return empty if the job has none, or none was collected in time
   */
  public static Optional<Ledger> readNewest(FlinkRest flink, String jobId, Duration limit)
      throws IOException, InterruptedException {
    long newest = flink.latestCompletedCheckpoint(jobId);
    Optional<Ledger> ledger = read(flink, jobId);
    if (newest == 0
        || !flink.hasVertex(jobId, VERTEX)
        || (ledger.isEmpty() && !flink.hasAlignedCheckpoints(jobId))) {
      return ledger;
    }
    return FreshMetrics.read(
        () -> read(flink, jobId),
        found -> found.filter(it -> it.checkpoint() >= newest).isPresent(),
        limit);
  }

  private static long value(Map<String, Double> values, String name) {
    return values.getOrDefault(PREFIX + name, 0.0).longValue();
  }

  /**
   * Reads the ledgers of all running jobs that have one, by name.
   *
   * @param limit for each, see {@link #readNewest}
   */
  public static Map<String, Ledger> ofAll(FlinkRest flink, List<FlinkRest.Job> jobs, Duration limit)
      throws IOException, InterruptedException {
    Map<String, Ledger> ledgers = new TreeMap<>();
    for (FlinkRest.Job job : jobs) {
      if (job.isRunning()) {
        readNewest(flink, job.id(), limit).ifPresent(ledger -> ledgers.put(job.name(), ledger));
      }
    }
    return ledgers;
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
                ? "%,d records are in no sum: they are lost. See The ledger in docs/OPERATING.md"
                : "%,d records are in the sums that did not come in: they are counted twice."
                    + " See The ledger in docs/OPERATING.md",
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
