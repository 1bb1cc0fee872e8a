package io.lastfix.store.lastknown;

import io.lastfix.model.LocatedRecord;
import java.util.Comparator;
import java.util.Objects;

/**
 * Which of two located records of a user is newer: by ts, then by the cell's text, then by
 * longitude and latitude, as BSON compares the {@code last} that {@code LastKnownLocationConverter}
 * makes of them.
 *
 * <p>BSON compares texts by their UTF-8 bytes; a cell's text is ASCII, for which Java's order is
 * the same. BSON takes -0.0 and 0.0 for equal, Java does not; a {@code Position} holds no -0.0.
 */
public final class LocatedRecordOrder implements Comparator<LocatedRecord> {
  /** Throws a NullPointerException for a record without a position. */
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
