package io.lastfix.workload;

import io.lastfix.model.CellId;
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

  /**
   * The record as a reader finds it in a message: without the fields that the format lacks.
   *
   * @throws IllegalArgumentException if nothing is left of its place: it names no cell, and the
   *     format {@link #hasPositions() lacks positions}
   */
  LocationRecord asRead(LocationRecord record);

  /** Returns whether a record of the format can state a position of its own. */
  default boolean hasPositions() {
    return false;
  }

  /** Returns the cell of a record for a format that has no other place. */
  static CellId cellOf(LocationRecord record) {
    CellId cell = record.cell();
    if (cell == null) {
      throw new IllegalArgumentException("record: expected a cell, as the format has no positions");
    }
    return cell;
  }

  /** The smallest difference between two times in the format, in milliseconds. */
  default long clockStepMillis() {
    return 1;
  }

  /** The name of the element or field without which a record has no user. */
  String userField();

  /** The text directly before the mobile country code's digits. */
  String beforeCountryCode();
}
