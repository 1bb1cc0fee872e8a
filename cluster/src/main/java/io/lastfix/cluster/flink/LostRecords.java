package io.lastfix.cluster.flink;

import io.lastfix.model.metrics.JobMetrics;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How many located records Kafka had deleted before a running job read them. The number is part of
 * the job's state: a restart does not reset it, only a start without a savepoint. The records'
 * timestamps are unknown.
 */
public final class LostRecords {
  /** The operator, its group of metrics, and the metric. */
  private static final String METRIC =
      FlinkRest.scope("Source: " + JobMetrics.READ_LOCATED)
          + JobMetrics.LOCATED
          + "."
          + JobMetrics.RECORDS_LOST;

  /** Of one answer, for a command that shows something else. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  /**
   * How long such a command waits for new metrics: long enough for a cluster that no client has
   * queried before. Otherwise they are not older than its interval.
   */
  public static final Duration SHORT = Duration.ofMillis(250);

  private final CompletableFuture<OptionalLong> records;

  private LostRecords(CompletableFuture<OptionalLong> records) {
    this.records = records;
  }

  /**
   * Starts to query the cluster, beside whatever the command does meanwhile.
   *
   * @param flink the cluster's address; empty: none is known
   * @param jobName of the analytics job in Flink
   */
  public static LostRecords query(Optional<String> flink, String jobName) {
    return new LostRecords(
        flink.isEmpty()
            ? CompletableFuture.completedFuture(OptionalLong.empty())
            : CompletableFuture.supplyAsync(() -> tryRead(flink.get(), jobName)));
  }

  /** A command that shows numbers does not fail if Flink does not answer. */
  private static OptionalLong tryRead(String url, String jobName) {
    try {
      FlinkRest flink = new FlinkRest(url, TIMEOUT);
      return of(flink, flink.jobs(), jobName, SHORT);
    } catch (IOException | IllegalArgumentException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * Returns the number; empty if no such job runs, or Flink has not answered within a second from
   * now.
   */
  public OptionalLong await() {
    return records
        .completeOnTimeout(OptionalLong.empty(), TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(failure -> OptionalLong.empty())
        .join();
  }

  /**
   * Reads the number of a job; empty if it does not run or has not reported it.
   *
   * @param limit how long to wait for new metrics, see {@link FreshMetrics}
   */
  public static OptionalLong of(
      FlinkRest flink, List<FlinkRest.Job> jobs, String jobName, Duration limit)
      throws IOException {
    List<FlinkRest.Job> named = jobs.stream().filter(job -> job.name().equals(jobName)).toList();
    Long lost = ofAll(flink, named, List.of(jobName), limit).get(jobName);
    return lost == null ? OptionalLong.empty() : OptionalLong.of(lost);
  }

  /**
   * Reads the numbers of all running jobs that read located records, by name.
   *
   * @param suffixes of their names
   * @param limit how long to wait for new metrics, see {@link FreshMetrics}
   */
  public static Map<String, Long> ofAll(
      FlinkRest flink, List<FlinkRest.Job> jobs, List<String> suffixes, Duration limit)
      throws IOException {
    List<FlinkRest.Job> running =
        jobs.stream()
            .filter(job -> job.isRunning() && suffixes.stream().anyMatch(job.name()::endsWith))
            .toList();
    if (!running.isEmpty()) {
      FreshMetrics.await(flink, limit);
    }
    Map<String, Long> records = new TreeMap<>();
    for (FlinkRest.Job job : running) {
      flink.sumOfAllSubtasks(job.id(), METRIC).ifPresent(lost -> records.put(job.name(), lost));
    }
    return records;
  }

  /** Returns a line with those of the analytics job and what to do; empty if there are none. */
  public static Optional<String> text(OptionalLong records) {
    return records.orElse(0) == 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%,d located records are missing in the analytics job's numbers: Kafka deleted them"
                    + " before the job read them. lastfix analyze all --from TIME --to TIME, from"
                    + " before the job fell behind, adds them from History; what it has added is"
                    + " still counted here",
                records.getAsLong()));
  }
}
