package io.lastfix.store.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Records that came too late for the numbers of the stream.
 *
 * @param records how many at most: repetitions are counted, since they cannot be told from others
 * @param from the first hour with some of them, if there are any
 * @param to the end of the last such hour
 */
public record LateRecords(long records, Instant from, Instant to) {
  /** An hour, and the default of {@code analytics.out-of-orderness}. */
  private static final Duration REWRITTEN = Duration.ofHours(1).plusSeconds(10);

  /** No records. */
  public static final LateRecords NONE = new LateRecords(0, Instant.EPOCH, Instant.EPOCH);

  LateRecords plus(LateRecords other) {
    return new LateRecords(
        records + other.records,
        from.isBefore(other.from) ? from : other.from,
        to.isAfter(other.to) ? to : other.to);
  }

  /** Returns the range of both, and the greater number: that of records which both may lack. */
  public LateRecords widest(LateRecords other) {
    LateRecords sum = plus(other);
    return new LateRecords(Math.max(records, other.records), sum.from, sum.to);
  }

  /**
   * Returns a line that says how many there are, and the command that adds them; empty if there are
   * none.
   *
   * @param where the numbers that lack them, such as {@code these numbers}
   * @param what lastfix analyze should compute
   * @param reach in all of these numbers
   * @param now before the stream no longer rewrites numbers of that time, the line says when to run
   *     it
   */
  public Optional<String> text(String where, String what, LateReach reach, Instant now) {
    if (records == 0) {
      return Optional.empty();
    }
    TimeRange numbers = reach.effectsOf(new TimeRange(from, to));
    Instant end = numbers.to().plus(REWRITTEN);
    return Optional.of(
        String.format(
            Locale.ROOT,
            "Up to %,d located records are missing in %s: they came too late. They are of %s to %s."
                + " %s from History: lastfix analyze %s --from %s --to %s",
            records,
            where,
            from,
            to,
            end.isAfter(now) ? "From %s on, this adds them".formatted(end) : "This adds them",
            what,
            numbers.from(),
            numbers.to()));
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
