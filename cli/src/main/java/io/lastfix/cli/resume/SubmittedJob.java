package io.lastfix.cli.resume;

import org.jspecify.annotations.Nullable;

/**
 * A job as it was last submitted, and what is known of it since.
 *
 * @param submission what was submitted
 * @param id 32 hexadecimal digits, given by the cluster
 * @param startedFrom the checkpoint or savepoint it was started from; null without one
 * @param latest the newest checkpoint or savepoint of this id that is known; null without one
 * @param end how it ended, as far as a person had a part in it
 */
public record SubmittedJob(
    Submission submission,
    String id,
    @Nullable String startedFrom,
    @Nullable String latest,
    End end) {

  /** How a job ended. */
  public enum End {
    /** It runs, or nobody ended it. */
    NONE,
    /** A person cancelled it. */
    CANCELED,
    /** A person stopped it with a savepoint. */
    STOPPED,
    /** {@code lastfix down} stopped it with a savepoint. */
    TAKEN_DOWN
  }

  /** One that was just submitted. */
  public static SubmittedJob started(
      Submission submission, String id, @Nullable String startedFrom) {
    return new SubmittedJob(submission, id, startedFrom, null, End.NONE);
  }

  /** As configured. */
  public String name() {
    return submission.name();
  }

  /** The same, with a newer checkpoint or savepoint. */
  public SubmittedJob withLatest(String path) {
    return new SubmittedJob(submission, id, startedFrom, path, end);
  }

  /** The same, ended. */
  public SubmittedJob ended(End how) {
    return new SubmittedJob(submission, id, startedFrom, latest, how);
  }

  /**
   * The same job, started by someone else under another id. What was known of the old id is older
   * than anything the new one makes, and therefore as good a place to go on from.
   */
  public SubmittedJob runningAs(String newId) {
    return started(submission, newId, latest == null ? startedFrom : latest);
  }
}
