package io.lastfix.sink;

import io.lastfix.kit.poll.Backoff;

/** Computes the pause before a bulk is sent again. */
final class RetryBackoff {
  private final Backoff backoff;

  RetryBackoff(BulkOptions options) {
    backoff = new Backoff(options.retryInitialBackoff(), options.retryMaxBackoff());
  }

  /**
   * Returns the initial pause, doubled with each attempt up to the maximum, and shortened by up to
   * half at random. Otherwise all subtasks would return at once to a server that has just
   * recovered.
   *
   * @param attempts how often it was sent, 1 or more
   * @param random 0 or more, below 1
   */
  long pauseMillis(int attempts, double random) {
    long pause = backoff.after(attempts).toMillis();
    return Math.max(1, pause - (long) (pause / 2.0 * random));
  }
}
