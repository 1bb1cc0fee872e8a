package io.lastfix.locate;

import io.lastfix.model.LocationRecord;

/**
 * A record whose cell is not known yet.
 *
 * @param record the record
 * @param streamTimestampMillis the timestamp its {@code StreamRecord} came with (Kafka's append
 *     time) and is to go on with, or {@link #NO_TIMESTAMP}
 * @param deadlineMillis the processing time at which it goes on without coordinates, or later if
 *     the job was restored meanwhile
 * @param arrival when it came, see {@link #arrivalAfter}, or {@link #NO_ARRIVAL}
 */
record WaitingRecord(
    LocationRecord record, long streamTimestampMillis, long deadlineMillis, long arrival) {
  /** What Flink's {@code StreamRecord.getTimestamp()} gives where there is none. */
  static final long NO_TIMESTAMP = Long.MIN_VALUE;

  /** Written by a release that kept no order among the records that wait. */
  static final long NO_ARRIVAL = 0;

  /** So many records a millisecond can be told apart: 2 to the power of this. */
  private static final int BITS_WITHIN_MILLISECOND = 20;

  /**
   * What one takes in a checkpoint's or a running job's memory at most, without the characters of
   * its user: counted on a 64-bit JVM with compressed references, for a record that is alone in its
   * cell on the heap backend (operators/RATIONALE.md).
   */
  private static final int BYTES_WITHOUT_USER = 360;

  /**
   * An arrival: the clock with more digits, moved on where it has not moved since the one before.
   * So arrivals of different subtasks, which a restore may bring together, can be compared.
   *
   * @param before the arrival before this one
   */
  static long arrivalAfter(long before, long nowMillis) {
    return Math.max(before + 1, nowMillis << BITS_WITHIN_MILLISECOND);
  }

  WaitingRecord withArrival(long newArrival) {
    return new WaitingRecord(record, streamTimestampMillis, deadlineMillis, newArrival);
  }

  /** How much memory it is counted with. */
  int bytes() {
    return bytes(record.user().length());
  }

  /** How much memory one with a user of so many characters is counted with. */
  static int bytes(int userLength) {
    return BYTES_WITHOUT_USER + 2 * userLength;
  }
}
