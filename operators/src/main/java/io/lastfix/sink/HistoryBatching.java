package io.lastfix.sink;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.PartitionNames;
import org.jspecify.annotations.Nullable;

/** One buffer per period; every record is a separate write. */
public final class HistoryBatching implements RecordBatching<LocatedRecord> {
  /**
   * Everything but the user: field names, lengths, _id, dates, the longest text of a cell,
   * coordinates.
   */
  private static final int MAX_BYTES_WITHOUT_USER = 200;

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
    return MAX_BYTES_WITHOUT_USER + MAX_BYTES_PER_CHAR * record.user().length();
  }

  @Override
  public @Nullable Object coalescingKey(LocatedRecord record) {
    return null;
  }

  @Override
  public boolean supersedes(LocatedRecord record, LocatedRecord other) {
    return false;
  }
}
