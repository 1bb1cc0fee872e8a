package io.lastfix.stack;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides when a restart may be tried. The first try is immediate. Then pauses double, until no try
 * was needed for a while. Not thread-safe.
 */
public final class RestartBackoff {
  private final Duration shortest;
  private final Duration longest;
  private Duration pause;
  private Instant last = Instant.EPOCH;

  /**
   * @param shortest the first pause
   * @param longest the longest pause; after twice that time without a try, the pauses begin again
   */
  public RestartBackoff(Duration shortest, Duration longest) {
    this.shortest = shortest;
    this.longest = longest;
    this.pause = shortest;
  }

  /** Returns whether a try is due now; if so, it counts as tried. */
  public boolean tryAttempt(Instant now) {
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
