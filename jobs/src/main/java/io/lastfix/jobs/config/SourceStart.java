package io.lastfix.jobs.config;

import java.io.Serializable;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * Where a job that has no savepoint begins to read the location topics.
 *
 * @param kind one of the four
 * @param timestampMillis timestamp in milliseconds since 1970, for {@link Kind#TIMESTAMP}; else 0
 */
public record SourceStart(Kind kind, long timestampMillis) implements Serializable {
  /** The four ways to begin. */
  public enum Kind {
    COMMITTED,
    EARLIEST,
    LATEST,
    TIMESTAMP
  }

  /**
   * Reads {@code committed}, {@code earliest}, {@code latest} or an ISO 8601 timestamp in UTC.
   *
   * @throws IllegalArgumentException if it is none of them
   */
  public static SourceStart parse(String text) {
    return switch (text) {
      case "committed" -> new SourceStart(Kind.COMMITTED, 0);
      case "earliest" -> new SourceStart(Kind.EARLIEST, 0);
      case "latest" -> new SourceStart(Kind.LATEST, 0);
      default -> {
        try {
          yield new SourceStart(Kind.TIMESTAMP, Instant.parse(text).toEpochMilli());
        } catch (DateTimeException e) {
          throw new IllegalArgumentException(
              "expected committed, earliest, latest or a time such as 2026-11-20T12:00:00Z", e);
        }
      }
    };
  }
}
