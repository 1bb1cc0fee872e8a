package io.lastfix.parse;

import io.lastfix.model.LocationRecord;

/**
 * Receives the records and rejections of a message from a {@link RecordDecoder}, in the order of
 * the message, and what is no record.
 */
public interface RecordConsumer {
  /** Receives a record that is complete and within all limits. */
  void record(LocationRecord record);

  /**
   * Called before {@link #record} if the record has an unusable position of its own, and therefore
   * is forwarded at its cell.
   */
  default void positionIgnored() {}

  /**
   * Called before {@link #record} if the record has an unreadable cell, and therefore is forwarded
   * at its own position alone.
   */
  default void cellIgnored() {}

  /**
   * Called for each part of a message, or for a whole one, that the profile knows to be no record.
   */
  default void notRecord() {}

  /** Receives the rejection of one or several records, or of a whole message. */
  void rejected(Rejection rejection);
}
