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
 */
record WaitingRecord(LocationRecord record, long streamTimestampMillis, long deadlineMillis) {
  /** What Flink's {@code StreamRecord.getTimestamp()} gives where there is none. */
  static final long NO_TIMESTAMP = Long.MIN_VALUE;
}
