package io.lastfix.cli.job;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.FlinkRun;
import io.lastfix.cluster.submission.ResumableJob;
import io.lastfix.cluster.submission.Supervisor;
import io.lastfix.jobs.Jobs.Job;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.OnGap;
import io.lastfix.local.LocalStack;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.analysis.LateAnalysisLoop;
import io.lastfix.operate.job.HistoryJobs;
import io.lastfix.operate.job.StreamJobSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lastfix supervise}: keeps the jobs, and the local stack's servers, running. */
@Command(
    name = "supervise",
    description = {
      "Runs until it is stopped, and restarts what ends unexpectedly: the servers that lastfix up has started, and the"
          + " jobs, from their newest checkpoints, if their JobManager was lost or a job has failed.",
      "Without JOB: all jobs that were submitted with these settings, also those submitted while it runs.",
      "Adds records that came too late for the numbers, as lastfix analyze late does.",
      "A job that a person cancels or stops is left alone. Prints a line for each event."
    },
    exitCodeList = {
      "0:a person cancelled the named job, or stopped it with a savepoint",
      "1:failed; the named job is unknown here, or was submitted with other settings",
      "2:wrong usage",
      "143:stopped by SIGTERM"
    },
    footer = "  lastfix supervise --config config/demo.yaml")
public final class SuperviseCommand extends LastfixCommand {
  /**
   * The longest duration of a check in progress when a stop is requested: a submission and some
   * calls.
   */
  static final Duration LAST_INSPECTION_LIMIT = FlinkRun.LIMIT.plusSeconds(60);

  @Parameters(
      arity = "0..1",
      paramLabel = "JOB",
      completionCandidates = StreamNames.class,
      converter = StreamNames.class,
      description = "Only this job: ${COMPLETION-CANDIDATES}.")
  private @Nullable Job job;

  @Mixin private final AccessOptions options = new AccessOptions();

  @Override
  public Integer call() throws Exception {
    Servers servers = options.servers();
    JobSettings settings = options.settings();
    LocationJobConfig config = settings.load(servers, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    List<Supervisor> supervisors = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Job stream : job == null ? StreamNames.JOBS : List.of(job)) {
      StreamJobSettings given = new StreamJobSettings(stream, servers, settings, config);
      ResumableJob supervised = (job == null ? asSubmitted(given) : given).resumable();
      if (job != null || supervised.oughtToRun()) {
        try {
          supervised.requireSameSettings();
          names.add("%s job '%s'".formatted(stream.name(), stream.nameIn(config)));
        } catch (IOException e) {
          if (job != null) {
            throw e;
          }
          // The servers and the other jobs are supervised all the same.
          log("a job could not be submitted again: " + e.getMessage());
        }
      }
      // A job that is configured to end at a gap in its records would meet the same gap again.
      supervisors.add(
          new Supervisor(
              supervised,
              new FlinkRest(servers.flink()),
              new LocalStack(StackHome.ofThisProcess(), line -> {}),
              OnGap.ENDED,
              this::log));
    }
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndWait(stop, ended)));
    log("supervising " + (names.isEmpty() ? "no job yet" : String.join(", ", names)));
    LateAnalysisLoop late =
        LateAnalysisLoop.start(new HistoryJobs(servers, settings).lateAnalysis(config), this::log);
    try {
      if (job == null) {
        Supervisor.runAll(supervisors, stop);
      } else {
        supervisors.get(0).run(stop);
      }
    } finally {
      late.stop();
      ended.countDown();
    }
    return 0;
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

  /** On SIGTERM or Ctrl-C, completes and records a submission in progress. */
  private void stopAndWait(CountDownLatch stop, CountDownLatch ended) {
    stop.countDown();
    try {
      if (!ended.await(LAST_INSPECTION_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        say("lastfix supervise: ended during an inspection");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void log(String event) {
    out().println(Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + event);
  }
}
