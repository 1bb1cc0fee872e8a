package io.lastfix.cli.job;

import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.Servers;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.CatalogGroup;
import io.lastfix.stack.Installation;
import io.lastfix.stack.LockFile;
import io.lastfix.stack.Redaction;
import io.lastfix.stack.StackHome;
import io.lastfix.stack.drain.Drain;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.stack.flink.FlinkRun;
import io.lastfix.stack.flink.JobSubmitter;
import io.lastfix.stack.flink.StopGivenUpException;
import io.lastfix.stack.flink.StopWithSavepoint;
import io.lastfix.stack.kafka.ConsumerLag;
import io.lastfix.stack.poll.Poll;
import io.lastfix.stack.submission.JobSituation;
import io.lastfix.stack.submission.NewestCheckpoint;
import io.lastfix.stack.submission.SettingsFingerprint;
import io.lastfix.stack.submission.Submission;
import io.lastfix.stack.submission.SubmittedJob;
import io.lastfix.stack.submission.SubmittedJobs;
import io.lastfix.stack.submission.UnknownCheckpointException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Starts the location job, without state or from its last checkpoint, and finds the running one.
 */
public final class LocationJobs {
  private static final Duration POLL = Duration.ofMillis(200);

  /** How long another command may take to start or stop the same job. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Servers servers;
  private final JobSettings settings;
  private final FlinkRest flink;
  private final JobSubmitter submitter;
  private final Supplier<Path> jobJar;

  /** The records of the local stack or of other clusters, depending on the job's target. */
  private final SubmittedJobs submitted;

  private final SubmittedJobs submittedOtherwise;

  public LocationJobs(Servers servers, JobSettings settings) {
    this(
        servers,
        settings,
        StackHome.ofThisProcess(),
        Installation::jobJar,
        new FlinkRun(
            Installation.serverLibraries("flink"),
            StackHome.ofThisProcess().root(),
            servers.flink()));
  }

  /**
   * @param home the directory of the records of submitted jobs
   * @param jobJar finds the jar to submit
   */
  public LocationJobs(
      Servers servers,
      JobSettings settings,
      StackHome home,
      Supplier<Path> jobJar,
      JobSubmitter submitter) {
    this.servers = servers;
    this.settings = settings;
    this.flink = new FlinkRest(servers.flink());
    this.submitter = submitter;
    this.jobJar = jobJar;
    SubmittedJobs ofLocalStack = SubmittedJobs.ofLocalStack(home);
    SubmittedJobs elsewhere = SubmittedJobs.elsewhere(home);
    boolean isLocalStack = cluster().equals(Submission.LOCAL_STACK);
    this.submitted = isLocalStack ? ofLocalStack : elsewhere;
    this.submittedOtherwise = isLocalStack ? elsewhere : ofLocalStack;
  }

  /**
   * A job that the cluster has accepted.
   *
   * @param id assigned by the cluster
   * @param from the checkpoint or savepoint that it resumes from; empty if it started without state
   */
  public record Started(String id, Optional<String> from) {}

  /**
   * Submits the job, and returns its id once the cluster has accepted it.
   *
   * @param savepoint a savepoint or checkpoint to resume from
   * @throws IOException also if a job of that name already runs, or if it would start without its
   *     recorded checkpoint
   */
  public String submit(LocationJobConfig config, @Nullable String savepoint)
      throws IOException, InterruptedException {
    return submit(config, savepoint, false);
  }

  /**
   * Submits the job.
   *
   * @param afresh whether it may start without its recorded checkpoint
   */
  public String submit(LocationJobConfig config, @Nullable String savepoint, boolean afresh)
      throws IOException, InterruptedException {
    LockFile.Held held = submitted.lock(config.name()).acquire(PATIENCE);
    try {
      if (savepoint == null && !afresh) {
        requireNothingToResume(config.name());
      }
      return submitHoldingLock(config, jobJar.get(), savepoint);
    } finally {
      held.close();
    }
  }

  /**
   * Fails if a recorded job could be resumed instead. Between two clusters that the user named, the
   * address decides nothing. One cluster has several addresses: {@code localhost} or {@code
   * 127.0.0.1}, with or without a scheme, a name or a number. Between the local stack and such a
   * cluster, Kafka decides: the waiting records were read from there, and a job that reads another
   * Kafka loses none of them. A running job is rejected elsewhere, with other advice.
   */
  private void requireNothingToResume(String name) throws IOException {
    List<FlinkRest.Job> listed = flink.jobs();
    if (findRunning(name, listed).isPresent()) {
      return;
    }
    Optional<SubmittedJob> known = submitted.find(name);
    if (known.isPresent()) {
      requireNothingToResume(known.get(), job -> NewestCheckpoint.of(rememberLatest(job, listed)));
    }
    Optional<SubmittedJob> otherwise =
        submittedOtherwise.find(name).filter(job -> job.submission().readsFrom(kafka()));
    if (otherwise.isPresent()) {
      requireNothingToResume(otherwise.get(), NewestCheckpoint::of);
    }
  }

