package io.lastfix.console.health;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.FreshMetrics;
import io.lastfix.cluster.flink.JobCounts;
import io.lastfix.cluster.flink.Ledger;
import io.lastfix.cluster.flink.LocationMetrics;
import io.lastfix.cluster.flink.LostRecords;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What Flink reports: its jobs with their checkpoints, and the account of the location job. */
final class FlinkPart {
  /** The latest; a cluster keeps ended jobs for an hour by default. */
  private static final int MOST_JOBS = 20;

  /** Flink answers with what it has, and collects meanwhile; less than a part's time limit. */
  private static final Duration COLLECTION = Duration.ofSeconds(2);

  /**
   * Older figures say nothing about now. A cluster collects them every 10 s by default, if it is
   * queried.
   */
  private static final Duration STALE = Duration.ofSeconds(30);

  private final ReportAge reports = new ReportAge();

  private final FlinkRest flink;
  private final String jobName;
  private final String analyticsJobName;

  /**
   * A client.
   *
   * @param limit of each of its calls
   */
  FlinkPart(String url, String jobName, String analyticsJobName, Duration limit) {
    this.flink = new FlinkRest(url, limit);
    this.jobName = jobName;
    this.analyticsJobName = analyticsJobName;
  }

  /** How many records the analytics job has left out; empty if that is not known. */
  OptionalLong lostRecords() throws IOException {
    return LostRecords.of(flink, flink.jobs(), analyticsJobName, LostRecords.SHORT);
  }

  JobList jobs() throws IOException {
    List<JobList.Entry> shown = new ArrayList<>();
    for (FlinkRest.Job job : flink.jobs().stream().limit(MOST_JOBS).toList()) {
      shown.add(
          new JobList.Entry(
              job.id(),
              job.name(),
              job.state(),
              job.started(),
              job.isOver() ? null : flink.restarts(job.id()),
              job.isOver() ? null : flink.checkpoints(job.id())));
    }
    return new JobList(shown);
  }

  /** Reads the account of the location job. */
  LocationAccount ledger() throws IOException {
    FlinkRest.Job job = running();
    Optional<LocationMetrics> found = LocationMetrics.tryRead(flink, job.id(), Instant.EPOCH);
    if (found.isEmpty() || isStale(age(job, found.get()))) {
      // The cluster collects only if a client queries it, so old metrics may be due to a pause.
      FreshMetrics.await(flink, COLLECTION);
      found = LocationMetrics.tryRead(flink, job.id(), Instant.EPOCH);
    }
    LocationMetrics metrics =
        found.orElseThrow(
            () -> new IOException("Flink has no metrics of job %s yet".formatted(jobName)));
    Duration age = age(job, metrics);
    JobCounts counts = JobCounts.of(metrics);
    long in = counts.records() + counts.rejected() + metrics.notRecords();
    long accounted =
        counts.inserted()
            + counts.duplicates()
            + counts.rejected()
            + metrics.notRecords()
            + metrics.waiting();
    return new LocationAccount(
        job.name(),
        job.started(),
        age.toSeconds(),
        isStale(age),
        in,
        counts.inserted(),
        counts.duplicates(),
        counts.rejected(),
        metrics.notRecords(),
        metrics.waiting(),
        in - accounted,
        counts.unlocated(),
        metrics.messagesPerSecond(),
        metrics.recordsPerSecond(),
        latencyMillis(metrics, "median"),
        latencyMillis(metrics, "p95"),
        latencyMillis(metrics, "p99"),
        counts.rejectedByReason(),
        dated(job.id(), Ledger.read(flink, job.id())));
  }

  private static @Nullable Long latencyMillis(LocationMetrics metrics, String quantile) {
    return metrics.endToEndLatency(quantile).map(Duration::toMillis).orElse(null);
  }

  private LocationAccount.@Nullable DatedLedger dated(String jobId, Optional<Ledger> ledger)
      throws IOException {
    return ledger.isEmpty()
        ? null
        : new LocationAccount.DatedLedger(
            ledger.get(), flink.triggered(jobId, ledger.get().checkpoint()).orElse(null));
  }

  private FlinkRest.Job running() throws IOException {
    List<FlinkRest.Job> jobs = flink.unfinished(jobName);
    if (jobs.isEmpty()) {
      throw new IOException("no job %s runs: lastfix submit location starts it".formatted(jobName));
    }
    return jobs.stream()
        .filter(FlinkRest.Job::isRunning)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "job %s does not run, it is %s".formatted(jobName, jobs.get(0).state())));
  }

  private Duration age(FlinkRest.Job job, LocationMetrics metrics) {
    return reports.of(job.id(), metrics.asOf(), Instant.now(), System.nanoTime());
  }

  private static boolean isStale(Duration age) {
    return age.compareTo(STALE) > 0;
  }
}
