package io.lastfix.cli.resume;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was last submitted. It never holds a value that the user gave with {@code --set}:
 * such a value may be a secret.
 *
 * @param name as configured
 * @param id 32 hexadecimal digits, given by the cluster
 * @param cluster the cluster's address without a password, or {@link #LOCAL_STACK}
 * @param jar what was submitted
 * @param configFile the configuration's absolute path; null without one
 * @param overriddenKeys the keys that were given with {@code --set}, in that order
 * @param checkpointDirectory in which Flink makes one folder for each job; null if unknown
 * @param savepointDirectory where savepoints go that name no other; null if unknown
 * @param startedFrom the checkpoint or savepoint it was started from; null without one
 * @param latest the newest checkpoint or savepoint of this id that is known; null without one
 * @param end how it ended, as far as a person had a part in it
 */
public record SubmittedJob(
    String name,
    String id,
    String cluster,
    String jar,
    @Nullable String configFile,
    List<String> overriddenKeys,
    @Nullable String checkpointDirectory,
    @Nullable String savepointDirectory,
    @Nullable String startedFrom,
    @Nullable String latest,
    End end) {
  /** Stands for the address of the local stack's cluster, which may change. */
  public static final String LOCAL_STACK = "local stack";

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

  /** Copies the list. */
  public SubmittedJob {
    overriddenKeys = List.copyOf(overriddenKeys);
  }

  /** The same, with a newer checkpoint or savepoint. */
  public SubmittedJob withLatest(String path) {
    return new SubmittedJob(
        name,
        id,
        cluster,
        jar,
        configFile,
        overriddenKeys,
        checkpointDirectory,
        savepointDirectory,
        startedFrom,
        path,
        end);
  }

  /** The same, ended. */
  public SubmittedJob ended(End how) {
    return new SubmittedJob(
        name,
        id,
        cluster,
        jar,
        configFile,
        overriddenKeys,
        checkpointDirectory,
        savepointDirectory,
        startedFrom,
        latest,
        how);
  }

  /**
   * The same job, started by someone else under another id. What was known of the old id is older
   * than anything the new one makes, and therefore as good a place to go on from.
   */
  public SubmittedJob runningAs(String newId) {
    return new SubmittedJob(
        name,
        newId,
        cluster,
        jar,
        configFile,
        overriddenKeys,
        checkpointDirectory,
        savepointDirectory,
        latest == null ? startedFrom : latest,
        null,
        End.NONE);
  }
}
