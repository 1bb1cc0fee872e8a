package io.lastfix.cli.job;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.common.StatusLine;
import io.lastfix.cli.common.TimeOptions;
import io.lastfix.cluster.flink.BoundedJob;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.job.HistoryJobs;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that runs a bounded Flink job over History, and waits for its end. */
public abstract class HistoryJobCommand extends JsonCommand {
  @Mixin private final TimeOptions time = new TimeOptions();

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description =
          "Subtasks of every operator (default: job.parallelism, else the cluster's). The cluster"
              + " needs that many free slots at most.")
  private @Nullable Integer parallelism;

  @Option(names = "--detach", description = "Return as soon as the cluster has accepted the job.")
  private boolean detach;

  @Option(
      names = "--slot-timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Give up if the cluster has no slot for this long (default: ${DEFAULT-VALUE}).")
  private Duration slotTimeout = Duration.ZERO;

  @Mixin private final AccessOptions options = new AccessOptions();
  private @Nullable Instant end;
  private final Jobs.Job job;
  private final String progress;
  private final String read;
  private final Servers.Kind[] needed;

  /**
   * @param progress the line that shows the job's progress, with a place for the number
   * @param read the accumulator of that number
   * @param needed the servers that the job needs besides Flink
   */
  protected HistoryJobCommand(Jobs.Job job, String progress, String read, Servers.Kind... needed) {
    this.job = job;
    this.progress = progress;
    this.read = read;
    this.needed = needed.clone();
  }

  @Override
  public final Integer call() throws Exception {
    if (parallelism != null) {
      requireAtLeast("--parallelism", 1, parallelism);
    }
    time.check();
    if (detach) {
      checkDetached();
    }
    Servers servers = options.servers();
    FlinkRest flink = new FlinkRest(servers.flink());
    JobSettings settings = options.settings();
    LocationJobConfig config = settings.load(servers, needed);
    Instant from = time.from();
    end = end(config, time.to());
    if (from != null && end != null && !from.isBefore(end)) {
      throw usageError("--from: without --to the range ends at %s: add --to".formatted(end));
    }
    check(config, settings, servers);
    HistoryJobs jobs = new HistoryJobs(servers, settings);
    if (detach) {
      String id = jobs.submit(job, arguments(List.of()));
      print(
          emptyObject().put("id", id).put("page", flink.pageOf(id)),
          "Started the job (%s)%n%s".formatted(id, flink.pageOf(id)));
    } else {
      run(config, flink, more -> await(flink, jobs.submit(job, arguments(more))));
    }
    return 0;
  }

  /** Returns the range of the records that the job reads. */
  protected final TimeRange range() {
    return new TimeRange(time.range().from(), end == null ? TimeRange.ALL.to() : end);
  }

  /** Runs the job, and prints its result. */
  protected abstract void run(LocationJobConfig config, FlinkRest flink, Run run)
      throws IOException, InterruptedException;

  /**
   * Returns the end of the range.
   *
   * @param given by the user; null: none
   * @return null: all records
   */
  protected @Nullable Instant end(LocationJobConfig config, @Nullable Instant given) {
    return given;
  }

  /** Checks the configuration, before the job is submitted. */
  protected void check(LocationJobConfig config, JobSettings settings, Servers servers) {}

  /** Throws a usage error if the command cannot do without the job's end. */
  protected void checkDetached() {}

  /** Returns arguments of the job besides those of every job over History. */
  protected List<String> moreArguments() {
    return List.of();
  }

  /** Submits the job and waits for its end. */
  protected interface Run {
    /**
     * Returns the job's accumulators.
     *
     * @param more arguments, besides those of the options and {@link #moreArguments}
     */
    Map<String, String> await(List<String> more) throws IOException, InterruptedException;

    /** Returns the job's accumulators. */
    default Map<String, String> await() throws IOException, InterruptedException {
      return await(List.of());
    }
  }

  private List<String> arguments(List<String> more) {
    List<String> arguments = new ArrayList<>();
    if (time.from() != null) {
      arguments.addAll(List.of("--from", time.from().toString()));
    }
    if (end != null) {
      arguments.addAll(List.of("--to", end.toString()));
    }
    if (parallelism != null) {
      arguments.addAll(List.of("--set", "job.parallelism=" + parallelism));
    }
    arguments.addAll(moreArguments());
    arguments.addAll(more);
    return arguments;
  }

  private Map<String, String> await(FlinkRest flink, String id)
      throws IOException, InterruptedException {
    try (StatusLine status = StatusLine.onStandardError()) {
      return new BoundedJob(flink, id)
          .await(
              slotTimeout,
              counted -> status.show(progress.formatted(HistoryJobs.count(counted, read))));
    }
  }
}
