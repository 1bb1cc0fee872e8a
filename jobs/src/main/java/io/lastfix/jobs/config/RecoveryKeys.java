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
                  "Time between checkpoints. At each one everything read before it is stored."));

  static final Key<Duration> CHECKPOINT_TIMEOUT =
      Key.positive(
          key("checkpoint.timeout")
              .durationType()
              .defaultValue(Duration.ofMinutes(10))
              .withDescription("A checkpoint that takes longer is given up."));

  static final Key<Duration> RESTART_INITIAL_BACKOFF =
      Key.positive(
          key("restart.initial-backoff")
              .durationType()
              .defaultValue(Duration.ofSeconds(1))
              .withDescription(
                  "Wait before a failed job is restarted; doubles while it keeps failing."));

  static final Key<Duration> RESTART_MAX_BACKOFF =
      Key.positive(
          key("restart.max-backoff")
              .durationType()
              .defaultValue(Duration.ofMinutes(1))
              .withDescription(
                  "The longest wait before a restart. There is no limit to their number."));

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
