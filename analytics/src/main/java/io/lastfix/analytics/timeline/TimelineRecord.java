package io.lastfix.analytics.timeline;

import io.lastfix.analytics.area.Areas;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.store.history.HistoryId;
import io.lastfix.store.timeline.PlaceKind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a timeline keeps of a record. Records are ordered by the bytes of their {@link HistoryId}:
 * by timestamp, then by hash. So the order is that of the set of records, not of their arrival.
 *
 * @param timestampMillis the record's timestamp
 * @param hashHigh the first 8 bytes of its HistoryId's hash
 * @param hashLow the last 4 bytes
 * @param cell its place by {@link PlaceKind#CELL}; null if it has none
 * @param area its place by {@link PlaceKind#AREA}; null if it has none
 */
public record TimelineRecord(
    long timestampMillis, long hashHigh, int hashLow, @Nullable String cell, @Nullable String area)
    implements Comparable<TimelineRecord> {
  /** Returns the entry of a record; null if it has no place of any kind. */
  static @Nullable TimelineRecord of(LocatedRecord record, int areaLevel) {
    CellId cell = record.cell();
    Position position = record.position();
    if (cell == null && position == null) {
      return null;
    }
    ByteBuffer id =
        ByteBuffer.wrap(
            HistoryId.of(record.user(), record.timestampMillis(), record.place()).getData());
    return new TimelineRecord(
        record.timestampMillis(),
        id.getLong(Long.BYTES),
        id.getInt(2 * Long.BYTES),
        cell == null ? null : cell.toString(),
        position == null ? null : Areas.token(position, areaLevel));
  }

  @Nullable String place(PlaceKind kind) {
    return kind == PlaceKind.CELL ? cell : area;
  }

  @Override
  public int compareTo(TimelineRecord other) {
    int byTime = Long.compare(timestampMillis, other.timestampMillis);
    if (byTime != 0) {
      return byTime;
    }
    int byHigh = Long.compareUnsigned(hashHigh, other.hashHigh);
    return byHigh != 0 ? byHigh : Integer.compareUnsigned(hashLow, other.hashLow);
  }
}
