package io.lastfix.model;

import java.io.Serializable;
import java.util.Comparator;

/**
 * What decides between two entries of one cell: the greater one counts, in whatever order and from
 * whichever partition they are read.
 *
 * @param number given by whoever published the entry, or else Kafka's timestamp of the message; so
 *     that both can be compared, milliseconds since 1970. -1: not known
 * @param offset of the message, which decides where the numbers are the same; -1: not known
 * @param partition of the message, which decides where the offsets are, too; -1: not known
 */
public record Revision(long number, long offset, int partition)
    implements Comparable<Revision>, Serializable {
  private static final long serialVersionUID = 1L;

  /** The greatest number: the last millisecond of the year 9999. */
  public static final long MAX_NUMBER = 253_402_300_799_999L;

  /**
   * How far a number that was given may be ahead of Kafka's timestamp of its message: a day. One
   * that is years ahead would hold its cell against all that is published in these years.
   */
  public static final long MAX_AHEAD_MILLIS = 86_400_000;

  /** Of what was known before entries had a revision: every message is newer. */
  public static final Revision OLDEST = new Revision(-1, -1, -1);

  private static final Comparator<Revision> ORDER =
      Comparator.comparingLong(Revision::number)
          .thenComparingLong(Revision::offset)
          .thenComparingInt(Revision::partition);

  public Revision {
    if (number < -1 || offset < -1 || partition < -1) {
      throw new IllegalArgumentException("revision: expected -1 or more in each part");
    }
  }

  /** The same message with the number that its publisher gave it. */
  public Revision withNumber(long given) {
    return new Revision(given, offset, partition);
  }

  @Override
  public int compareTo(Revision other) {
    return ORDER.compare(this, other);
  }
}
