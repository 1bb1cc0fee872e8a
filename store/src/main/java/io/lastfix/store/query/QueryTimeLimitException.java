package io.lastfix.store.query;

import java.time.Duration;

/** The server aborted a statement at the configured time limit. */
public final class QueryTimeLimitException extends RuntimeException {
  /**
   * Names what took too long.
   *
   * @param collection that was queried
   */
  public QueryTimeLimitException(String collection, Duration timeLimit, Throwable cause) {
    super(
        "MongoDB aborted the query of %s at its time limit of %s: query a shorter time or a smaller area, or raise the time limit"
            .formatted(collection, inWords(timeLimit)),
        cause);
  }

  private static String inWords(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }
}
