package io.lastfix.cli.analytics;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.mongodb.MongoException;
import io.lastfix.cli.common.QueryAccess;
import io.lastfix.cluster.flink.LostRecords;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.QueryTimeLimitException;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.LateRecords;
import java.io.PrintWriter;
import java.util.Optional;

/**
 * What a command says of the records that its numbers lack.
 *
 * @param late records that came too late
 * @param problem why those are not known; empty if they are
 * @param lost records that Kafka deleted before they were read
 */
record Missing(LateRecords late, Optional<String> problem, LostRecords lost) {
  /**
   * Reads what the numbers of a range lack, and begins to query Flink. If the user may not read it,
   * or it takes too long, the numbers are shown all the same.
   */
  static Missing of(QueryAccess access, QuerySession session, NumberKind kind, TimeRange range)
      throws MongoAccessException {
    LostRecords lost = access.lostRecords(session.config());
    try {
      return new Missing(session.late().read(kind, range), Optional.empty(), lost);
    } catch (MongoException | QueryTimeLimitException e) {
      return new Missing(LateRecords.NONE, Optional.of(String.valueOf(e.getMessage())), lost);
    }
  }

  /** Adds {@code tooLate} if it is known, and {@code recordsLost} if Flink answers. */
  ObjectNode addTo(ObjectNode about) {
    if (problem.isEmpty()) {
      late.addTo(about);
    }
    lost.await().ifPresent(records -> about.put("recordsLost", records));
    return about;
  }

  /** Prints a line for each that there are some of. */
  void say(PrintWriter err) {
    problem.ifPresent(
        it ->
            err.println("It is not known whether records came too late for these numbers: " + it));
    late.text("these numbers").ifPresent(err::println);
    LostRecords.text(lost.await()).ifPresent(err::println);
  }
}
