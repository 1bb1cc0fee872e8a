package io.lastfix.locate;

import io.lastfix.model.LocationRecord;

/**
 * A record whose cell is not known yet.
 *
 * @param record the record
 * @param streamTimestampMillis timestamp of its {@code StreamRecord} (Kafka's append time), with
 *     which it is forwarded; or {@link #NO_TIMESTAMP}
 * @param deadlineMillis processing time at which the join forwards it without coordinates; later if
 *     the job was restored meanwhile
 * @param arrival its order among the waiting records, see {@link #arrivalAfter}
 */
record WaitingRecord(
    LocationRecord record, long streamTimestampMillis, long deadlineMillis, long arrival) {
  /** Flink's value if a {@code StreamRecord} has no timestamp. */
  static final long NO_TIMESTAMP = Long.MIN_VALUE;

  /**
   * Low bits of an arrival, which distinguish 2 to the power of 20 records within a millisecond.
   */
  private static final int BITS_WITHIN_MILLISECOND = 20;

  /**
   * Maximum memory of one record in a checkpoint or a running job, without the characters of its
   * user. Counted on a 64-bit JVM with compressed references, for a record that is alone in its
   * cell on the heap backend (docs/decisions/operators.md).
   */
  private static final int BYTES_WITHOUT_USER = 360;

  /**
   * Returns the arrival of the next record: the clock with additional low bits, or the previous
   * arrival plus one if the clock has not advanced. Arrivals of different subtasks, which a restore
   * may combine, are therefore comparable.
   *
   * @param before the previous arrival
   */
  static long arrivalAfter(long before, long nowMillis) {
    return Math.max(before + 1, nowMillis << BITS_WITHIN_MILLISECOND);
  }

  /** Returns the memory that the record counts for, in bytes. */
  int bytes() {
    return bytes(record.user().length());
  }

  /** Returns the memory that a record counts for, by the length of its user's name. */
  static int bytes(int userLength) {
    return BYTES_WITHOUT_USER + 2 * userLength;
  }
}
