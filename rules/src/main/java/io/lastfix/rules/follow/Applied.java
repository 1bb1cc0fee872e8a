package io.lastfix.rules.follow;

import java.time.Instant;

/**
 * A message of {@code lastfix.rules.applied}: a subtask judges by all rules before an offset.
 *
 * @param job Flink's id of the job
 * @param subtask its index, from 0
 * @param of the number of subtasks
 * @param attempt of the subtask, from 0: an earlier one may still run, cut off from the job
 * @param offset in {@code lastfix.rules}, after the last message that the subtask applies
 * @param at when it was written
 */
public record Applied(String job, int subtask, int of, int attempt, long offset, Instant at) {
  /** The greatest parallelism that Flink allows. */
  private static final int MOST_SUBTASKS = 1 << 15;

  /** Checks the numbers. */
  public Applied {
    if (of < 1 || of > MOST_SUBTASKS || subtask < 0 || subtask >= of || offset < 0) {
      throw new IllegalArgumentException(
          "expected a subtask and an offset, found subtask %d of %d, offset %d"
              .formatted(subtask, of, offset));
    }
  }

  /** Returns this or a later message of the same subtask: the one of the newer attempt. */
  public Applied or(Applied later) {
    return later.attempt < attempt ? this : later;
  }

  /** Returns the message's key. */
  public String key() {
    return key(job, subtask);
  }

  /** Returns the key of a subtask's message. */
  public static String key(String job, int subtask) {
    return job + "/" + subtask;
  }
}
