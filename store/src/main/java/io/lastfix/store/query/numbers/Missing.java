package io.lastfix.store.query.numbers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.mongodb.MongoException;
import io.lastfix.store.query.QueryTimeLimitException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The records that numbers lack.
 *
 * @param late records that came too late
 * @param problem why those are not known; empty if they are
 * @param lost records that Kafka deleted before they were read; empty if that is not known
 */
public record Missing(
    LateRecords late, Optional<RuntimeException> problem, Supplier<OptionalLong> lost) {
  /**
   * Reads which came too late. If the user may not read that, or it takes too long, the numbers are
   * shown all the same.
   */
  public static Missing of(Supplier<LateRecords> late, Supplier<OptionalLong> lost) {
    try {
      return new Missing(late.get(), Optional.empty(), lost);
    } catch (MongoException | QueryTimeLimitException e) {
      return new Missing(LateRecords.NONE, Optional.of(e), lost);
    }
  }

  /** Adds {@code tooLate} and {@code recordsLost}, each if it is known. */
  public ObjectNode addTo(ObjectNode about) {
    if (problem.isEmpty()) {
      late.addTo(about);
    }
    lost.get().ifPresent(records -> about.put("recordsLost", records));
    return about;
  }
}
