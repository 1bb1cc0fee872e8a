package io.lastfix.cli.job;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cluster.flink.FlinkRun;
import io.lastfix.jobs.Jobs.Job;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.job.Supervision;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
      description = "Only this job: ${COMPLETION-CANDIDATES}.")
  private @Nullable Job job;

  @Mixin private final AccessOptions options = new AccessOptions();

  @Override
  public Integer call() throws Exception {
    Servers servers = options.servers();
    JobSettings settings = options.settings();
    LocationJobConfig config = settings.load(servers, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndWait(stop, ended)));
    try {
      new Supervision(servers, settings, config, this::log).run(job, stop);
    } finally {
      ended.countDown();
    }
    return 0;
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
