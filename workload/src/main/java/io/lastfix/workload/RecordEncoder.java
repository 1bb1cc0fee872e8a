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
   *     format {@link MessageFormat#hasPositions() lacks positions}
   */
  LocationRecord asRead(LocationRecord record);

  /** Returns the cell of a record for a format that has no other place. */
  static CellId cellOf(LocationRecord record) {
    CellId cell = record.cell();
    if (cell == null) {
      throw new IllegalArgumentException("record: expected a cell, as the format has no positions");
    }
    return cell;
  }
}
