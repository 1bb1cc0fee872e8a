package io.lastfix.cluster.submission;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An upgrade that has not ended yet. It is written before each step, so that a later command can
 * continue it.
 *
 * @param step the step that was begun last
 * @param since when it was begun, by this machine's clock, as ISO-8601
 * @param formerId the job that is replaced
 * @param formerJar the kept copy of its jar
 * @param formerFingerprint of its settings, see {@link SettingsFingerprint}
 * @param nextJar the kept copy of the new jar
 * @param nextFingerprint of the new job's settings
 * @param savepoint of the former job, from which both start; null until it is taken
 * @param nextId the new job; null until the cluster has accepted it
 * @param reason why the upgrade goes back; null unless it does
 * @param counted what was counted before, see {@link UpgradeAccount}
 */
public record UpgradeRecord(
    Step step,
    String since,
    String formerId,
    String formerJar,
    String formerFingerprint,
    String nextJar,
    String nextFingerprint,
    @Nullable String savepoint,
    @Nullable String nextId,
    @Nullable String reason,
    Map<String, Long> counted) {
  /** The steps of an upgrade. */
  public enum Step {
    /** The former job is being stopped with a savepoint. */
    STOPPING,
    /** The new jar is being submitted. */
    STARTING,
    /** The new job has to complete a checkpoint. */
    VERIFYING,
    /** The new job is being cancelled. */
    CANCELLING,
    /** The former jar is being submitted. */
    GOING_BACK
  }

  /** Copies the map, and rejects the missing values of a damaged file. */
  public UpgradeRecord {
    Objects.requireNonNull(step, "step is missing");
    Objects.requireNonNull(since, "since is missing");
    Objects.requireNonNull(formerId, "formerId is missing");
    Objects.requireNonNull(formerJar, "formerJar is missing");
    Objects.requireNonNull(formerFingerprint, "formerFingerprint is missing");
    Objects.requireNonNull(nextJar, "nextJar is missing");
    Objects.requireNonNull(nextFingerprint, "nextFingerprint is missing");
    counted = Map.copyOf(Objects.requireNonNull(counted, "counted is missing"));
    if (step != Step.STOPPING) {
      Objects.requireNonNull(savepoint, "savepoint is missing");
    }
    if (step == Step.VERIFYING) {
      Objects.requireNonNull(nextId, "nextId is missing");
    }
  }

  /** This instant, as a step's beginning. */
  static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** The former job has run on: its numbers of now replace those of the same names. */
  UpgradeRecord countedAgain(Map<String, Long> now) {
    Map<String, Long> all = new HashMap<>(counted);
    all.putAll(now);
    return with(step, since, savepoint, nextId, reason, all);
  }

  /** The former job has ended, with this savepoint. */
  UpgradeRecord stopped(String path, Map<String, Long> more) {
    return with(Step.STARTING, now(), path, null, null, countedAgain(more).counted);
  }

  /** The cluster has accepted the new job. */
  UpgradeRecord started(String id) {
    return at(Step.VERIFYING, id, null);
  }

  /** The new job is to be ended, for this reason. */
  UpgradeRecord failed(String why) {
    return at(Step.CANCELLING, nextId, why);
  }

  /** The new job has ended. */
  UpgradeRecord canceled() {
    return at(Step.GOING_BACK, nextId, reason);
  }

  private UpgradeRecord at(Step next, @Nullable String id, @Nullable String why) {
    return with(next, now(), savepoint, id, why, counted);
  }

  /** A copy of the same two jobs. */
  private UpgradeRecord with(
      Step next,
      String begun,
      @Nullable String path,
      @Nullable String id,
      @Nullable String why,
      Map<String, Long> numbers) {
    return new UpgradeRecord(
        next,
        begun,
        formerId,
        formerJar,
        formerFingerprint,
        nextJar,
        nextFingerprint,
        path,
        id,
        why,
        numbers);
  }

  /** The savepoint of the former job, which has ended. */
  String requireSavepoint() {
    return Objects.requireNonNull(savepoint, "savepoint is missing");
  }

  /**
   * Returns whether the last submission of the job is a part of this upgrade. If it is not, another
   * command has started the job since.
   */
  boolean covers(SubmittedJob known) {
    return known.id().equals(formerId)
        || known.id().equals(nextId)
        || ((nextId == null || step == Step.GOING_BACK)
            && savepoint != null
            && savepoint.equals(known.startedFrom())
            && known.submission().jar().equals(step == Step.GOING_BACK ? formerJar : nextJar));
  }
}
