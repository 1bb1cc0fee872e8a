package io.lastfix.workload;

import io.lastfix.model.LocationRecord;
import java.util.List;

/**
 * Writes location records as one message of a format. The same records and sequence number always
 * give the same bytes. Not thread-safe.
 */
public interface RecordEncoder {

  /**
   * One message with these records.
   *
   * @param records one or more, each as {@link #asRead} returns it
   * @param sequence the number of the first record in the whole run; the others have the next
   *     numbers
   * @throws IllegalArgumentException if there is no record
   */
  byte[] encode(List<LocationRecord> records, long sequence);

  /** The record as a reader finds it in a message: without the fields that the format lacks. */
  LocationRecord asRead(LocationRecord record);

  /** The smallest difference between two times in the format, in milliseconds. */
  long clockStepMillis();

  /** The name of the element or field without which a record has no user. */
  String userField();

  /** The text directly before the mobile country code's digits. */
  String beforeCountryCode();
}
