package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import java.time.Duration;

/** The keys {@code checkpoint.} and {@code restart.}: how the job survives a failure. */
final class RecoveryKeys {
  static final Key<Duration> CHECKPOINT_INTERVAL =
      Key.positive(
          key("checkpoint.interval")
              .durationType()
              .defaultValue(Duration.ofSeconds(10))
              .withDescription(
                  "Time between checkpoints. A completed checkpoint guarantees that all records"
                      + " read before it are stored."));

  static final Key<Duration> CHECKPOINT_TIMEOUT =
      Key.positive(
          key("checkpoint.timeout")
              .durationType()
              .defaultValue(Duration.ofMinutes(10))
              .withDescription(
                  "Time limit of a checkpoint. The job aborts one that takes longer."));

  static final Key<Duration> RESTART_INITIAL_BACKOFF =
      Key.positive(
          key("restart.initial-backoff")
              .durationType()
              .defaultValue(Duration.ofSeconds(1))
              .withDescription(
                  "Wait before the first restart of a failed job. It doubles while the job"
                      + " keeps failing."));

  static final Key<Duration> RESTART_MAX_BACKOFF =
      Key.positive(
          key("restart.max-backoff")
              .durationType()
              .defaultValue(Duration.ofMinutes(1))
              .withDescription(
                  "Maximum wait before a restart. The number of restarts is unlimited."));

  private RecoveryKeys() {}

  static RecoveryOptions read(SettingsReader reader) {
    Duration initialBackoff = reader.get(RESTART_INITIAL_BACKOFF);
    return new RecoveryOptions(
        reader.get(CHECKPOINT_INTERVAL),
        reader.get(CHECKPOINT_TIMEOUT),
        initialBackoff,
        reader.getAtLeast(initialBackoff, RESTART_INITIAL_BACKOFF, RESTART_MAX_BACKOFF));
  }
}
