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
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a command submits a stream with.
 *
 * @param stream the job
 * @param config the settings as loaded for these servers
 */
public record StreamJobSettings(
    Jobs.Job stream, Servers servers, JobSettings settings, LocationJobConfig config)
    implements SubmissionSettings {
  /** The job on the cluster of these servers. */
  public ResumableJob resumable() {
    return new ResumableJob(
        this,
        new FlinkRest(servers.flink()),
        StackHome.ofThisProcess(),
        Installation::jobJar,
        servers.submitter(stream));
  }

  /** Returns these settings with further keys, which override the user's. */
  public StreamJobSettings with(Map<String, String> keys) {
    JobSettings all = settings.with(keys);
    return new StreamJobSettings(stream, servers, all, all.load(servers));
  }

  @Override
  public String name() {
    return stream.nameIn(config);
  }

  @Override
  public String job() {
    return stream.name();
  }

  @Override
  public String lostWithoutState() {
    return stream.equals(Jobs.LOCATION) ? SubmissionSettings.super.lostWithoutState() : "its state";
  }

  @Override
  public String cluster() {
    return servers.named(Servers.Kind.FLINK).map(Redaction::redact).orElse(Submission.LOCAL_STACK);
  }

  /** The local stack's brokers may also be given by address. */
  @Override
  public String kafka() {
    String brokers =
        effective().getOrDefault(Servers.Kind.KAFKA.key().orElseThrow(), Submission.LOCAL_STACK);
    return servers
            .local(Servers.Kind.KAFKA)
            .filter(local -> local.equals(brokers.replace("localhost", "127.0.0.1")))
            .isPresent()
        ? Submission.LOCAL_STACK
        : brokers;
  }

  @Override
  public @Nullable String configFile() {
    return settings.configFile() == null ? null : settings.configFile().toAbsolutePath().toString();
  }

  @Override
  public List<String> overriddenKeys() {
    return settings.overriddenKeys();
  }

  @Override
  public Map<String, String> shownValues() {
    return settings.shownValues();
  }

  @Override
  public List<String> arguments() {
    return settings.arguments(servers);
  }

  @Override
  public Map<String, String> environment() {
    return settings.environment(servers);
  }

  /** An address of the local stack counts as the local stack's name, because it may change. */
  @Override
  public Map<String, String> effective() {
    return settings.effective(servers);
  }

  @Override
  public Map<String, String> flink() {
    return config.flink();
  }
}
