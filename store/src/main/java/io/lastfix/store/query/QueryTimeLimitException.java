package io.lastfix.store.query;

import java.time.Duration;

/** The server aborted a statement at the configured time limit. */
public final class QueryTimeLimitException extends RuntimeException {
  QueryTimeLimitException(String collection, Duration timeLimit, Throwable cause) {
    super(
        "MongoDB gave the query of %s up after the %s that it may take: ask for less (a shorter time, a smaller area), or raise the time limit"
            .formatted(collection, inWords(timeLimit)),
        cause);
  }

  private static String inWords(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }
}
