package io.lastfix.cli.job;

import java.time.Duration;
import java.time.Instant;

/**
 * When something may be tried again. The first time at once; then after a pause that doubles, until
 * it was left alone for a while. Not safe for use by several threads.
 */
final class RestartBackoff {
  private final Duration shortest;
  private final Duration longest;
  private Duration pause;
  private Instant last = Instant.EPOCH;

  /**
   * @param shortest the first pause
   * @param longest the longest pause; twice as long without a try, and it begins anew
   */
  RestartBackoff(Duration shortest, Duration longest) {
    this.shortest = shortest;
    this.longest = longest;
    this.pause = shortest;
  }

  /** Whether now is a time to try; if so, it counts as tried. */
  boolean tryNow(Instant now) {
    Duration since = Duration.between(last, now);
    if (since.compareTo(longest.multipliedBy(2)) > 0) {
      pause = shortest;
    } else if (since.compareTo(pause) < 0) {
      return false;
    } else {
      Duration doubled = pause.multipliedBy(2);
      pause = doubled.compareTo(longest) < 0 ? doubled : longest;
    }
    last = now;
    return true;
  }
}
