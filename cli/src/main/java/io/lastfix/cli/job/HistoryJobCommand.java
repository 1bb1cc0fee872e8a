package io.lastfix.cli.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.analysis.LateAnalysis;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.SecondsConverter;
import io.lastfix.cli.common.Servers;
import io.lastfix.cli.common.StatusLine;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.stack.Installation;
import io.lastfix.stack.StackHome;
import io.lastfix.stack.flink.BoundedJob;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.stack.flink.FlinkRun;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that runs a bounded Flink job over History, and waits for its end. */
public abstract class HistoryJobCommand extends LastfixCommand {
  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Read only records from this time on, for instance 2026-11-20.")
  private @Nullable Instant from;

  @Option(names = "--to", paramLabel = "TIME", description = "Read only records before this time.")
  private @Nullable Instant to;

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
      converter = SecondsConverter.class,
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Give up if the cluster has no slot for this long (default: ${DEFAULT-VALUE}).")
  private Duration slotTimeout = Duration.ZERO;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final JobSettings settings = new JobSettings();

  private static final Duration SLOT_LIMIT = Duration.ofMinutes(1);

  private final Jobs.Job job;

  protected HistoryJobCommand(Jobs.Job job) {
    this.job = job;
  }

  @Override
  public final Integer call() throws Exception {
    if (parallelism != null && parallelism < 1) {
      throw usageError("--parallelism: expected 1 or more, found " + parallelism);
    }
    requireOrder(from, to);
    if (detach) {
      checkDetached();
    }
    Servers servers = Servers.resolve(endpoints);
    FlinkRest flink = new FlinkRest(servers.flink());
    LocationJobConfig config = settings.load(servers, needed());
    to = end(config, to);
    if (from != null && to != null && !from.isBefore(to)) {
      throw usageError("--from: without --to the range ends at %s: add --to".formatted(to));
    }
    check(config, settings, servers);
    if (detach) {
      String id = submit(servers, List.of());
      print(
          JsonNodeFactory.instance.objectNode().put("id", id).put("page", flink.pageOf(id)),
          "Started the job (%s)%n%s".formatted(id, flink.pageOf(id)));
    } else {
      run(config, flink, more -> await(flink, submit(servers, more)));
    }
    return 0;
  }

  /** Returns the range of the records that the job reads. */
  protected final TimeRange range() {
    return new TimeRange(
        from == null ? TimeRange.ALL.from() : from, to == null ? TimeRange.ALL.to() : to);
  }

  /** Returns the servers that the job needs besides Flink. */
  protected abstract Servers.Kind[] needed();

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

  /** Returns the line that shows the job's progress. */
  protected abstract String progress(Map<String, String> counted);

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

  /** Reads an accumulator, which is absent until a task has it. */
  public static long count(Map<String, String> accumulators, String name) {
    return Long.parseLong(accumulators.getOrDefault(name, "0"));
  }

  protected final void print(ObjectNode asJson, String asText) {
    PrintWriter out = out();
    out.println(json ? asJson : asText);
    out.flush();
  }

  private String submit(Servers servers, List<String> more)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    if (from != null) {
      arguments.addAll(List.of("--from", from.toString()));
    }
    if (to != null) {
      arguments.addAll(List.of("--to", to.toString()));
    }
    if (parallelism != null) {
      arguments.addAll(List.of("--set", "job.parallelism=" + parallelism));
    }
    arguments.addAll(moreArguments());
    arguments.addAll(more);
    return submit(job, servers, settings, arguments);
  }

  private static String submit(
      Jobs.Job job, Servers servers, JobSettings settings, List<String> more)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(settings.arguments(servers));
    arguments.addAll(more);
    return new FlinkRun(
            Installation.serverLibraries("flink"),
            StackHome.ofThisProcess().root(),
            servers.flink())
        .submit(Installation.jobJar(), job.mainClass(), arguments, settings.environment(servers));
  }

  /**
   * Submits a bounded job that needs one slot only: the cluster may have few beside the location
   * job's. Returns its id.
   */
  public static String submitWithOneSubtask(
      Jobs.Job job, Servers servers, JobSettings settings, String... more)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("--set", "job.parallelism=1"));
    arguments.addAll(List.of(more));
    return submit(job, servers, settings, arguments);
  }

  /**
   * The analysis of late records for a process that does more than that: its jobs need one slot
   * only, and show no progress.
   */
  public static LateAnalysis lateAnalysis(
      Servers servers, JobSettings settings, LocationJobConfig config) {
    FlinkRest flink = new FlinkRest(servers.flink());
    return new LateAnalysis(
        config,
        flink,
        arguments ->
            new BoundedJob(
                    flink,
                    submitWithOneSubtask(
                        Jobs.ANALYZE, servers, settings, arguments.toArray(String[]::new)))
                .await(SLOT_LIMIT, counted -> {}));
  }

  private Map<String, String> await(FlinkRest flink, String id)
      throws IOException, InterruptedException {
    try (StatusLine status = StatusLine.onStandardError()) {
      return new BoundedJob(flink, id)
          .await(slotTimeout, counted -> status.show(progress(counted)));
    }
  }
}