  /** Finds the newest checkpoint of a job. */
  private interface CheckpointLookup {
    Optional<String> newestOf(SubmittedJob job) throws IOException;
  }

  private void requireNothingToResume(SubmittedJob known, CheckpointLookup checkpoints)
      throws IOException {
    String before = known.submission().cluster();
    boolean isSameAddress = before.equals(cluster());
    String refusal =
        "job '%s' was submitted before%s, and records that wait for their cell there would be lost: "
            .formatted(
                known.name(),
                isSameAddress ? "" : ", to %s and not to %s".formatted(before, cluster()));
    String remedy =
        "; name it with lastfix submit location --from-savepoint to continue from it, or start without it with lastfix submit location --afresh";
    Optional<String> newest;
    try {
      newest = checkpoints.newestOf(known);
    } catch (UnknownCheckpointException e) {
      throw new IOException(refusal + e.finding() + remedy, e);
    } catch (IOException e) {
      throw new IOException(
          refusal + "its newest checkpoint could not be looked up (" + e + ")" + remedy, e);
    }
    if (newest.isPresent()) {
      String refusalWithState = refusal + "its state is in " + newest.get();
      throw new IOException(
          isSameAddress
              ? refusalWithState
                  + "; continue from it with lastfix submit location --resume, or start without it with lastfix submit location --afresh"
              : refusalWithState + remedy);
    }
  }

  /**
   * Submits the job so that it resumes from the newest checkpoint or savepoint of the last
   * submission under that name.
   *
   * @throws IOException also if there is none, or it cannot be restored
   */
  public Started resume(LocationJobConfig config) throws IOException, InterruptedException {
    LockFile.Held held = submitted.lock(config.name()).acquire(PATIENCE);
    try {
      return resumeHoldingLock(config, jobJar.get());
    } finally {
      held.close();
    }
  }

  /**
   * The same for a supervisor, with the jar of the last submission; empty while another command
   * changes the job.
   */
  Optional<Started> resumeUnchanged(LocationJobConfig config)
      throws IOException, InterruptedException {
    Optional<LockFile.Held> held = submitted.lock(config.name()).tryAcquire();
    if (held.isEmpty()) {
      return Optional.empty();
    }
    try {
      // Checked again, because a file with settings may have changed since.
      requireSameSettings(config);
      SubmittedJob known = remembered(config.name());
      Started started = resumeHoldingLock(config, Path.of(known.submission().jar()));
      submitted.remember(remembered(config.name()).underSupervision());
      return Optional.of(started);
    } finally {
      held.get().close();
    }
  }

  private Started resumeHoldingLock(LocationJobConfig config, Path jar)
      throws IOException, InterruptedException {
    SubmittedJob known = rememberLatest(remembered(config.name()), flink.jobs());
    Optional<String> from = NewestCheckpoint.of(known);
    try {
      return new Started(submitHoldingLock(config, jar, from.orElse(null)), from);
    } catch (IOException e) {
      throw new IOException(
          "job '%s' could not resume from %s, and was not started: %s"
              .formatted(config.name(), from.orElse("its start"), e.getMessage()),
          e);
    }
  }

  /**
   * Stops the job with a savepoint, and records it.
   *
   * @param directory the savepoint's target, or null for the cluster's configured directory
   * @return the savepoint's path
   */
  String stop(LocationJobConfig config, @Nullable String directory, Duration limit)
      throws IOException, InterruptedException {
    LockFile.Held held = submitted.lock(config.name()).acquire(PATIENCE);
    try {
      String id = requireRunning(config.name()).id();
      if (submitted.find(config.name()).filter(known -> known.id().equals(id)).isEmpty()) {
        adopt(config, id);
      }
      return stopAndRemember(remembered(config.name()), directory, limit);
    } finally {
      held.close();
    }
  }

  private String stopAndRemember(SubmittedJob job, @Nullable String directory, Duration limit)
      throws IOException, InterruptedException {
    // Recorded before the request, because this process may have died by the time the job ends.
    SubmittedJob stopping = job.ended(SubmittedJob.End.STOP_REQUESTED);
    submitted.remember(stopping);
    try {
      String savepoint = new StopWithSavepoint(flink).stop(job.id(), directory, limit);
      submitted.remember(stopping.withLatest(savepoint).ended(SubmittedJob.End.STOPPED));
      return savepoint;
    } catch (StopGivenUpException e) {
      if (e.savepoint().isPresent()) {
        submitted.remember(stopping.withLatest(e.savepoint().get()));
      }
      throw e;
    } catch (IOException e) {
      submitted.remember(job.ended(SubmittedJob.End.NONE));
      throw e;
    }
  }

