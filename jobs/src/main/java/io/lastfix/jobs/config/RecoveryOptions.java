package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import java.time.Duration;

/**
 * How a job survives a failure: the keys {@code checkpoint.} and {@code restart.}.
 *
 * @param checkpointInterval time between the start of two checkpoints
 * @param checkpointTimeout time after which a checkpoint is aborted
 * @param restartInitialBackoff wait before the first restart
 * @param restartMaxBackoff the longest wait before a restart
 */
public record RecoveryOptions(
    Duration checkpointInterval,
    Duration checkpointTimeout,
    Duration restartInitialBackoff,
    Duration restartMaxBackoff) {
  static final Key<Duration> CHECKPOINT_INTERVAL =
      Key.positiveDuration(
          "checkpoint.interval",
          "10 s",
          "Time between checkpoints. A completed checkpoint guarantees that all records read before"
              + " it are stored.");

  static final Key<Duration> CHECKPOINT_TIMEOUT =
      Key.positiveDuration(
          "checkpoint.timeout",
          "10 min",
          "Time limit of a checkpoint. The job aborts one that takes longer.");

  static final Key<Duration> RESTART_INITIAL_BACKOFF =
      Key.positiveDuration(
          "restart.initial-backoff",
          "1 s",
          "Wait before the first restart of a failed job. It doubles while the job keeps failing.");

  static final Key<Duration> RESTART_MAX_BACKOFF =
      Key.positiveDuration(
          "restart.max-backoff",
          "1 min",
          "Maximum wait before a restart. The number of restarts is unlimited.");

  static RecoveryOptions read(SettingsReader reader) {
    Duration initialBackoff = reader.get(RESTART_INITIAL_BACKOFF);
    return new RecoveryOptions(
        reader.get(CHECKPOINT_INTERVAL),
        reader.get(CHECKPOINT_TIMEOUT),
        initialBackoff,
        reader.getAtLeast(initialBackoff, RESTART_INITIAL_BACKOFF, RESTART_MAX_BACKOFF));
  }
}
