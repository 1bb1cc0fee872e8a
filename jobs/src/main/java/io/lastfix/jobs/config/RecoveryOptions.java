package io.lastfix.jobs.config;

import java.time.Duration;

/**
 * How a job survives a failure.
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
    Duration restartMaxBackoff) {}
