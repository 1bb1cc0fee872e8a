package io.lastfix.sink;

import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.PartitionNames;

/** One buffer per period; every record is a separate write. */
public final class HistoryBatching implements RecordBatching<LocatedRecord> {
  /**
   * Everything but the user and the shape: field names, lengths, _id, dates, the longest text of a
   * cell, the radio, two pairs of coordinates, source, accuracy, altitude.
   */
  private static final int MAX_BYTES_WITHOUT_USER = 320;

  /**
   * Maximum number of bytes of a char of a shape's JSON in BSON: a number of one digit and its
   * comma become a type, an index of up to five digits and its end, and 8 bytes.
   */
  private static final int MAX_BYTES_PER_CHAR_OF_SHAPE = 8;

  /** Maximum number of bytes of a char in UTF-8. */
  private static final int MAX_BYTES_PER_CHAR = 3;

  private final PartitionNames names;

  HistoryBatching(HistoryOptions options) {
    this.names = new PartitionNames(options);
  }

  @Override
  public String collection(LocatedRecord record) {
    return names.nameAt(record.timestampMillis());
  }

  @Override
  public int maxEncodedBytes(LocatedRecord record) {
    Fix fix = record.fix();
    int shapeChars = fix == null || fix.shape() == null ? 0 : fix.shape().length();
    return MAX_BYTES_WITHOUT_USER
        + MAX_BYTES_PER_CHAR * record.user().length()
        + MAX_BYTES_PER_CHAR_OF_SHAPE * shapeChars;
  }
}
