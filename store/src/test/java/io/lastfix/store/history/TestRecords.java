package io.lastfix.store.history;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import org.jspecify.annotations.Nullable;

/** Records for tests; a test changes only what it needs. */
public final class TestRecords {
  /** 2026-11-20T12:00:01.001Z. */
  public static final long TIMESTAMP_MILLIS = 1_795_176_001_001L;

  public static final CellId CELL = new CellId(234, 10, 4021, 20_911_362);
  public static final Position POSITION = new Position(-0.1276, 51.5072);

  /** A located record of {@link #CELL}. */
  public static final LocatedRecord RECORD =
      new LocatedRecord("350000000007919", CELL, TIMESTAMP_MILLIS, POSITION);

  private TestRecords() {}

  public static LocatedRecord ofUser(String user) {
    return new LocatedRecord(user, CELL, TIMESTAMP_MILLIS, POSITION);
  }

  /** Returns {@link #RECORD} with another timestamp. */
  public static LocatedRecord at(long timestampMillis) {
    return new LocatedRecord(RECORD.user(), CELL, timestampMillis, POSITION);
  }

  public static LocatedRecord in(CellId cell) {
    return new LocatedRecord(RECORD.user(), cell, TIMESTAMP_MILLIS, POSITION);
  }

  public static LocatedRecord placedAt(Position position) {
    return new LocatedRecord(RECORD.user(), CELL, TIMESTAMP_MILLIS, position);
  }

  public static LocatedRecord unlocated() {
    return new LocatedRecord(RECORD.user(), CELL, TIMESTAMP_MILLIS, null);
  }

  /** A position of the device's own, a kilometre from {@link #POSITION}. */
  public static final Fix FIX =
      new Fix(new Position(-0.1200, 51.5150), PositionSource.GNSS, 8.5, 35.0, null);

  /** Returns a record with {@link #FIX} and no cell. */
  public static LocatedRecord withFix() {
    return withFix(FIX);
  }

  public static LocatedRecord withFix(Fix fix) {
    return new LocatedRecord(RECORD.user(), new Place.AtFix(fix), TIMESTAMP_MILLIS, null, false);
  }

  /** Returns a record with {@link #FIX} in {@link #CELL}, whose position may be unknown. */
  public static LocatedRecord withFixAndCell(@Nullable Position cellPosition, boolean isFar) {
    return new LocatedRecord(
        RECORD.user(),
        new Place.AtFixAndCell(FIX, CELL, null),
        TIMESTAMP_MILLIS,
        cellPosition,
        isFar);
  }
}
