package io.lastfix.cluster.submission;

import io.lastfix.cluster.LockFile;
import io.lastfix.cluster.flink.FlinkAnswerException;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.StopGivenUpException;
import io.lastfix.cluster.flink.StopWithSavepoint;
import io.lastfix.cluster.submission.UpgradeAccount.Comparison;
import io.lastfix.cluster.submission.UpgradeRecord.Step;
import io.lastfix.kit.poll.Poll;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the jar of a running job: stops the job with a savepoint, starts the new jar from it,
 * and starts the former jar from the same savepoint if the new job fails.
 *
 * <p>An {@link UpgradeRecord} is written before each step. If this process dies, the next call of
 * {@link #run} reads it and continues at that step. The job's lock is held all the time, so that no
 * supervisor and no other command starts or stops the job meanwhile.
 *
 * @param former the job with the settings that it runs with
 * @param next the job of the same name with the new settings
 * @param flink the cluster of both
 * @param account compares what the two have counted
 * @param progress receives a line for the user at each step
 * @param setupLimit after it, what Flink does not list or has not set up is absent
 */
public record JobUpgrade(
    ResumableJob former,
    ResumableJob next,
    FlinkRest flink,
    UpgradeAccount account,
    Consumer<String> progress,
    Duration setupLimit) {
  private static final Logger LOG = LoggerFactory.getLogger(JobUpgrade.class);
  private static final String UNDONE = "--back";
  private static final Duration POLL = Duration.ofMillis(500);

  /** The pause between two requested checkpoints. */
  private static final Duration CHECKPOINT_PAUSE = Duration.ofSeconds(2);

  /** How many failures of the new job end the upgrade: the former jar is started again. */
  static final int FAILURE_LIMIT = 3;

  /**
   * If nothing tells whether the new job reads (another consumer moved the offsets, for example),
   * it has to run so long without a failure.
   */
  private static final Duration STABLE = Duration.ofSeconds(20);

  private static final Duration CANCEL_LIMIT = Duration.ofMinutes(3);

  /** Flink's answers are some seconds old. */
  static final Duration ANSWERS_AGE = Duration.ofSeconds(10);

  /** Of Flink, in the cause of a failure. */
  private static final String NO_SLOTS = "NoResourceAvailableException";

  private static final Duration RESTORE_LIMIT = Duration.ofMinutes(5);

  /** Rejects two different jobs. */
  public JobUpgrade {
    if (!former.name().equals(next.name())) {
      throw new IllegalArgumentException(former.name() + " and " + next.name());
    }
  }

  /** An upgrade on a cluster whose answers are at most ten seconds old. */
  public JobUpgrade(
      ResumableJob former,
      ResumableJob next,
      FlinkRest flink,
      UpgradeAccount account,
      Consumer<String> progress) {
    this(former, next, flink, account, progress, ANSWERS_AGE);
  }

  /**
   * What an upgrade will do.
   *
   * @param jobId the job that runs, or ran when an unfinished upgrade began
   * @param from its jar
   * @param to the new jar
   * @param savepointDirectory the cluster's target of savepoints; null if it has none
   * @param unfinished the upgrade that is continued; empty if this is a new one
   * @param notStarted this installation's jar, if the upgrade that is continued is to another one
   */
  public record Plan(
      String jobId,
      JobJar from,
      JobJar to,
      @Nullable String savepointDirectory,
      Optional<UpgradeRecord> unfinished,
      Optional<JobJar> notStarted) {
    /** Returns whether both jars have the same content, so that only settings can change. */
    public boolean isToSameJar() {
      return from.isSameAs(to);
    }
  }

  /**
   * How an upgrade ended.
   *
   * @param jobId the job that runs now
   * @param savepoint from which it was started
   * @param wentBack the reason, if the former jar runs again
   * @param comparison of the account; empty if it went back
   * @param notStarted as in {@link Plan}
   */
  public record Outcome(
      String jobId,
      String savepoint,
      Optional<String> wentBack,
      Optional<Comparison> comparison,
      Optional<JobJar> notStarted) {}

  /**
   * What the user wants.
   *
   * @param from the jar that runs; null: the copy that was kept when it was submitted
   * @param to the new jar; null: that of an unfinished upgrade, else this installation's
   * @param back whether an unfinished upgrade is undone instead
   * @param savepointDirectory the savepoint's target, or null for the cluster's configured
   *     directory
   * @param stopLimit of the stop with a savepoint
   * @param within the time in which the new job has to complete a checkpoint
   */
  public record Request(
      @Nullable Path from,
      @Nullable Path to,
      boolean back,
      @Nullable String savepointDirectory,
      Duration stopLimit,
      Duration within) {}

  /**
   * Plans an upgrade, and changes nothing.
   *
   * @throws IOException if the upgrade is not possible, with the reason and the remedy
   */
  public Plan plan(Request request) throws IOException {
    Optional<UpgradeRecord> unfinished = former.findCurrentUpgrade();
    if (unfinished.isPresent()) {
      return planToContinue(unfinished.get(), request.to());
    }
    if (request.back()) {
      throw new IOException("no upgrade of job '%s' is unfinished".formatted(former.name()));
    }
    return planAnew(request);
  }

  private Plan planToContinue(UpgradeRecord record, @Nullable Path to) throws IOException {
    JobJar jar = JobJar.of(Path.of(record.nextJar()));
    if (to != null && !JobJar.of(to).isSameAs(jar)) {
      throw new IOException(
          "an upgrade of job '%s' to %s has not ended: finish it first with lastfix upgrade %s, without --to, or undo it with --back"
              .formatted(former.name(), jar, former.submitName()));
    }
    SortedSet<String> differing = former.differingSettings(record.formerFingerprint());
    differing.addAll(next.differingSettings(record.nextFingerprint()));
    if (!differing.isEmpty()) {
      throw new IOException(
          "an upgrade of job '%s' to %s has not ended, and was begun with another value of %s: give the same --config, --set and --set-new"
              .formatted(former.name(), jar, String.join(", ", differing)));
    }
    return new Plan(
        record.formerId(),
        JobJar.of(Path.of(record.formerJar())),
        jar,
        former.savepointDirectory(),
        Optional.of(record),
        Optional.of(JobJar.of(next.jobJar())).filter(own -> to == null && !own.isSameAs(jar)));
  }

  private Plan planAnew(Request request) throws IOException {
    JobJar to = JobJar.of(request.to() == null ? next.jobJar() : request.to());
    FlinkRest.Job running = former.requireRunning();
    Optional<SubmittedJob> known =
        former.findRemembered().filter(job -> job.id().equals(running.id()));
    if (known.isPresent()) {
      former.requireSameSettings();
    }
    Path from = request.from();
    if (from == null) {
      from =
          known
              .map(job -> Path.of(job.submission().jar()))
              .filter(former.keptJars()::isKept)
              .orElseThrow(
                  () ->
                      new IOException(
                          "no copy of the jar of job '%s' (%s) was kept here, since it was submitted by another program or release: name the jar to go back to with --from"
                              .formatted(former.name(), running.id())));
    }
    return new Plan(
        running.id(),
        JobJar.of(from),
        to,
        former.savepointDirectory(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Upgrades the job, or continues an unfinished upgrade.
   *
   * @param show receives the plan before anything is changed
   * @throws IOException if the job could not be stopped, or neither jar could be started. The
   *     message says what runs, and what to do.
   */
  public Outcome run(Request request, Consumer<Plan> show)
      throws IOException, InterruptedException {
    LockFile.Held held = former.lock().acquire(ResumableJob.PATIENCE);
    try (held) {
      Plan plan = plan(request);
      show.accept(plan);
      boolean resumed = plan.unfinished().isPresent();
      UpgradeRecord record = resumed ? plan.unfinished().get() : begin(plan);
      if (resumed) {
        // A submission may have outlived the command that began it.
        next.awaitOtherSubmissions();
      }
      return run(new Run(request, resumed, plan.notStarted()), record);
    }
  }

  private Outcome run(Run run, UpgradeRecord record) throws IOException, InterruptedException {
    try {
      return run.from(record);
    } catch (IOException e) {
      if (former.findUpgrade().isEmpty()) {
        throw e;
      }
      throw new IOException(
          "%s; the upgrade has not ended: lastfix upgrade %s continues it, and --back undoes it"
              .formatted(e.getMessage(), former.submitName()),
          e);
    }
  }

  private UpgradeRecord begin(Plan plan) throws IOException, InterruptedException {
    UpgradeRecord record =
        new UpgradeRecord(
            Step.STOPPING,
            UpgradeRecord.now(),
            plan.jobId(),
            former.keptJars().keep(plan.from().path()).toString(),
            former.fingerprint(),
            former.keptJars().keep(plan.to().path()).toString(),
            next.fingerprint(),
            null,
            null,
            null,
            account.ofRunning(plan.jobId()));
    former.rememberUpgrade(record);
    return record;
  }

  /** One process's part of an upgrade. */
  private final class Run {
    private final Request request;
    private final boolean resumed;
    private final Optional<JobJar> notStarted;

    Run(Request request, boolean resumed, Optional<JobJar> notStarted) {
      this.request = request;
      this.resumed = resumed;
      this.notStarted = notStarted;
    }

    Outcome from(UpgradeRecord begun) throws IOException, InterruptedException {
      UpgradeRecord record = begun;
      while (true) {
        switch (record.step()) {
          case STOPPING -> record = remember(stop(record));
          case STARTING -> record = remember(start(record));
          case VERIFYING -> {
            String id = String.valueOf(record.nextId());
            Optional<String> failure = request.back() ? Optional.of(UNDONE) : verify(record, id);
            if (failure.isEmpty()) {
              return upgraded(record, id);
            }
            record = remember(record.failed(failure.get()));
          }
          case CANCELLING -> {
            progress.accept("ending the new job, and going back to the former jar");
            cancelNext(record);
            record = remember(record.canceled());
          }
          case GOING_BACK -> {
            return goBack(record);
          }
        }
      }
    }

    private UpgradeRecord remember(UpgradeRecord record) throws IOException {
      former.rememberUpgrade(record);
      return record;
    }

    private UpgradeRecord stop(UpgradeRecord begun) throws IOException, InterruptedException {
      UpgradeRecord record = begun;
      Optional<FlinkRest.Job> job = flink.findJob(record.formerId());
      String savepoint;
      if (job.isPresent() && !job.get().isOver()) {
        if (request.back()) {
          former.forgetUpgrade();
          throw new IOException(
              "job '%s' (%s) runs from its former jar, and is left running"
                  .formatted(former.name(), record.formerId()));
        }
        if (resumed) {
          record = remember(countAgain(record));
        }
        savepoint = stopRunning();
      } else {
        savepoint = savepointOf(record, job);
      }
      progress.accept("stopped job %s; its savepoint: %s".formatted(record.formerId(), savepoint));
      return record.stopped(savepoint, account.ofStopped());
    }

    /** The job has run on since an interrupted upgrade began, for weeks perhaps. */
    private UpgradeRecord countAgain(UpgradeRecord record)
        throws IOException, InterruptedException {
      Map<String, Long> counted = account.ofRunning(record.formerId());
      return counted.isEmpty() ? record : record.countedAgain(counted);
    }

    private String stopRunning() throws IOException, InterruptedException {
      progress.accept("stopping job '%s' with a savepoint".formatted(former.name()));
      try {
        return former.stopHoldingLock(request.savepointDirectory(), request.stopLimit());
      } catch (StopGivenUpException e) {
        throw e;
      } catch (IOException e) {
        if (!resumed) {
          former.forgetUpgrade();
        }
        throw new IOException(
            "nothing was changed, job '%s' runs on: %s".formatted(former.name(), e.getMessage()),
            e);
      }
    }

    /** The process that requested the savepoint died before it was told the path. */
    private String savepointOf(UpgradeRecord record, Optional<FlinkRest.Job> job)
        throws IOException {
      if (job.isPresent() && !job.get().state().equals("FINISHED")) {
        Optional<String> taken =
            flink.failureOf(record.formerId()).flatMap(StopWithSavepoint::savepointIn);
        if (taken.isPresent()) {
          return taken.get();
        }
        former.forgetUpgrade();
        throw new IOException(
            "job '%s' (%s) has ended in another way (%s), and was not upgraded: start it with lastfix submit %s --resume"
                .formatted(
                    former.name(), record.formerId(), job.get().state(), former.submitName()));
      }
      return NewestCheckpoint.of(former.rememberLatest(former.remembered(), flink.jobs()))
          .orElseThrow(
              () ->
                  new IOException(
                      "no savepoint of job '%s' (%s) was found"
                          .formatted(former.name(), record.formerId())));
    }

    private UpgradeRecord start(UpgradeRecord record) throws IOException, InterruptedException {
      Optional<FlinkRest.Job> running = former.findRunning();
      if (running.isPresent()) {
        String id = running.get().id();
        if (!isNext(record, id)) {
          throw leftRunning(record, id);
        }
        next.rememberSubmitted(id, Path.of(record.nextJar()), record.requireSavepoint());
        return record.started(id);
      }
      if (request.back()) {
        return record.failed(UNDONE);
      }
      progress.accept("starting the new jar from the savepoint");
      try {
        String id = next.submitHoldingLock(Path.of(record.nextJar()), record.requireSavepoint());
        progress.accept(
            "job %s is accepted; it has %d s to complete a checkpoint"
                .formatted(id, request.within().toSeconds()));
        return record.started(id);
      } catch (IOException e) {
        return record.failed(String.valueOf(e.getMessage()));
      }
    }

    /** Returns why the new job is given up; empty if it is good. */
    private Optional<String> verify(UpgradeRecord record, String id)
        throws IOException, InterruptedException {
      Poll limit = new Poll(POLL, request.within());
      NewJob job = watch(record, id);
      while (true) {
        Optional<String> missing;
        try {
          Optional<String> failure = job.failure();
          if (failure.isPresent()) {
            return failure;
          }
          missing = job.missing(record);
        } catch (IOException e) {
          missing = Optional.of(String.valueOf(e.getMessage()));
        }
        if (missing.isEmpty()) {
          return Optional.empty();
        }
        if (limit.isOver()) {
          return Optional.of(
              "the new job has not proved itself within %d s: %s%s"
                  .formatted(request.within().toSeconds(), missing.get(), job.firstException()));
        }
        limit.pause();
      }
    }

    /**
     * Begins to watch the new job. An interrupted upgrade may be continued weeks later. What has
     * happened to the job since is no reason to go back to a savepoint of that age: only failures
     * that this process sees count, and none of a job that has proved itself before.
     *
     * @throws IOException if the job has ended since
     */
    private NewJob watch(UpgradeRecord record, String id) throws IOException {
      if (!resumed) {
        return new NewJob(id, List.of(), false);
      }
      Optional<FlinkRest.Job> listed = flink.findJob(id);
      if (listed.isEmpty()) {
        throw new IOException(
            "Flink does not list the new job %s, which was started before %s: lastfix submit %s --resume starts it from its newest checkpoint, lastfix upgrade %s --back starts the former jar from %s"
                .formatted(
                    id,
                    record.since(),
                    former.submitName(),
                    former.submitName(),
                    record.requireSavepoint()));
      }
      boolean isProved =
          flink.latestCompletedCheckpoint(id) > 0 && account.hasProgress(record.counted());
      if (isProved && listed.get().isOver()) {
        former.forgetUpgrade();
        throw new IOException(
            "job '%s' was upgraded: job %s had proved itself, and is %s since: start it with lastfix submit %s --resume"
                .formatted(former.name(), id, listed.get().state(), former.submitName()));
      }
      return new NewJob(id, flink.failures(id), isProved);
    }

    private Outcome upgraded(UpgradeRecord record, String id)
        throws IOException, InterruptedException {
      Comparison comparison = account.compare(record.counted(), id);
      former.forgetUpgrade();
      return new Outcome(
          id, record.requireSavepoint(), Optional.empty(), Optional.of(comparison), notStarted);
    }

    /** Returns whether this upgrade has started that job from the new jar. */
    private boolean isNext(UpgradeRecord record, String id)
        throws IOException, InterruptedException {
      if (id.equals(record.nextId())) {
        return true;
      }
      Optional<SubmittedJob> known = findRemembered(id);
      return known.isPresent()
          ? isSubmission(known.get(), record, record.nextJar(), next)
          : isRestored(record, id);
    }

    /** Returns whether this upgrade has started that job from the former jar, to go back. */
    private boolean isFormer(UpgradeRecord record, String id)
        throws IOException, InterruptedException {
      Optional<SubmittedJob> known = findRemembered(id);
      if (known.isPresent()) {
        return isSubmission(known.get(), record, record.formerJar(), former);
      }
      // If the new job is not known, a submission of it that was given up may have succeeded late.
      return resumed
          && record.nextId() != null
          && !id.equals(record.nextId())
          && isRestored(record, id);
    }

    private Optional<SubmittedJob> findRemembered(String id) throws IOException {
      return former.findRemembered().filter(job -> job.id().equals(id));
    }

    private boolean isSubmission(
        SubmittedJob known, UpgradeRecord record, String jar, ResumableJob job) {
      return record.requireSavepoint().equals(known.startedFrom())
          && known.submission().jar().equals(jar)
          && job.differingSettings(known.submission().fingerprint()).isEmpty();
    }

    /**
     * Returns whether a job was restored from this upgrade's savepoint. A command that died right
     * after Flink had accepted its job has recorded no id.
     */
    private boolean isRestored(UpgradeRecord record, String id)
        throws IOException, InterruptedException {
      return Poll.until(POLL, setupLimit, () -> flink.restoredFrom(id), Optional::isPresent)
          .filter(record.requireSavepoint()::equals)
          .isPresent();
    }

    /** Another program has started the job meanwhile: the upgrade has nothing left to do. */
    private IOException leftRunning(UpgradeRecord record, String id) throws IOException {
      former.forgetUpgrade();
      return new IOException(
          "job '%s' (%s) runs, and this upgrade did not start it: it is left running, and the upgrade has ended. The savepoint of the job before is %s"
              .formatted(former.name(), id, record.requireSavepoint()));
    }

    private void cancelNext(UpgradeRecord record) throws IOException, InterruptedException {
      Poll poll = new Poll(POLL, CANCEL_LIMIT);
      String requested = "";
      for (Optional<FlinkRest.Job> job = former.findRunning();
          job.isPresent();
          job = former.findRunning()) {
        String id = job.get().id();
        if (!id.equals(requested)) {
          if (!isNext(record, id)) {
            throw leftRunning(record, id);
          }
          flink.cancel(id);
          requested = id;
        }
        poll.pause(
            () ->
                new IOException(
                    "the new job %s does not end within %d s"
                        .formatted(id, CANCEL_LIMIT.toSeconds())));
      }
    }

    private Outcome goBack(UpgradeRecord record) throws IOException, InterruptedException {
      Optional<FlinkRest.Job> running = former.findRunning();
      String id;
      if (running.isPresent()) {
        id = running.get().id();
        if (!isFormer(record, id)) {
          throw isRestored(record, id) ? unknownJar(record, id) : leftRunning(record, id);
        }
        former.rememberSubmitted(id, Path.of(record.formerJar()), record.requireSavepoint());
      } else {
        try {
          id = former.submitHoldingLock(Path.of(record.formerJar()), record.requireSavepoint());
        } catch (IOException e) {
          throw new IOException(
              "job '%s' does not run: the upgrade failed (%s), and the former jar could not be started from %s either: %s"
                  .formatted(
                      former.name(), record.reason(), record.requireSavepoint(), e.getMessage()),
              e);
        }
      }
      former.awaitRunning(id, RESTORE_LIMIT, progress);
      former.forgetUpgrade();
      return new Outcome(
          id,
          record.requireSavepoint(),
          Optional.of(String.valueOf(record.reason())),
          Optional.empty(),
          notStarted);
    }
  }

  private IOException unknownJar(UpgradeRecord record, String id) {
    return new IOException(
        "job '%s' (%s) runs from %s, and it is not known whether from the new jar or the former one: end it (flink cancel %s), then run lastfix upgrade %s --back"
            .formatted(former.name(), id, record.requireSavepoint(), id, former.submitName()));
  }

  /** What stays the same of a failure while Flink adds to it. */
  private record Beginning(long timestampMillis, String trace) {
    static Beginning of(FlinkRest.JobFailure failure) {
      return new Beginning(failure.timestampMillis(), failure.trace());
    }
  }

  /** Watches the new job until it has proved itself. */
  private final class NewJob {
    private final String id;
    private final Poll pause = new Poll(POLL, CHECKPOINT_PAUSE);
    private final Poll stable = new Poll(POLL, STABLE);
    private final Poll gone = new Poll(POLL, setupLimit);
    private final boolean isProved;

    /** The failures so far by their beginning: more concurrent ones may be added to each. */
    private final Set<Beginning> seen = new HashSet<>();

    private final Set<Beginning> counted = new HashSet<>();

    /** Of the first failure that counts. */
    private Optional<String> firstCause = Optional.empty();

    private final int countedBefore;
    private boolean isFlinkAway;
    private boolean lacksSlots;

    /**
     * @param failuresBefore its failures before this process began to watch it
     * @param isProved whether it had proved itself by then
     */
    NewJob(String id, List<FlinkRest.JobFailure> failuresBefore, boolean isProved) {
      this.id = id;
      for (FlinkRest.JobFailure before : failuresBefore) {
        seen.add(Beginning.of(before));
        counted.add(Beginning.of(before));
      }
      countedBefore = counted.size();
      this.isProved = isProved;
    }

    /** Returns why it is given up at once; empty if it may still become good. */
    Optional<String> failure() throws IOException {
      if (isProved) {
        return Optional.empty();
      }
      Optional<FlinkRest.Job> job = findUnlessAway();
      if (job.isEmpty()) {
        return gone.isOver()
            ? Optional.of(
                "Flink does not list the new job %s any more: its JobManager has restarted without high availability"
                    .formatted(id))
            : Optional.empty();
      }
      gone.restart();
      if (job.get().isOver()) {
        return Optional.of("the new job is %s%s".formatted(job.get().state(), firstException()));
      }
      countFailures();
      int failures = counted.size() - countedBefore;
      return failures >= FAILURE_LIMIT
          ? Optional.of("the new job has failed %d times%s".formatted(failures, firstException()))
          : Optional.empty();
    }

    /** With high availability, a JobManager that answers again has restored the job. */
    private Optional<FlinkRest.Job> findUnlessAway() throws IOException {
      try {
        Optional<FlinkRest.Job> job = flink.findJob(id);
        if (isFlinkAway) {
          isFlinkAway = false;
          progress.accept(
              job.isPresent()
                  ? "Flink answers again, and has the new job"
                  : "Flink answers again, and does not list the new job");
        }
        return job;
      } catch (IOException e) {
        gone.restart();
        if (!isFlinkAway) {
          isFlinkAway = true;
          progress.accept("waiting for Flink, which does not answer: " + e.getMessage());
        }
        throw e;
      }
    }

    /**
     * A restart in vain because the cluster lacks slots, after the loss of a TaskManager, is no
     * failure of the new jar. The loss itself counts, because the jar may be its cause.
     */
    private void countFailures() throws IOException {
      List<FlinkRest.JobFailure> newestFirst = flink.failures(id);
      for (int i = newestFirst.size() - 1; i >= 0; i--) {
        FlinkRest.JobFailure failure = newestFirst.get(i);
        if (seen.add(Beginning.of(failure))) {
          stable.restart();
        }
        if (!failure.isOnly(NO_SLOTS) && counted.add(Beginning.of(failure))) {
          firstCause = firstCause.or(() -> Optional.of(failure.cause()));
        }
      }
      boolean lackedSlots = lacksSlots;
      lacksSlots = !newestFirst.isEmpty() && newestFirst.get(0).isOnly(NO_SLOTS);
      if (lacksSlots && !lackedSlots) {
        progress.accept("waiting for free slots: the cluster has too few for the new job");
      }
    }

    /** What it has not done yet; empty if it is good. */
    Optional<String> missing(UpgradeRecord record) throws IOException {
      if (isProved) {
        return Optional.empty();
      }
      if (!flink.areAllTasksRunning(id)) {
        stable.restart();
        return Optional.of(
            lacksSlots
                ? "its tasks do not all run, and the cluster has too few free slots"
                : "its tasks do not all run");
      }
      Optional<String> missing =
          flink.latestCompletedCheckpoint(id) == 0
              ? Optional.of("no checkpoint has completed")
              : account.hasProgress(record.counted()) || stable.isOver()
                  ? Optional.empty()
                  : Optional.of("it has committed no messages, although Kafka has unread ones");
      if (missing.isPresent() && pause.isOver()) {
        // The job's own interval may be longer than the limit.
        requestCheckpoint();
        pause.restart();
      }
      return missing;
    }

    private void requestCheckpoint() throws IOException {
      try {
        var unused = flink.triggerCheckpoint(id);
      } catch (FlinkAnswerException e) {
        // Flink takes none now, for example while one is under way.
        LOG.debug("Flink takes no checkpoint of job {} now", id, e);
      }
    }

    String firstException() {
      try {
        Optional<String> cause = firstCause.isPresent() ? firstCause : flink.firstCauseOf(id);
        return cause.map(text -> ": " + text).orElse("");
      } catch (IOException e) {
        return "";
      }
    }
  }
}
