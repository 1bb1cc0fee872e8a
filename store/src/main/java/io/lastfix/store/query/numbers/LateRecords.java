package io.lastfix.store.query.numbers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Records that came too late for the numbers of the stream.
 *
 * @param records how many at most: repetitions are counted, since they cannot be told from others
 * @param from the first hour with some of them, if there are any
 * @param to the end of the last such hour
 * @param since when the first of them was left out
 */
public record LateRecords(long records, Instant from, Instant to, Instant since) {
  /** No records. */
  public static final LateRecords NONE =
      new LateRecords(0, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH);

  LateRecords plus(LateRecords other) {
    return new LateRecords(
        records + other.records,
        from.isBefore(other.from) ? from : other.from,
        to.isAfter(other.to) ? to : other.to,
        since.isBefore(other.since) ? since : other.since);
  }

  /** Returns the range of both, and the greater number: that of records which both may lack. */
  public LateRecords widest(LateRecords other) {
    LateRecords sum = plus(other);
    return new LateRecords(Math.max(records, other.records), sum.from, sum.to, sum.since);
  }

  /**
   * Returns a line that says how many there are, and what adds them; empty if there are none.
   *
   * @param where the numbers that lack them, such as {@code these numbers}
   */
  public Optional<String> text(String where) {
    return records == 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "Up to %,d located records are missing in %s: they came too late. They are of %s to"
                    + " %s. lastfix supervise adds them from History; so does lastfix analyze late",
                records,
                where,
                from,
                to));
  }

  /** Adds the fields {@code tooLate} and, if it is not 0, {@code tooLateFrom} and its end. */
  public ObjectNode addTo(ObjectNode about) {
    about.put("tooLate", records);
    if (records > 0) {
      about.put("tooLateFrom", from.toString()).put("tooLateTo", to.toString());
    }
    return about;
  }
}
