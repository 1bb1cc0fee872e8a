package io.lastfix.workload;

import io.lastfix.model.LocationRecord;
import java.util.List;

/**
 * Writes location records as one message of a format. The same records and sequence number always
 * give the same bytes. Not for use by several threads at once.
 */
public interface RecordEncoder {

  /**
   * One message with these records.
   *
   * @param records one or more, each as {@link #asRead} gives it
   * @param sequence the number of the first record in the whole run; the others count on from it
   * @throws IllegalArgumentException if there is no record
   */
  byte[] encode(List<LocationRecord> records, long sequence);

  /**
   * What a reader finds in a message that holds this record: the record without what the format has
   * no place for.
   */
  LocationRecord asRead(LocationRecord record);

  /** The smallest step between two times that the format can tell apart, in milliseconds. */
  long clockStepMillis();

  /** The name of the element or field without which a record has no user. */
  String userField();

  /** The text that stands right before the mobile country code's digits. */
  String beforeCountryCode();
}
