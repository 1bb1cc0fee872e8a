package io.lastfix.operate.job;

import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.submission.ResumableJob;
import io.lastfix.cluster.submission.Supervisor;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.OnGap;
import io.lastfix.local.LocalStack;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.analysis.LateAnalysisLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps streaming jobs, and the local stack's servers, running, and adds records that came too late
 * for the numbers.
 *
 * @param config the settings as loaded for these servers
 * @param events receives a line for each event; called by several threads
 */
public record Supervision(
    Servers servers, JobSettings settings, LocationJobConfig config, Consumer<String> events) {
  /**
   * Runs until it is stopped.
   *
   * @param only this job; null: all that were submitted with these settings, also those submitted
   *     while it runs
   * @throws IOException if the one job is unknown here, or was submitted with other settings
   */
  public void run(Jobs.@Nullable Job only, CountDownLatch stop)
      throws IOException, InterruptedException {
    List<Supervisor> supervisors = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Jobs.Job stream : only == null ? Jobs.of(Jobs.Kind.STREAM) : List.of(only)) {
      StreamJobSettings given = new StreamJobSettings(stream, servers, settings, config);
      ResumableJob supervised = (only == null ? asSubmitted(given) : given).resumable();
      if (only != null || supervised.oughtToRun()) {
        try {
          supervised.requireSameSettings();
          names.add("%s job '%s'".formatted(stream.name(), stream.nameIn(config)));
        } catch (IOException e) {
          if (only != null) {
            throw e;
          }
          // The servers and the other jobs are supervised all the same.
          events.accept("a job could not be submitted again: " + e.getMessage());
        }
      }
      // A job that is configured to end at a gap in its records would meet the same gap again.
      supervisors.add(
          new Supervisor(
              supervised,
              new FlinkRest(servers.flink()),
              new LocalStack(StackHome.ofThisProcess(), line -> {}),
              OnGap.ENDED,
              events));
    }
    events.accept("supervising " + (names.isEmpty() ? "no job yet" : String.join(", ", names)));
    LateAnalysisLoop late =
        LateAnalysisLoop.start(new HistoryJobs(servers, settings).lateAnalysis(config), events);
    try {
      if (only == null) {
        Supervisor.runAll(supervisors, stop);
      } else {
        supervisors.get(0).run(stop);
      }
    } finally {
      late.stop();
    }
  }

  /** With what the job was submitted with by --set: one command supervises all jobs of a file. */
  private static StreamJobSettings asSubmitted(StreamJobSettings given) throws IOException {
    return given.with(
        given
            .resumable()
            .findRemembered()
            .map(known -> known.submission().shownValues())
            .orElse(Map.of()));
  }
}
