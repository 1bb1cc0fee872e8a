package io.lastfix.model.located;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.PositionSource;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The header of a message in the topic of located records that has {@link
 * LocatedRecord#cellRangeMeters()}; absent if that is unknown. It is no part of the value, because
 * that would need another version, and readers skip records of a version that they do not read.
 *
 * <p>4 bytes, big-endian: metres, more than 0.
 */
public final class CellRange {
  /** Name of the header. */
  public static final String HEADER = "range";

  private CellRange() {}

  /** Returns the header's value. */
  public static byte[] write(int meters) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(meters).array();
  }

  /**
   * Returns a record with the range of its message's header.
   *
   * @param record as its key and value were read, without a range
   * @param header null if there is none. One that Lastfix does not write, or not with that record,
   *     counts as none: anyone may write to a topic
   */
  public static LocatedRecord addTo(LocatedRecord record, byte @Nullable [] header) {
    if (header == null
        || header.length != Integer.BYTES
        || record.source() != PositionSource.CELL) {
      return record;
    }
    int meters = ByteBuffer.wrap(header).getInt();
    return meters <= 0
        ? record
        : new LocatedRecord(
            record.user(),
            record.place(),
            record.timestampMillis(),
            record.cellPosition(),
            record.isFar(),
            meters);
  }
}
