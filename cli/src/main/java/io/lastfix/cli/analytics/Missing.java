package io.lastfix.cli.analytics;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.common.QueryAccess;
import io.lastfix.cli.common.QuerySession;
import io.lastfix.stack.flink.LostRecords;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.LateRecords;
import io.lastfix.store.query.TimeRange;
import java.io.PrintWriter;

/** What a command says of the records that its numbers lack. */
final class Missing {
  private final NumberKind kind;
  private final LateRecords late;
  private final LostRecords lost;

  private Missing(NumberKind kind, LateRecords late, LostRecords lost) {
    this.kind = kind;
    this.late = late;
    this.lost = lost;
  }

  /** Reads what the numbers of a range lack, and begins to query Flink. */
  static Missing of(QueryAccess access, QuerySession session, NumberKind kind, TimeRange range)
      throws MongoAccessException {
    LostRecords lost = access.lostRecords(session.config());
    return new Missing(kind, session.late().read(kind, range), lost);
  }

  /** Adds {@code tooLate}, and {@code recordsLost} if Flink answers. */
  ObjectNode addTo(ObjectNode about) {
    late.addTo(about);
    lost.await().ifPresent(records -> about.put("recordsLost", records));
    return about;
  }

  /** Prints a line for each that there are some of. */
  void say(PrintWriter err) {
    late.text("these numbers", kind.text()).ifPresent(err::println);
    LostRecords.text(lost.await()).ifPresent(err::println);
  }
}
