package io.lastfix.cluster.submission;

import io.lastfix.cluster.LockFile;
import io.lastfix.cluster.Redaction;
import io.lastfix.cluster.RestartBackoff;
import io.lastfix.cluster.Restarts;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.SupervisedServers;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.StopWithSavepoint;
import io.lastfix.kit.poll.Trouble;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks every second, and restarts what has ended unexpectedly: the local stack's servers, and the
 * job, from its newest checkpoint.
 *
 * <p>If a user ended the job, it stays ended. The same holds if it is gone and no process saw how.
 * All state is in the files of the stack and of the submitted jobs, so the supervisor itself may be
 * killed and restarted. If it is killed during a submission, it does not know the resulting job,
 * and reports that.
 */
public final class Supervisor {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private static final String TAKEN_DOWN =
      "the local stack was taken down: nothing is left to supervise";

  private final ResumableJob job;
  private final FlinkRest flink;
  private final SupervisedServers servers;
  private final String lastingCause;
  private final Consumer<String> events;
  private final Duration answersAge;

  private final Map<String, RestartBackoff> serverBackoffs = new HashMap<>();
  private final RestartBackoff jobBackoff = new RestartBackoff(SHORTEST_PAUSE, LONGEST_PAUSE);

  private boolean wasSeenRunning;
  private boolean isResuming;
  private @Nullable RequestedStop requestedStop;
  private @Nullable Instant lostSince;
  private final Map<String, Trouble> serverTroubles = new HashMap<>();
  private final Trouble stackTrouble = new Trouble();
  private final Trouble jobTrouble = new Trouble();
  private final Trouble leftAlone = new Trouble();

  /**
   * @param flink the job's cluster
   * @param servers those of the local stack
   * @param lastingCause part of the cause of a failure that a restarted job would meet again
   * @param events receives one line for each event
   */
  public Supervisor(
      ResumableJob job,
      FlinkRest flink,
      SupervisedServers servers,
      String lastingCause,
      Consumer<String> events) {
    this(job, flink, servers, lastingCause, events, JobUpgrade.ANSWERS_AGE);
  }

  Supervisor(
      ResumableJob job,
      FlinkRest flink,
      SupervisedServers servers,
      String lastingCause,
      Consumer<String> events,
      Duration answersAge) {
    this.answersAge = answersAge;
    this.job = job;
    this.flink = flink;
    this.servers = servers;
    this.lastingCause = lastingCause;
    this.events = events;
  }

  /**
   * Runs until a stop is requested, or a user ends the job.
   *
   * @param stop counted down: end after the present check; the job and the servers continue
   * @throws IOException if a user had ended the job before
   */
  public void run(CountDownLatch stop) throws IOException, InterruptedException {
    Optional<String> reason = Optional.empty();
    while (reason.isEmpty() && !stop.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
      inspectServers();
      reason = inspectJob(true);
    }
    if (reason.isPresent() && !wasSeenRunning) {
      throw new IOException(reason.get());
    }
    events.accept(reason.orElse("no longer supervising; the servers and the job continue to run"));
  }

