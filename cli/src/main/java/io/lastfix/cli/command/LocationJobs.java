package io.lastfix.cli.command;

import io.lastfix.cli.flink.FlinkRest;
import io.lastfix.cli.flink.FlinkRun;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starting the location job, and finding the one that runs. */
final class LocationJobs {
  private static final Duration POLL = Duration.ofMillis(200);

  private final Servers servers;
  private final JobSettings settings;
  private final FlinkRest flink;

  LocationJobs(Servers servers, JobSettings settings) {
    this.servers = servers;
    this.settings = settings;
    this.flink = new FlinkRest(servers.flink());
  }

  /** Submits the job, and returns its id once the cluster has it. */
  String submit(@Nullable String savepoint) throws IOException, InterruptedException {
    return new FlinkRun(Layout.flinkLib(), Layout.home(), servers.flink())
        .submit(
            Layout.jobJar(), settings.arguments(servers), savepoint, settings.environment(servers));
  }

  /** The newest job of that name that has not ended. */
  Optional<FlinkRest.Job> findRunning(String name) throws IOException {
    return flink.jobs().stream()
        .filter(job -> job.name().equals(name) && !job.isOver())
        .findFirst();
  }

  /**
   * The job of that name.
   *
   * @throws IOException if none runs, saying what to do
   */
  FlinkRest.Job requireRunning(String name) throws IOException {
    return findRunning(name)
        .orElseThrow(
            () ->
                new IOException(
                    "no job '%s' is running: start one with ./lastfix submit location"
                        .formatted(name)));
  }

  /** Waits until every task of the job runs. */
  void awaitRunning(String id, Duration limit) throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(limit);
    while (!flink.areAllTasksRunning(id)) {
      for (FlinkRest.Job job : flink.jobs()) {
        if (job.id().equals(id) && job.isOver()) {
          throw new IOException(
              "the job is %s: %s"
                  .formatted(job.state(), flink.failureOf(id).orElse("see " + flink.pageOf(id))));
        }
      }
      if (Instant.now().isAfter(deadline)) {
        throw new IOException(
            "the job's tasks do not all run after %d s: has the cluster enough free slots? See %s"
                .formatted(limit.toSeconds(), flink.pageOf(id)));
      }
      Thread.sleep(POLL.toMillis());
    }
  }
}