  private String submitHoldingLock(LocationJobConfig config, Path jar, @Nullable String savepoint)
      throws IOException, InterruptedException {
    List<FlinkRest.Job> listed = flink.jobs();
    rememberListedEnd(config.name(), listed);
    Optional<FlinkRest.Job> running = findRunning(config.name(), listed);
    if (running.isPresent()) {
      // Two such jobs would store correct data, but with one consumer group the lag of neither
      // could be determined.
      throw new IOException(runsAlready(config.name(), running.get().id()));
    }
    // Queried before, so that only the writing can fail once the cluster has accepted the job.
    Submission submission = submission(config, jar);
    String id =
        submitter.submit(
            jar, settings.arguments(servers), savepoint, settings.environment(servers));
    submitted.remember(SubmittedJob.started(submission, id, savepoint));
    return id;
  }

  /**
   * The message does not advise to cancel the job: records that wait for their cell would be lost.
   */
  static String runsAlready(String name, String id) {
    return "job '%s' runs already (%s): run lastfix stop location, then lastfix submit location --resume; or give this one another name and group (--set job.name=... --set kafka.group-id=...)"
        .formatted(name, id);
  }

  private Optional<String> configFile() {
    return Optional.ofNullable(settings.configFile()).map(file -> file.toAbsolutePath().toString());
  }

  private Submission submission(LocationJobConfig config, Path jar) throws IOException {
    return new Submission(
        config.name(),
        cluster(),
        jar.toString(),
        configFile().orElse(null),
        settings.overriddenKeys(),
        SettingsFingerprint.of(settings.effective(servers)),
        flinkSetting(config, "execution.checkpointing.dir", "state.checkpoints.dir"),
        flinkSetting(config, "execution.checkpointing.savepoint-dir", "state.savepoints.dir"),
        kafka());
  }

  /** The brokers that the job reads from; the local stack's may also be given by address. */
  private String kafka() {
    String brokers =
        settings
            .effective(servers)
            .getOrDefault(Servers.Kind.KAFKA.key().orElseThrow(), Submission.LOCAL_STACK);
    return servers
            .local(Servers.Kind.KAFKA)
            .filter(local -> local.equals(brokers.replace("localhost", "127.0.0.1")))
            .isPresent()
        ? Submission.LOCAL_STACK
        : brokers;
  }

  private String cluster() {
    return servers.named(Servers.Kind.FLINK).map(Redaction::redact).orElse(Submission.LOCAL_STACK);
  }

  /** The job's own setting, else the cluster's. */
  private @Nullable String flinkSetting(LocationJobConfig config, String key, String oldKey)
      throws IOException {
    Map<String, String> own = config.flink();
    Optional<String> found =
        Stream.of(key, oldKey).filter(own::containsKey).map(own::get).findFirst();
    if (found.isEmpty()) {
      found = flink.clusterSetting(key);
    }
    if (found.isEmpty()) {
      found = flink.clusterSetting(oldKey);
    }
    return found.orElse(null);
  }

  /** Returns whether a job of that name was submitted to this cluster before. */
  public boolean isRemembered(String name) throws IOException {
    return submitted.find(name).filter(this::isOfThisCluster).isPresent();
  }

  private boolean isOfThisCluster(SubmittedJob job) {
    return job.submission().cluster().equals(cluster());
  }

  /** The record of the job of that name, if any. */
  Optional<SubmittedJob> findRemembered(String name) throws IOException {
    return submitted.find(name);
  }

  /**
   * The record of the job of that name.
   *
   * @throws IOException if there is none, or it is of another cluster
   */
  SubmittedJob remembered(String name) throws IOException {
    Optional<SubmittedJob> found = submitted.find(name);
    if (found.isEmpty()) {
      // If it is found there, the message below names that cluster.
      found = submittedOtherwise.find(name);
    }
    SubmittedJob known =
        found.orElseThrow(
            () ->
                new IOException(
                    "no job '%s' was ever submitted from here: give the --config and --set of its submit, or name a checkpoint with --from-savepoint"
                        .formatted(name)));
    if (!known.submission().cluster().equals(cluster())) {
      throw new IOException(
          "job '%s' was last submitted to %s and not to %s: name that cluster, or a checkpoint with --from-savepoint"
              .formatted(name, known.submission().cluster(), cluster()));
    }
    return known;
  }

