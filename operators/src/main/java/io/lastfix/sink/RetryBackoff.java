package io.lastfix.sink;

/** Computes the pause before a bulk is sent again. */
final class RetryBackoff {
  private final long initialMillis;
  private final long maxMillis;

  RetryBackoff(BulkOptions options) {
    this.initialMillis = options.retryInitialBackoff().toMillis();
    this.maxMillis = options.retryMaxBackoff().toMillis();
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
    // 2^30 milliseconds are twelve days, longer than any configured pause.
    int doublings = Math.min(attempts - 1, 30);
    long pause = Math.min(maxMillis, initialMillis << doublings);
    return Math.max(1, pause - (long) (pause / 2.0 * random));
  }
}
