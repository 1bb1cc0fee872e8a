package io.lastfix.cli.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stretch of the records' own time that is judged.
 *
 * @param from its first moment; null: since ever
 * @param to the first moment after it; null: for ever
 */
record AuditRange(@Nullable Instant from, @Nullable Instant to) {
  boolean contains(long timestampMillis) {
    return (from == null || timestampMillis >= from.toEpochMilli())
        && (to == null || timestampMillis < to.toEpochMilli());
  }

  boolean isAll() {
    return from == null && to == null;
  }
}
