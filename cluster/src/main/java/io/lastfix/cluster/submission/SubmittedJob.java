package io.lastfix.cluster.submission;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was last submitted, and its known state since.
 *
 * @param submission the submission
 * @param id 32 hexadecimal digits, assigned by the cluster
 * @param startedFrom the checkpoint or savepoint it was started from; null without one
 * @param latest the newest known checkpoint or savepoint of this id; null without one
 * @param end how it ended, or was requested to end, as far as a command has seen
 * @param supervised whether a supervisor has seen it run, or has started it. If such a job is gone
 *     and no one was seen to end it, it was lost.
 */
public record SubmittedJob(
    Submission submission,
    String id,
    @Nullable String startedFrom,
    @Nullable String latest,
    End end,
    boolean supervised) {
  /** Rejects the missing values of a damaged file. */
  public SubmittedJob {
    Objects.requireNonNull(submission, "submission is missing");
    Objects.requireNonNull(id, "id is missing");
    Objects.requireNonNull(end, "end is missing");
  }

  /** How a job ended. */
  public enum End {
    /** It runs, or its end was not seen. */
    NONE,
    /** It failed permanently. */
    FAILED,
    /** A user cancelled it. */
    CANCELED,
    /** A user requested a stop with a savepoint; the result is not known. */
    STOP_REQUESTED,
    /** A user stopped it, with a savepoint if it ran. */
    STOPPED,
    /** {@code lastfix down} ended it, with a savepoint if possible. */
    TAKEN_DOWN
  }

  /** A newly submitted job. */
  public static SubmittedJob started(
      Submission submission, String id, @Nullable String startedFrom) {
    return new SubmittedJob(submission, id, startedFrom, null, End.NONE, false);
  }

  /** The job's name, as configured. */
  public String name() {
    return submission.name();
  }

  /** This job with a newer checkpoint or savepoint. */
  public SubmittedJob withLatest(String path) {
    return new SubmittedJob(submission, id, startedFrom, path, end, supervised);
  }

  /** This job, ended. */
  public SubmittedJob ended(End how) {
    return new SubmittedJob(submission, id, startedFrom, latest, how, supervised);
  }

  /**
   * Returns whether the job is expected to run: no user has ended it for good. After {@code lastfix
   * down}, the user has to submit it again.
   */
  boolean oughtToRun() {
    return switch (end) {
      case NONE, FAILED, TAKEN_DOWN -> true;
      case STOP_REQUESTED, STOPPED, CANCELED -> false;
    };
  }

  /** For the user: the commands that resume it after {@code lastfix down}. */
  public String resumeCommands() {
    return "lastfix up, then " + submission.resumeCommand();
  }

  /** For the user: the command that continues its upgrade, without options. */
  public String upgradeCommand() {
    return "lastfix upgrade " + submission.job();
  }

  /** For the user: the command that resumes it. */
  public String resumeCommand() {
    return submission.resumeCommand();
  }

  /** This job under a supervisor. */
  public SubmittedJob underSupervision() {
    return new SubmittedJob(submission, id, startedFrom, latest, end, true);
  }

  /**
   * This job, updated with the cluster's list. A list without the job gives no information: the
   * JobManager may have been restarted after a user had ended the job. Another job of the same name
   * gives information only if a user ended that one.
   */
  public SubmittedJob updatedFrom(JobSituation seen) {
    return switch (seen.state()) {
      case UNKNOWN -> this;
      case FAILED -> seen.id().equals(id) ? failed() : this;
      case CANCELED -> ended(End.CANCELED);
      case STOPPED -> end == End.TAKEN_DOWN ? this : ended(End.STOPPED);
      // A requested stop may still take effect.
      case RUNS -> seen.id().equals(id) && end != End.STOP_REQUESTED ? ended(End.NONE) : this;
    };
  }

  private SubmittedJob failed() {
    return switch (end) {
      // After a person has stopped what had failed, Flink still lists the failure.
      case STOPPED, TAKEN_DOWN, CANCELED -> this;
      // It may have failed once its savepoint was taken (StopWithSavepoint).
      case STOP_REQUESTED -> ended(End.STOPPED);
      case NONE, FAILED -> ended(End.FAILED);
    };
  }

  /**
   * Returns this job as another command has started it, under another id. Its own checkpoints will
   * be newer than those of the old id, so the newest of these counts as its start point.
   */
  public SubmittedJob runningAs(String newId) {
    return started(submission, newId, latest == null ? startedFrom : latest);
  }
}
