package io.lastfix.stack.flink;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How many located records the running analytics job has left out of its numbers: they came too
 * late, or Kafka had deleted them before the job read them. The job counts the former since it was
 * first started, and Flink the latter since the last start of the job's tasks.
 */
public final class LateRecords {
  /** Each is the operator, its group of metrics if it has one, and the metric. */
  private static final List<String> METRICS =
      List.of("distinct.distinct.leftOut", "Source__read_located.sourceRecordsLost");

  /** Of one answer, for a command that shows something else. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final CompletableFuture<OptionalLong> records;

  private LateRecords(CompletableFuture<OptionalLong> records) {
    this.records = records;
  }

  /**
   * Starts to query the cluster, beside whatever the command does meanwhile.
   *
   * @param flink the cluster's address; empty: none is known
   * @param jobName of the analytics job in Flink
   */
  public static LateRecords query(Optional<String> flink, String jobName) {
    return new LateRecords(
        flink.isEmpty()
            ? CompletableFuture.completedFuture(OptionalLong.empty())
            : CompletableFuture.supplyAsync(() -> tryRead(flink.get(), jobName)));
  }

  /** A command that shows numbers does not fail if Flink does not answer. */
  private static OptionalLong tryRead(String url, String jobName) {
    try {
      FlinkRest flink = new FlinkRest(url, TIMEOUT);
      return of(flink, flink.jobs(), jobName);
    } catch (IOException | IllegalArgumentException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * Returns the number; empty if no such job runs, or Flink has not answered within a second from
   * now.
   */
  public OptionalLong await() {
    try {
      return records.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return OptionalLong.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalLong.empty();
    }
  }

  /** Reads the number of a job; empty if it does not run or has not reported it. */
  public static OptionalLong of(FlinkRest flink, List<FlinkRest.Job> jobs, String jobName)
      throws IOException {
    for (FlinkRest.Job job : jobs) {
      if (job.name().equals(jobName) && job.isRunning()) {
        return sum(flink, job.id());
      }
    }
    return OptionalLong.empty();
  }

  private static OptionalLong sum(FlinkRest flink, String job) throws IOException {
    OptionalLong sum = OptionalLong.empty();
    for (String metric : METRICS) {
      OptionalLong records = flink.sumOfAllSubtasks(job, metric);
      if (records.isPresent()) {
        sum = OptionalLong.of(sum.orElse(0) + records.getAsLong());
      }
    }
    return sum;
  }

  /**
   * Reads the numbers of all running analytics jobs, by name.
   *
   * @param suffix of their names
   */
  public static Map<String, Long> ofAll(FlinkRest flink, List<FlinkRest.Job> jobs, String suffix)
      throws IOException {
    Map<String, Long> records = new TreeMap<>();
    for (FlinkRest.Job job : jobs) {
      if (job.name().endsWith(suffix)) {
        of(flink, List.of(job), job.name()).ifPresent(late -> records.put(job.name(), late));
      }
    }
    return records;
  }

  /** Returns a line that says how many there are, and what to do; empty if there are none. */
  public static Optional<String> text(OptionalLong records) {
    return records.orElse(0) == 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%,d located records came too late for the analytics job since it was started"
                    + " without a savepoint, or Kafka had deleted them: its numbers lack those"
                    + " that lastfix analyze has not computed from History since",
                records.getAsLong()));
  }
}
