package io.lastfix.notify.delivery;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One line a minute: a receiver that is away for a day would fill the log. For one thread. */
final class LogLimit {
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private @Nullable Instant last;

  boolean allows(Instant now) {
    if (last != null && now.isBefore(last.plus(INTERVAL))) {
      return false;
    }
    last = now;
    return true;
  }
}
