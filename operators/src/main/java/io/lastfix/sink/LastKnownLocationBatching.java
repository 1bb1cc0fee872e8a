package io.lastfix.sink;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.lastknown.LocatedRecordOrder;

/**
 * Each user has at most two waiting writes: the newest of the user's waiting records at a cell, and
 * the newest with a position of its own. A newer tower must not remove the fix that waits.
 */
final class LastKnownLocationBatching implements RecordBatching<LocatedRecord> {
  /**
   * Everything but the user: operators, field names, lengths, and twice the date, the longest text
   * of a cell, coordinates, source and accuracy.
   */
  private static final int MAX_BYTES_WITHOUT_USER = 460;

  /** Maximum number of bytes of a char in UTF-8. */
  private static final int MAX_BYTES_PER_CHAR = 3;

  /** Key of the records with a position of their own. */
  private record FixOf(String user) {}

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
    return record.hasOwnPosition() ? new FixOf(record.user()) : record.user();
  }

  @Override
  public boolean supersedes(LocatedRecord record, LocatedRecord other) {
    return LocatedRecordOrder.INSTANCE.compare(record, other) > 0;
  }
}
