package io.lastfix.model;

import java.io.Serializable;
import java.util.Comparator;

/**
 * Decides between two entries of one cell: the greater revision wins, in whatever order and from
 * whichever partition the job reads them.
 *
 * @param number the publisher's number, or Kafka's timestamp of the message if the publisher gave
 *     none; in milliseconds since 1970, so that both are comparable; -1: unknown
 * @param offset the message's offset, which decides if the numbers are equal; -1: unknown
 * @param partition the message's partition, which decides if the offsets are equal too; -1: unknown
 */
public record Revision(long number, long offset, int partition)
    implements Comparable<Revision>, Serializable {
  /** The greatest valid number: the last millisecond of the year 9999. */
  public static final long MAX_NUMBER = 253_402_300_799_999L;

  /**
   * How far a publisher's number may be ahead of Kafka's timestamp of the message: one day. A
   * number years ahead would block all later entries of its cell for these years.
   */
  public static final long MAX_AHEAD_MILLIS = 86_400_000;

  /** The revision of entries from before revisions existed; every message is newer. */
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

  /** Returns a copy with the number that the publisher gave. */
  public Revision withNumber(long given) {
    return new Revision(given, offset, partition);
  }

  @Override
  public int compareTo(Revision other) {
    return ORDER.compare(this, other);
  }
}
