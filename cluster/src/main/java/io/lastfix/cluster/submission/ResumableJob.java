package io.lastfix.cluster.submission;

import io.lastfix.cluster.LockFile;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.JobSubmitter;
import io.lastfix.cluster.flink.StopGivenUpException;
import io.lastfix.cluster.flink.StopWithSavepoint;
import io.lastfix.kit.poll.Poll;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A job that is known by its name: starts it on a cluster, without state or from its last
 * checkpoint, stops it with a savepoint, and finds the running one.
 */
public final class ResumableJob {
  private static final String SAVEPOINT_DIRECTORY = "execution.checkpointing.savepoint-dir";
  private static final String OLD_SAVEPOINT_DIRECTORY = "state.savepoints.dir";

  private static final Duration POLL = Duration.ofMillis(200);

  /** A job that can have its slots runs sooner. */
  private static final Duration SAID_AFTER = Duration.ofSeconds(10);

  /** How long another command may take to start or stop the same job. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private final SubmissionSettings settings;
  private final String name;
  private final FlinkRest flink;
  private final JobSubmitter submitter;
  private final Supplier<Path> jobJar;

  /** The records of the local stack or of other clusters, depending on the job's target. */
  private final SubmittedJobs submitted;

  private final SubmittedJobs submittedOtherwise;

  private final KeptJars keptJars;

  /**
   * @param flink the cluster of these settings
   * @param home the directory of the records of submitted jobs
   * @param jobJar finds the jar to submit
   */
  public ResumableJob(
      SubmissionSettings settings,
      FlinkRest flink,
      StackHome home,
      Supplier<Path> jobJar,
      JobSubmitter submitter) {
    this.settings = settings;
    this.name = settings.name();
    this.flink = flink;
    this.submitter = submitter;
    this.jobJar = jobJar;
    this.keptJars = new KeptJars(home);
    SubmittedJobs ofLocalStack = SubmittedJobs.ofLocalStack(home);
    SubmittedJobs elsewhere = SubmittedJobs.elsewhere(home);
    this.submitted = isOnLocalStack() ? ofLocalStack : elsewhere;
    this.submittedOtherwise = isOnLocalStack() ? elsewhere : ofLocalStack;
  }

  /** The job's name, as configured. */
  public String name() {
    return name;
  }

  /** What {@code lastfix submit} calls the job. */
  String submitName() {
    return settings.job();
  }

