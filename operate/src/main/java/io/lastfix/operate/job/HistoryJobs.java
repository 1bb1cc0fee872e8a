package io.lastfix.operate.job;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.flink.BoundedJob;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.analysis.LateAnalysis;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Submits bounded jobs over History to the cluster of these servers. */
public record HistoryJobs(Servers servers, JobSettings settings) {
  private static final Duration SLOT_LIMIT = Duration.ofMinutes(1);

  /**
   * Submits a job, and returns its id.
   *
   * @param more arguments besides those of the settings
   */
  public String submit(Jobs.Job job, List<String> more) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(settings.arguments(servers));
    arguments.addAll(more);
    return servers
        .submitter(job)
        .submit(Installation.jobJar(), arguments, null, settings.environment(servers));
  }

  /**
   * Submits a job that needs one slot only: the cluster may have few beside the location job's.
   * Returns its id.
   */
  public String submitWithOneSubtask(Jobs.Job job, List<String> more)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("--set", "job.parallelism=1"));
    arguments.addAll(more);
    return submit(job, arguments);
  }

  /**
   * The analysis of late records for a process that does more than that: its jobs need one slot
   * only, and show no progress.
   */
  public LateAnalysis lateAnalysis(LocationJobConfig config) {
    FlinkRest flink = new FlinkRest(servers.flink());
    return new LateAnalysis(
        config,
        flink,
        arguments ->
            new BoundedJob(flink, submitWithOneSubtask(Jobs.ANALYZE, arguments))
                .await(SLOT_LIMIT, counted -> {}));
  }

  /** Reads an accumulator, which is absent until a task has it. */
  public static long count(Map<String, String> accumulators, String name) {
    return Long.parseLong(accumulators.getOrDefault(name, "0"));
  }
}
