package io.lastfix.sink;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.lastknown.LocatedRecordOrder;

/** Each user has at most one waiting write, with the newest of the user's waiting records. */
final class LastKnownLocationBatching implements RecordBatching<LocatedRecord> {
  /**
   * Everything but the user: operators, field names, lengths, date, the longest text of a cell,
   * coordinates.
   */
  private static final int MAX_BYTES_WITHOUT_USER = 220;

  /** Maximum number of bytes of a char in UTF-8. */
  private static final int MAX_BYTES_PER_CHAR = 3;

  private final String collection;

  LastKnownLocationBatching(LastKnownLocationOptions options) {
    this.collection = options.collection();
  }

  @Override
  public String collection(LocatedRecord record) {
    if (!record.isLocated()) {
      throw new IllegalArgumentException(
          "Last Known Location takes located records only: filter by isLocated()");
    }
    return collection;
  }

  @Override
  public int maxEncodedBytes(LocatedRecord record) {
    return MAX_BYTES_WITHOUT_USER + MAX_BYTES_PER_CHAR * record.user().length();
  }

  @Override
  public Object coalescingKey(LocatedRecord record) {
    return record.user();
  }

  @Override
  public boolean supersedes(LocatedRecord record, LocatedRecord other) {
    return LocatedRecordOrder.INSTANCE.compare(record, other) > 0;
  }
}