  /** Returns whether the cluster is the local stack's. */
  public boolean isOnLocalStack() {
    return settings.cluster().equals(Submission.LOCAL_STACK);
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
   * @param afresh whether it may start without its recorded checkpoint
   * @throws IOException also if a job of that name already runs, or if it would start without its
   *     recorded checkpoint
   */
  public String submit(@Nullable String savepoint, boolean afresh)
      throws IOException, InterruptedException {
    LockFile.Held held = submitted.lock(name).acquire(PATIENCE);
    try (held) {
      awaitOtherSubmissions();
      if (savepoint == null && !afresh) {
        requireNothingToResume();
      }
      return submitHoldingLock(jobJar.get(), savepoint);
    }
  }

  /**
   * Fails if a recorded job could be resumed instead. Between two clusters that the user named, the
   * address decides nothing. One cluster has several addresses: {@code localhost} or {@code
   * 127.0.0.1}, with or without a scheme, a name or a number. Between the local stack and such a
   * cluster, Kafka decides: the waiting records were read from there, and a job that reads another
   * Kafka loses none of them. A running job is rejected elsewhere, with other advice.
   */
  private void requireNothingToResume() throws IOException {
    List<FlinkRest.Job> listed = flink.jobs();
    if (findRunning(listed).isPresent()) {
      return;
    }
    Optional<SubmittedJob> known = submitted.find(name);
    if (known.isPresent()) {
      requireNothingToResume(known.get(), job -> NewestCheckpoint.of(rememberLatest(job, listed)));
    }
    Optional<SubmittedJob> otherwise =
        submittedOtherwise.find(name).filter(job -> job.submission().readsFrom(settings.kafka()));
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
    boolean isSameAddress = before.equals(settings.cluster());
    String refusal =
        "job '%s' was submitted before%s, and %s would be lost: "
            .formatted(
                known.name(),
                isSameAddress ? "" : ", to %s and not to %s".formatted(before, settings.cluster()),
                settings.lostWithoutState());
    String remedy =
        "; name it with lastfix submit %1$s --from-savepoint to continue from it, or start without it with lastfix submit %1$s --afresh"
            .formatted(settings.job());
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
                  + "; continue from it with %s, or start without it with lastfix submit %s --afresh"
                      .formatted(known.resumeCommand(), settings.job())
              : refusalWithState + remedy);
    }
  }

  /**
   * Submits the job so that it resumes from the newest checkpoint or savepoint of the last
   * submission under that name.
   *
   * @throws IOException also if there is none, or it cannot be restored
   */
  public Started resume() throws IOException, InterruptedException {
    LockFile.Held held = submitted.lock(name).acquire(PATIENCE);
    try (held) {
      // One of this job, whose command was killed with this lock, would start a second job.
      awaitOtherSubmissions();
      return resumeHoldingLock(jobJar.get());
    }
  }

  /** Resumes the job if it was submitted from here before, else submits it; returns its id. */
  public String resumeOrSubmit() throws IOException, InterruptedException {
    return isRemembered() ? resume().id() : submit(null, false);
  }

  /**
   * Resumes the job for a supervisor, with the jar of the last submission; empty while another
   * command changes the job.
   */
  Optional<Started> resumeUnchanged() throws IOException, InterruptedException {
    Optional<LockFile.Held> held = submitted.lock(name).tryAcquire();
    if (held.isEmpty()) {
      return Optional.empty();
    }
    try {
      // Checked again, because a file with settings may have changed since.
      requireSameSettings();
      SubmittedJob known = remembered();
      if (!known.oughtToRun()) {
        // A command has stopped it since the supervisor looked.
        return Optional.empty();
      }
      Started started = resumeHoldingLock(Path.of(known.submission().jar()));
      submitted.remember(remembered().underSupervision());
      return Optional.of(started);
    } finally {
      held.get().close();
    }
  }

  private Started resumeHoldingLock(Path jar) throws IOException, InterruptedException {
    SubmittedJob known = rememberLatest(remembered(), flink.jobs());
    Optional<String> from = NewestCheckpoint.of(known);
    try {
      return new Started(submitHoldingLock(jar, from.orElse(null)), from);
    } catch (IOException e) {
      throw new IOException(
          "job '%s' could not resume from %s, and was not started: %s"
              .formatted(name, from.orElse("its start"), e.getMessage()),
          e);
    }
  }

  /**
   * Stops the job with a savepoint, and records it.
   *
   * @param directory the savepoint's target, or null for the cluster's configured directory
   * @return the savepoint's path
   */
  public String stop(@Nullable String directory, Duration limit)
      throws IOException, InterruptedException {
    LockFile.Held held = submitted.lock(name).acquire(PATIENCE);
    try (held) {
      List<FlinkRest.Job> listed = flink.jobs();
      if (findRunning(listed).isEmpty()) {
        rememberUnwanted(listed);
      }
      return stopHoldingLock(directory, limit);
    }
  }

  /** Stops the job for a caller that holds the lock. */
  String stopHoldingLock(@Nullable String directory, Duration limit)
      throws IOException, InterruptedException {
    String id = requireRunning().id();
    if (submitted.find(name).filter(known -> known.id().equals(id)).isEmpty()) {
      adopt(id);
    }
    return stopAndRemember(remembered(), directory, limit);
  }

  /**
   * Records that the user has stopped a job that does not run: it is not expected to run any
   * longer.
   */
  private void rememberUnwanted(List<FlinkRest.Job> listed) throws IOException {
    // A killed command may have recorded its end without a word to Prometheus.
    submitted.writeScrapeTargets();
    Optional<SubmittedJob> known = findOnThisCluster().filter(SubmittedJob::oughtToRun);
    if (known.isPresent()) {
      // A person may have ended it in Flink's web page.
      SubmittedJob seen = listedEnd(listed).orElse(known.get());
      submitted.remember(seen.oughtToRun() ? seen.ended(SubmittedJob.End.STOPPED) : seen);
      throw new IOException(
          "job '%s' does not run, and nothing was stopped: from now on it is not expected to run. To start it again: %s"
              .formatted(name, known.get().resumeCommand()));
    }
  }

  private String stopAndRemember(SubmittedJob job, @Nullable String directory, Duration limit)
      throws IOException, InterruptedException {
    // Recorded before the request, because this process may have died by the time the job ends.
    SubmittedJob stopping = job.ended(SubmittedJob.End.STOP_REQUESTED);
    submitted.remember(stopping);
    try {
      // The cluster does not look for a directory in a job's configuration.
      String target =
          directory == null
              ? ownFlinkSetting(SAVEPOINT_DIRECTORY, OLD_SAVEPOINT_DIRECTORY).orElse(null)
              : directory;
      String savepoint = new StopWithSavepoint(flink).stop(job.id(), target, limit);
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

  /**
   * Submits a copy of the jar, which stays as it is, whatever happens to the file.
   *
   * @param savepoint a savepoint or checkpoint to resume from
   */
  String submitHoldingLock(Path jar, @Nullable String savepoint)
      throws IOException, InterruptedException {
    List<FlinkRest.Job> listed = flink.jobs();
    Optional<SubmittedJob> seen = listedEnd(listed);
    if (seen.isPresent()) {
      submitted.rememberForNow(seen.get());
    }
    boolean isSubmitted = false;
    try {
      Optional<FlinkRest.Job> running = findRunning(listed);
      if (running.isPresent()) {
        // Two such jobs would store correct data, but with one consumer group the lag of neither
        // could be determined.
        throw new IOException(runsAlready(settings.job(), name, running.get().id()));
      }
      // Queried before, so that only the writing can fail once the cluster has accepted the job.
      Path kept = keptJars.keep(jar);
      keptJars.deleteUnused();
      Submission submission = submission(kept);
      String id = submitter.submit(kept, settings.arguments(), savepoint, settings.environment());
      submitted.remember(SubmittedJob.started(submission, id, savepoint));
      isSubmitted = true;
      return id;
    } finally {
      if (!isSubmitted) {
        submitted.writeScrapeTargets();
      }
    }
  }

  /**
   * The message does not advise to cancel the job: records that wait for their cell would be lost.
   */
  static String runsAlready(String job, String name, String id) {
    return "job '%1$s' runs already (%2$s): run lastfix stop %3$s, then lastfix submit %3$s --resume; or give this one another name and group (--set job.name=... --set kafka.group-id=...)"
        .formatted(name, id, job);
  }

  private Submission submission(Path jar) throws IOException {
    return new Submission(
        name,
        settings.cluster(),
        jar.toString(),
        settings.configFile(),
        settings.overriddenKeys(),
        settings.shownValues(),
        fingerprint(),
        flinkSetting("execution.checkpointing.dir", "state.checkpoints.dir"),
        savepointDirectory(),
        settings.kafka(),
        settings.job());
  }

  /** The fingerprint of the present settings, see {@link SettingsFingerprint}. */
  String fingerprint() {
    return SettingsFingerprint.of(settings.effective().get());
  }

  /** Returns the keys whose present values are not those of that fingerprint. */
  SortedSet<String> differingSettings(String fingerprint) {
    return SettingsFingerprint.differing(fingerprint, settings.effective().get());
  }

  /** The default target of savepoints; null if there is none. */
  @Nullable String savepointDirectory() throws IOException {
    return flinkSetting(SAVEPOINT_DIRECTORY, OLD_SAVEPOINT_DIRECTORY);
  }

  /** The jar of this installation. */
  Path jobJar() {
    return jobJar.get();
  }

  /** The copies of submitted jars. */
  KeptJars keptJars() {
    return keptJars;
  }

  /** The upgrade of this job that has not ended, if any. */
  Optional<UpgradeRecord> findUpgrade() throws IOException {
    return submitted.findUpgrade(name);
  }

  /** The upgrade that has not ended, unless another command has started the job since. */
  Optional<UpgradeRecord> findCurrentUpgrade() throws IOException {
    return submitted.findCurrentUpgrade(name);
  }

  void rememberUpgrade(UpgradeRecord upgrade) throws IOException {
    submitted.rememberUpgrade(name, upgrade);
  }

  void forgetUpgrade() throws IOException {
    submitted.forgetUpgrade(name);
  }

  /** Waits until submissions from this home have ended that a killed command may have left. */
  void awaitOtherSubmissions() throws IOException, InterruptedException {
    submitter.awaitOthers();
  }

  private Optional<String> ownFlinkSetting(String key, String oldKey) {
    Map<String, String> own = settings.flink();
    return Stream.of(key, oldKey).filter(own::containsKey).map(own::get).findFirst();
  }

  /** The job's own setting, else the cluster's. */
  private @Nullable String flinkSetting(String key, String oldKey) throws IOException {
    Optional<String> found = ownFlinkSetting(key, oldKey);
    if (found.isEmpty()) {
      found = flink.clusterSetting(key);
    }
    if (found.isEmpty()) {
      found = flink.clusterSetting(oldKey);
    }
    return found.orElse(null);
  }

  /** Returns whether a job of that name was submitted to this cluster before. */
  public boolean isRemembered() throws IOException {
    return findOnThisCluster().isPresent();
  }

  /** Returns whether it was submitted to this cluster, and no user has ended it since. */
  public boolean oughtToRun() throws IOException {
    return findOnThisCluster().filter(SubmittedJob::oughtToRun).isPresent();
  }

  private Optional<SubmittedJob> findOnThisCluster() throws IOException {
    return submitted
        .find(name)
        .filter(job -> job.submission().cluster().equals(settings.cluster()));
  }

  /** The record of the job of that name, if any. */
  public Optional<SubmittedJob> findRemembered() throws IOException {
    return submitted.find(name);
  }

  /**
   * The record of the job of that name.
   *
   * @throws IOException if there is none, or it is of another cluster
   */
  SubmittedJob remembered() throws IOException {
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
    if (!known.submission().cluster().equals(settings.cluster())) {
      throw new IOException(
          "job '%s' was last submitted to %s and not to %s: name that cluster, or a checkpoint with --from-savepoint"
              .formatted(name, known.submission().cluster(), settings.cluster()));
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
  private void adopt(String id) throws IOException {
    Optional<SubmittedJob> known = findOnThisCluster();
    submitted.remember(
        known.isPresent()
            ? known.get().runningAs(id)
            : SubmittedJob.started(submission(jobJar.get()), id, null));
  }

  /**
   * Records a job that a killed command of this home has submitted, unless that is known already.
   *
   * @param jar the kept copy of its jar
   * @param savepoint from which it was started
   */
  void rememberSubmitted(String id, Path jar, String savepoint) throws IOException {
    if (submitted.find(name).filter(known -> known.id().equals(id)).isEmpty()) {
      submitted.remember(SubmittedJob.started(submission(jar), id, savepoint));
    }
  }

  /**
   * Checks that this job can be restarted unchanged: it was submitted from here, with these
   * settings.
   */
  public void requireSameSettings() throws IOException {
    Submission known = remembered().submission();
    SortedSet<String> differing = differingSettings(known.fingerprint());
    if (!differing.isEmpty()) {
      throw new IOException(
          "job '%s' was submitted with another value of %s, from %s and the environment at that time: give the same, or submit it with the new one"
              .formatted(name, String.join(", ", differing), describeSettings(known)));
    }
  }

  private static String describeSettings(Submission job) {
    List<String> options = job.options();
    return options.isEmpty() ? "neither --config nor --set" : String.join(" ", options);
  }

  /** Records that a supervisor has seen the job run. */
  void rememberSupervised(SubmittedJob job) throws IOException {
    submitted.remember(job.underSupervision());
  }

  /**
   * The record with what the cluster lists of the job, its end above all; empty if that is no news.
   */
  private Optional<SubmittedJob> listedEnd(List<FlinkRest.Job> listed) throws IOException {
    Optional<SubmittedJob> known = findOnThisCluster();
    return known
        .map(job -> job.updatedFrom(JobSituation.of(listed, name)))
        .filter(now -> !now.equals(known.get()));
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
  LockFile lock() {
    return submitted.lock(name);
  }

  /** The newest job of that name that has not ended. */
  public Optional<FlinkRest.Job> findRunning() throws IOException {
    return findRunning(flink.jobs());
  }

  private Optional<FlinkRest.Job> findRunning(List<FlinkRest.Job> listed) {
    return listed.stream().filter(job -> job.isUnfinished(name)).findFirst();
  }

  /**
   * The running job of that name.
   *
   * @throws IOException if none runs, with the remedy
   */
  public FlinkRest.Job requireRunning() throws IOException {
    return findRunning()
        .orElseThrow(
            () ->
                new IOException(
                    "no job '%s' is running: start one with lastfix submit %s, or one that ran before with --resume"
                        .formatted(name, settings.job())));
  }

  /**
   * Waits until every task of the job runs.
   *
   * @param waiting receives a sentence, once, if the wait is longer than ten seconds: it says how
   *     many slots are free
   */
  public void awaitRunning(String id, Duration limit, Consumer<String> waiting)
      throws IOException, InterruptedException {
    Poll poll = new Poll(POLL, limit);
    Poll silence = new Poll(POLL, SAID_AFTER);
    boolean isSaid = false;
    while (!flink.areAllTasksRunning(id)) {
      Optional<FlinkRest.Job> ended = flink.findJob(id).filter(FlinkRest.Job::isOver);
      if (ended.isPresent()) {
        throw new IOException(
            "the job is %s: %s"
                .formatted(
                    ended.get().state(), flink.failureOf(id).orElse("see " + flink.pageOf(id))));
      }
      if (!isSaid && silence.isOver()) {
        isSaid = true;
        FlinkRest.Slots slots = flink.slots();
        waiting.accept(
            "Job %s is accepted, and its tasks do not all run yet (%d of %d slots are free); waiting for up to %d s"
                .formatted(id, slots.available(), slots.total(), limit.toSeconds()));
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