  /**
   * Records the newest checkpoint of that job, while the cluster can report it, and returns the new
   * record.
   *
   * @param listed the cluster's list of jobs
   */
  SubmittedJob rememberLatest(SubmittedJob known, List<FlinkRest.Job> listed) throws IOException {
    if (listed.stream().noneMatch(job -> job.id().equals(known.id()))) {
      return known;
    }
    Optional<String> latest =
        flink.latestRestorePoint(known.id()).map(FlinkRest.RestorePoint::path);
    return latest.isPresent() ? rememberIfNew(known, known.withLatest(latest.get())) : known;
  }

  /** Records a job that another client has submitted, so that it can be stopped from here. */
  private void adopt(LocationJobConfig config, String id) throws IOException {
    Optional<SubmittedJob> known = submitted.find(config.name());
    submitted.remember(
        known.isPresent() && known.get().submission().cluster().equals(cluster())
            ? known.get().runningAs(id)
            : SubmittedJob.started(submission(config, jobJar.get()), id, null));
  }

  /**
   * Checks that this job can be restarted unchanged: it was submitted from here, with these
   * settings.
   */
  void requireSameSettings(LocationJobConfig config) throws IOException {
    Submission known = remembered(config.name()).submission();
    if (!SettingsFingerprint.matches(known.fingerprint(), settings.effective(servers))) {
      throw new IOException(
          "job '%s' was submitted with other values or addresses, from %s and the environment at that time: give the same, or submit it with the new ones"
              .formatted(config.name(), describeSettings(known)));
    }
  }

  private static String describeSettings(Submission job) {
    List<String> options = new ArrayList<>();
    if (job.configFile() != null) {
      options.add("--config " + job.configFile());
    }
    job.overriddenKeys().forEach(key -> options.add("--set " + key + "=..."));
    return options.isEmpty() ? "neither --config nor --set" : String.join(" ", options);
  }

  /** Records that a supervisor has seen the job run. */
  void rememberSupervised(SubmittedJob job) throws IOException {
    submitted.remember(job.underSupervision());
  }

  /** Records how the job ended, while the cluster still lists it. */
  private void rememberListedEnd(String name, List<FlinkRest.Job> listed) throws IOException {
    Optional<SubmittedJob> known = submitted.find(name);
    if (known.isPresent() && known.get().submission().cluster().equals(cluster())) {
      rememberSeen(known.get(), JobSituation.of(listed, name));
    }
  }

  /** Records what the cluster lists, if that is new, and returns the new record. */
  SubmittedJob rememberSeen(SubmittedJob known, JobSituation seen) throws IOException {
    return rememberIfNew(known, known.updatedFrom(seen));
  }

  private SubmittedJob rememberIfNew(SubmittedJob known, SubmittedJob now) throws IOException {
    if (!now.equals(known)) {
      submitted.remember(now);
    }
    return now;
  }

  /** The lock held while a command inspects a job and records the result. */
  LockFile lock(String name) {
    return submitted.lock(name);
  }

  /** The newest job of that name that has not ended. */
  public Optional<FlinkRest.Job> findRunning(String name) throws IOException {
    return findRunning(name, flink.jobs());
  }

  private static Optional<FlinkRest.Job> findRunning(String name, List<FlinkRest.Job> listed) {
    return listed.stream().filter(job -> job.isUnfinished(name)).findFirst();
  }

  /**
   * The running job of that name.
   *
   * @throws IOException if none runs, with the remedy
   */
  FlinkRest.Job requireRunning(String name) throws IOException {
    return findRunning(name)
        .orElseThrow(
            () ->
                new IOException(
                    "no job '%s' is running: start one with lastfix submit location, or one that ran before with --resume"
                        .formatted(name)));
  }

  /** The wait until a location job of that configuration has stored what Kafka holds. */
  public static Drain drain(FlinkRest flink, Admin admin, LocationJobConfig config) {
    String groupId = config.kafka().groupId();
    return new Drain(
        flink,
        new ConsumerLag(admin),
        new Drain.Input(
            groupId,
            config.kafka().locationTopics(config.profileNames()),
            config.kafka().cellsTopic(),
            jobParameters -> CatalogGroup.of(jobParameters, groupId).id()));
  }

  /** Waits until every task of the job runs. */
  public void awaitRunning(String id, Duration limit) throws IOException, InterruptedException {
    Poll poll = new Poll(POLL, limit);
    while (!flink.areAllTasksRunning(id)) {
      for (FlinkRest.Job job : flink.jobs()) {
        if (job.id().equals(id) && job.isOver()) {
          throw new IOException(
              "the job is %s: %s"
                  .formatted(job.state(), flink.failureOf(id).orElse("see " + flink.pageOf(id))));
        }
      }
      poll.pause(
          () ->
              new IOException(
                  "the job's tasks do not all run after %d s: %s. See %s"
                      .formatted(
                          limit.toSeconds(),
                          flink.failureOf(id).orElse("check that the cluster has free slots"),
                          flink.pageOf(id))));
    }
  }
}
