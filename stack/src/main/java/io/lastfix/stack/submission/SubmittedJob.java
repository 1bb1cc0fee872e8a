package io.lastfix.stack.submission;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was last submitted, and what is known of it since.
 *
 * @param submission what was submitted
 * @param id 32 hexadecimal digits, given by the cluster
 * @param startedFrom the checkpoint or savepoint it was started from; null without one
 * @param latest the newest checkpoint or savepoint of this id that is known; null without one
 * @param end how it ended, or was told to, as far as anyone has seen
 * @param supervised whether a supervisor has seen it run, or has started it: if it is gone then,
 *     and nobody was seen to end it, it was lost
 */
public record SubmittedJob(
    Submission submission,
    String id,
    @Nullable String startedFrom,
    @Nullable String latest,
    End end,
    boolean supervised) {
  /** Refuses what a damaged file leaves out. */
  public SubmittedJob {
    Objects.requireNonNull(submission, "submission is missing");
    Objects.requireNonNull(id, "id is missing");
    Objects.requireNonNull(end, "end is missing");
  }

  /** How a job ended. */
  public enum End {
    /** It runs, or nobody has seen it end. */
    NONE,
    /** The cluster gave it up. */
    FAILED,
    /** A person cancelled it. */
    CANCELED,
    /** A person has asked to stop it with a savepoint; what became of that is not known. */
    STOP_REQUESTED,
    /** A person stopped it with a savepoint. */
    STOPPED,
    /** {@code lastfix down} ended it, with a savepoint where it could. */
    TAKEN_DOWN
  }

  /** One that was just submitted. */
  public static SubmittedJob started(
      Submission submission, String id, @Nullable String startedFrom) {
    return new SubmittedJob(submission, id, startedFrom, null, End.NONE, false);
  }

  /** As configured. */
  public String name() {
    return submission.name();
  }

  /** The same, with a newer checkpoint or savepoint. */
  public SubmittedJob withLatest(String path) {
    return new SubmittedJob(submission, id, startedFrom, path, end, supervised);
  }

  /** The same, ended. */
  public SubmittedJob ended(End how) {
    return new SubmittedJob(submission, id, startedFrom, latest, how, supervised);
  }

  /** For a person: the commands with which it goes on after {@code lastfix down}. */
  public String goingOn() {
    StringBuilder submit = new StringBuilder("./lastfix submit location --resume");
    if (submission.configFile() != null) {
      submit.append(" --config ").append(submission.configFile());
    }
    submission.overriddenKeys().forEach(key -> submit.append(" --set ").append(key).append("=..."));
    return "./lastfix up, then " + submit;
  }

  /** The same, in the care of a supervisor. */
  public SubmittedJob inCare() {
    return new SubmittedJob(submission, id, startedFrom, latest, end, true);
  }

  /**
   * The same, with what the cluster lists. A cluster that lists nothing tells nothing: its
   * JobManager may have been started anew after a person had ended the job. Another job of the same
   * name tells something only where a person ended that.
   */
  public SubmittedJob seenAs(JobSituation seen) {
    return switch (seen.state()) {
      case UNKNOWN -> this;
      case FAILED -> seen.id().equals(id) ? ended(End.FAILED) : this;
      case CANCELED -> ended(End.CANCELED);
      case STOPPED -> end == End.TAKEN_DOWN ? this : ended(End.STOPPED);
      // A stop that was asked for may still come.
      case RUNS -> seen.id().equals(id) && end != End.STOP_REQUESTED ? ended(End.NONE) : this;
    };
  }

  /**
   * The same job, started by someone else under another id. What was known of the old id is older
   * than anything the new one makes, and therefore as good a place to go on from.
   */
  public SubmittedJob runningAs(String newId) {
    return started(submission, newId, latest == null ? startedFrom : latest);
  }
}
