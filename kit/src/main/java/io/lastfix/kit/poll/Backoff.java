package io.lastfix.kit.poll;

import java.time.Duration;

/**
 * Pauses between attempts, which double.
 *
 * @param shortest the first pause, positive
 * @param longest the longest pause, not below the first
 */
public record Backoff(Duration shortest, Duration longest) {
  /** Of a millisecond, these are twelve days: longer than any configured pause. */
  private static final int MOST_DOUBLINGS = 30;

  /** Returns the pause after this one. */
  public Duration longer(Duration pause) {
    return least(pause.multipliedBy(2));
  }

  /**
   * Returns the pause after an attempt.
   *
   * @param attempts how many there were, 1 or more
   */
  public Duration after(int attempts) {
    return least(shortest.multipliedBy(1L << Math.min(attempts - 1, MOST_DOUBLINGS)));
  }

  private Duration least(Duration pause) {
    return pause.compareTo(longest) < 0 ? pause : longest;
  }
}
