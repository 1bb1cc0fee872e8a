package io.lastfix.sink;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.lastknown.LocatedRecordOrder;

/** Of what waits to be sent, each user has one write, of the newest of their records. */
final class LastKnownLocationBatching implements RecordBatching<LocatedRecord> {
  /**
   * All but the user: operators, field names, lengths, date, a cell's longest text, coordinates.
   */
  private static final int MAX_BYTES_WITHOUT_USER = 220;

  /** The most bytes UTF-8 takes for one char. */
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
