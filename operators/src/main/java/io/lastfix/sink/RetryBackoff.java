package io.lastfix.sink;

/** How long to wait before a bulk is sent again. */
final class RetryBackoff {
  private final long initialMillis;
  private final long maxMillis;

  RetryBackoff(BulkOptions options) {
    this.initialMillis = options.retryInitialBackoff().toMillis();
    this.maxMillis = options.retryMaxBackoff().toMillis();
  }

  /**
   * The initial pause, doubled with each attempt up to the longest one, shortened by up to half: or
   * all subtasks would come back at once to a server that has just recovered.
   *
   * @param attempts how often it was sent, 1 or more
   * @param random from 0 up to, not including, 1
   */
  long pauseMillis(int attempts, double random) {
    // 2^30 times a millisecond is twelve days, more than anybody waits.
    int doublings = Math.min(attempts - 1, 30);
    long pause = Math.min(maxMillis, initialMillis << doublings);
    return Math.max(1, pause - (long) (pause / 2.0 * random));
  }
}
