package io.lastfix.sink;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.PartitionNames;
import org.jspecify.annotations.Nullable;

/** One buffer for each period; every record is a write of its own. */
public final class HistoryBatching implements RecordBatching<LocatedRecord> {
  /** All but the user: field names, lengths, _id, dates, a cell's longest text, coordinates. */
  private static final int MAX_BYTES_WITHOUT_USER = 200;

  /** The most bytes UTF-8 takes for one char. */
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
