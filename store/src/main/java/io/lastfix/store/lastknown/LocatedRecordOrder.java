package io.lastfix.store.lastknown;

import io.lastfix.model.LocatedRecord;
import java.util.Comparator;
import java.util.Objects;

/**
 * Orders the located records of a user from old to new: by ts, then by the cell's text, then by
 * longitude and latitude. BSON compares the {@code last} of {@code LastKnownLocationConverter} in
 * the same way.
 *
 * <p>BSON compares strings by their UTF-8 bytes. A cell's text is ASCII, for which Java's order is
 * the same. BSON treats -0.0 and 0.0 as equal, Java does not; a {@code Position} contains no -0.0.
 */
public final class LocatedRecordOrder implements Comparator<LocatedRecord> {
  /** Throws a NullPointerException if a record has no position. */
  public static final LocatedRecordOrder INSTANCE = new LocatedRecordOrder();

  private LocatedRecordOrder() {}

  @Override
  public int compare(LocatedRecord a, LocatedRecord b) {
    int order = Long.compare(a.timestampMillis(), b.timestampMillis());
    if (order == 0 && !a.cell().equals(b.cell())) {
      order = a.cell().toString().compareTo(b.cell().toString());
    }
    if (order == 0) {
      var first = Objects.requireNonNull(a.position(), "position");
      var second = Objects.requireNonNull(b.position(), "position");
      order = Double.compare(first.lon(), second.lon());
      if (order == 0) {
        order = Double.compare(first.lat(), second.lat());
      }
    }
    return order;
  }
}
