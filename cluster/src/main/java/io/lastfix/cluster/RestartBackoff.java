package io.lastfix.cluster;

import io.lastfix.kit.poll.Backoff;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides when a restart may be tried. The first try is immediate. Then pauses double, until no try
 * was needed for a while. Not thread-safe.
 */
public final class RestartBackoff {
  private final Backoff backoff;
  private Duration pause;
  private Instant last = Instant.EPOCH;

  /**
   * @param shortest the first pause
   * @param longest the longest pause; after twice that time without a try, the pauses begin again
   */
  public RestartBackoff(Duration shortest, Duration longest) {
    this.backoff = new Backoff(shortest, longest);
    this.pause = shortest;
  }

  /** Returns whether a try is due now; if so, it counts as tried. */
  public boolean tryAttempt(Instant now) {
    Duration since = Duration.between(last, now);
    if (since.compareTo(backoff.longest().multipliedBy(2)) > 0) {
      pause = backoff.shortest();
    } else if (since.compareTo(pause) < 0) {
      return false;
    } else {
      pause = backoff.longer(pause);
    }
    last = now;
    return true;
  }
}
