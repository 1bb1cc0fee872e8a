package io.lastfix.operate.job;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.Redaction;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.submission.ResumableJob;
import io.lastfix.cluster.submission.Submission;
import io.lastfix.cluster.submission.SubmissionSettings;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.local.ConsoleServer;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a command submits a stream with.
 *
 * @param stream the job
 * @param config the settings as loaded for these servers
 */
public record StreamJobSettings(
    Jobs.Job stream, Servers servers, JobSettings settings, LocationJobConfig config) {
  /** The job on the cluster of these servers. */
  public ResumableJob resumable() {
    return new ResumableJob(
        submission(),
        new FlinkRest(servers.flink()),
        StackHome.ofThisProcess(),
        Installation::jobJar,
        servers.submitter(stream));
  }

  private SubmissionSettings submission() {
    return new SubmissionSettings(
        stream.nameIn(config),
        stream.name(),
        stream.equals(Jobs.LOCATION) ? "records that wait for their cell there" : "its state",
        cluster(),
        kafka(),
        Optional.ofNullable(settings.configFile())
            .map(Path::toAbsolutePath)
            .map(Path::toString)
            .orElse(null),
        settings.overriddenKeys(),
        settings.shownValues(),
        settings.arguments(servers),
        settings.environment(servers),
        this::effective,
        config.flink());
  }

  /** Returns these settings with further keys, which override the user's. */
  public StreamJobSettings with(Map<String, String> keys) {
    JobSettings all = settings.with(keys);
    return new StreamJobSettings(stream, servers, all, all.load(servers));
  }

  /** Returns these settings with the usual topic of located records, if they name none. */
  public StreamJobSettings withLocatedTopic() {
    return config.locatedTopic() == null
        ? with(Map.of("located.topic", ConsoleServer.LOCATED_TOPIC))
        : this;
  }

  /** Starts the job if it does not run, and returns its page in Flink; empty if it runs. */
  public Optional<String> startIfStopped() throws IOException, InterruptedException {
    ResumableJob job = resumable();
    return job.findRunning().isPresent()
        ? Optional.empty()
        : Optional.of(new FlinkRest(servers.flink()).pageOf(job.resumeOrSubmit()));
  }

  String cluster() {
    return servers.named(Servers.Kind.FLINK).map(Redaction::redact).orElse(Submission.LOCAL_STACK);
  }

  /** The local stack's brokers may also be given by address. */
  String kafka() {
    String brokers =
        effective().getOrDefault(Servers.Kind.KAFKA.key().orElseThrow(), Submission.LOCAL_STACK);
    return servers
            .local(Servers.Kind.KAFKA)
            .filter(local -> local.equals(brokers.replace("localhost", "127.0.0.1")))
            .isPresent()
        ? Submission.LOCAL_STACK
        : brokers;
  }

  /** An address of the local stack counts as the local stack's name, because it may change. */
  Map<String, String> effective() {
    return settings.effective(servers);
  }
}