  /**
   * Supervises all jobs of a cluster: runs until a stop is requested, or the local stack is taken
   * down. A job that a user ends is left alone, and a job that is submitted meanwhile is kept
   * running from then on. Each job has a thread: a submission takes minutes if it fails, and
   * neither the servers nor the other jobs wait for it.
   *
   * @param all one for each job; the first one restarts the servers
   */
  public static void runAll(List<Supervisor> all, CountDownLatch stop) throws InterruptedException {
    Supervisor first = all.get(0);
    Map<Supervisor, Future<Boolean>> checks = new HashMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(all.size());
    boolean isTakenDown = false;
    try {
      while (!isTakenDown && !stop.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        first.inspectServers();
        for (Supervisor each : all) {
          Future<Boolean> last = checks.get(each);
          if (last == null || last.isDone()) {
            isTakenDown |= last != null && last.get();
            checks.put(each, threads.submit(each::isTakenDownWithItsJob));
          }
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      // Completes and records a submission in progress.
      threads.shutdown();
      threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }
    first.events.accept(
        isTakenDown
            ? TAKEN_DOWN
            : "no longer supervising; the servers and the jobs continue to run");
  }

  /** One check of this job, which is left alone if it must be. */
  private boolean isTakenDownWithItsJob() throws InterruptedException {
    Optional<String> reason = inspectJob(false);
    reason.filter(text -> !text.equals(TAKEN_DOWN)).ifPresent(this::leaveAlone);
    return reason.equals(Optional.of(TAKEN_DOWN));
  }

  private void leaveAlone(String reason) {
    // If it is submitted again, it was not lost meanwhile.
    lostSince = null;
    if (leftAlone.isNew(reason)) {
      events.accept(reason);
    }
  }

  private void inspectServers() {
    try {
      restartServers();
      stackTrouble.end();
    } catch (StackException e) {
      report(e.getMessage(), stackTrouble);
    }
  }

  /**
   * One check; returns the reason to end, if there is one. Failed steps are tried again at the next
   * check.
   *
   * @param isExpected whether it is a failure if the job was never submitted from here
   */
  private Optional<String> inspectJob(boolean isExpected) throws InterruptedException {
    try {
      if (job.isOnLocalStack() && servers.areTakenDown()) {
        return Optional.of(TAKEN_DOWN);
      }
      if (!isExpected && !job.isRemembered()) {
        return Optional.empty();
      }
      Optional<String> reason = inspectJob();
      jobTrouble.end();
      return reason;
    } catch (IOException | StackException e) {
      lost();
      report(e.getMessage(), jobTrouble);
      return Optional.empty();
    }
  }

  private void restartServers() {
    Instant now = Instant.now();
    Restarts restarts =
        servers.restartEnded(
            name ->
                serverBackoffs
                    .computeIfAbsent(
                        name, absent -> new RestartBackoff(SHORTEST_PAUSE, LONGEST_PAUSE))
                    .tryAttempt(now));
    for (Restarts.Restart restart : restarts.started()) {
      events.accept(
          "%s had ended: started again (process id %d)%s"
              .formatted(restart.name(), restart.pid(), Redaction.redact(restart.ending())));
    }
    if (restarts.allRan()) {
      serverTroubles.clear();
    }
    // A server whose next attempt has to wait is neither started nor failed: its trouble stays.
    restarts
        .failures()
        .forEach(
            (name, trouble) ->
                report(trouble, serverTroubles.computeIfAbsent(name, any -> new Trouble())));
  }

  private Optional<String> inspectJob() throws IOException, InterruptedException {
    Optional<LockFile.Held> held = job.lock().tryAcquire();
    if (held.isEmpty()) {
      // Another command starts or stops the job: check again after it.
      requestedStop = null;
      return Optional.empty();
    }
    JobSituation situation;
    SubmittedJob known;
    try {
      List<FlinkRest.Job> listed = flink.jobs();
      situation = JobSituation.of(listed, job.name());
      known = job.rememberSeen(job.rememberLatest(job.remembered(), listed), situation);
      if (situation.state() == JobSituation.State.RUNS && situation.id().equals(known.id())) {
        if (!known.supervised()) {
          job.rememberSupervised(known);
        }
        if (hasStopFailed(known)) {
          known = known.ended(SubmittedJob.End.NONE);
          job.rememberSupervised(known);
          events.accept(
              "job '%s' has completed a checkpoint since a person requested its stop, which has failed: it is supervised again"
                  .formatted(job.name()));
        }
      }
    } finally {
      held.get().close();
    }
    Optional<String> reason = reasonToLeaveAlone(known, situation);
    if (reason.isEmpty() && situation.state() == JobSituation.State.FAILED) {
      reason = endedForGood(situation.id());
    }
    if (reason.isEmpty()) {
      if (situation.state() == JobSituation.State.RUNS) {
        foundAgain(situation.id());
      } else {
        resume(situation);
      }
    }
    return reason;
  }

  /**
   * Returns whether a running job has outlived a requested stop, whose command is gone: Flink
   * completes no checkpoint while it takes the savepoint. If the stop ends the job yet, Flink lists
   * it as FINISHED, which counts.
   */
  private boolean hasStopFailed(SubmittedJob known) throws IOException {
    if (known.end() != SubmittedJob.End.STOP_REQUESTED) {
      requestedStop = null;
    } else if (requestedStop == null || !requestedStop.jobId().equals(known.id())) {
      requestedStop =
          new RequestedStop(known.id(), Instant.now().plus(answersAge), OptionalLong.empty());
    } else if (requestedStop.newestCheckpoint().isPresent()) {
      return flink.latestCompletedCheckpoint(known.id())
          > requestedStop.newestCheckpoint().getAsLong();
    } else if (!Instant.now().isBefore(requestedStop.settled())) {
      OptionalLong newest = OptionalLong.of(flink.latestCheckpoint(known.id()));
      requestedStop = new RequestedStop(known.id(), requestedStop.settled(), newest);
    }
    return false;
  }

  /**
   * A stop that a record names, and for which no command waits.
   *
   * @param settled from when on Flink's answers are later than the stop
   * @param newestCheckpoint of the job at that time, in any state; empty before it
   */
  private record RequestedStop(String jobId, Instant settled, OptionalLong newestCheckpoint) {}

  /** Only a job that certainly ended unexpectedly is restarted. */
  private Optional<String> reasonToLeaveAlone(SubmittedJob known, JobSituation situation) {
    // While it resumes, a failed job that no record names is its own attempt.
    boolean isOwnAttempt =
        isResuming
            && situation.state() == JobSituation.State.FAILED
            && !situation.id().equals(known.id());
    boolean isListed = situation.state() != JobSituation.State.UNKNOWN && !isOwnAttempt;
    return switch (known.end()) {
      case CANCELED -> Optional.of(ended("was cancelled by a person"));
      case STOPPED -> Optional.of(ended("was stopped by a person"));
      case STOP_REQUESTED ->
          isListed
              ? reasonIfForeign(known, situation)
              : Optional.of(ended("is gone after a person requested its stop"));
      // A job taken down before this run is resumed; if it is taken down during this run, the
      // supervisor ends.
      case TAKEN_DOWN ->
          wasSeenRunning || isListed
              ? Optional.of(ended("was stopped by a person"))
              : Optional.empty();
      case FAILED -> isListed ? reasonIfForeign(known, situation) : Optional.empty();
      case NONE ->
          isListed
              ? reasonIfForeign(known, situation)
              : known.supervised() || wasSeenRunning
                  ? Optional.empty()
                  : Optional.of(
                      ended("is not in the cluster's list, and a person may have ended it"));
    };
  }

  /** The settings of that submission are unknown, so the job could not be restarted unchanged. */
  private Optional<String> reasonIfForeign(SubmittedJob known, JobSituation situation) {
    return situation.id().equals(known.id())
        ? Optional.empty()
        : Optional.of(
            "job '%1$s' (%2$s) was not submitted from here, or its submission was interrupted. To take it over, run lastfix stop %3$s, then lastfix submit %3$s --resume with its settings"
                .formatted(job.name(), situation.id(), job.submitName()));
  }

  private Optional<String> endedForGood(String id) throws IOException {
    if (flink.failureOf(id).flatMap(StopWithSavepoint::savepointIn).isPresent()) {
      return Optional.of(ended("was stopped by a person"));
    }
    return flink
        .causeOf(id)
        .filter(cause -> cause.contains(lastingCause))
        .map(cause -> "job '%s' has ended: %s".formatted(job.name(), cause));
  }

  private String ended(String how) {
    return "job '%s' %s: it is left alone; lastfix submit %s --resume starts it again"
        .formatted(job.name(), how, job.submitName());
  }

  private void resume(JobSituation situation) throws IOException, InterruptedException {
    lost();
    if (!jobBackoff.tryAttempt(Instant.now())) {
      return;
    }
    events.accept(
        situation.state() == JobSituation.State.FAILED
            ? "job '%s' has failed: %s".formatted(job.name(), failure(situation.id()))
            : "the cluster does not list job '%s'".formatted(job.name()));
    isResuming = true;
    job.resumeUnchanged()
        .ifPresent(
            started ->
                events.accept(
                    "submitted job '%s' again as %s, %s"
                        .formatted(
                            job.name(),
                            started.id(),
                            started
                                .from()
                                .map("from "::concat)
                                .orElse("afresh, since no checkpoint had completed"))));
  }

  private String failure(String id) throws IOException {
    return flink
        .failureOf(id)
        .flatMap(text -> text.lines().findFirst())
        .orElse("Flink reports no cause");
  }

  private void lost() {
    if (lostSince == null) {
      lostSince = Instant.now();
    }
  }

  private void foundAgain(String id) throws IOException {
    if (!flink.areAllTasksRunning(id)) {
      return;
    }
    if (lostSince != null && wasSeenRunning) {
      events.accept(
          String.format(
              Locale.ROOT,
              "job '%s' runs again, %.1f s after its loss was detected",
              job.name(),
              Duration.between(lostSince, Instant.now()).toMillis() / 1000.0));
    } else if (!wasSeenRunning || leftAlone.isThere()) {
      events.accept("job '%s' runs (%s)".formatted(job.name(), id));
    }
    wasSeenRunning = true;
    isResuming = false;
    leftAlone.end();
    lostSince = null;
  }

  /** Reports a problem once, not at every check. */
  private void report(@Nullable String problem, Trouble trouble) {
    String message = String.valueOf(problem);
    if (trouble.isNew(message)) {
      events.accept(
          "%s; checking again every %d s".formatted(Redaction.redact(message), PERIOD.toSeconds()));
    }
  }
}
