package io.lastfix.audit.stored;

import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.audit.tree.OwnPosition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What Last Known Location compares to find the newest of a user's records, in the order of
 * comparison.
 *
 * @param cell empty if the record has none
 * @param place null: unknown, since History lacks the record
 * @param source {@code cell}, or that of the record's own position
 * @param accuracyMeters null if unknown
 */
public record Newest(
    long timestampMillis,
    String cell,
    @Nullable Place place,
    String source,
    @Nullable Double accuracyMeters) {
  /** The columns of a record in a table of the scratch database, in the order of {@link #row}. */
  public static final String COLUMNS = "ts, cell, lon, lat, source, accuracy";

  private static final String CELL = "cell";

  /** A record at a cell. */
  public static Newest ofCell(FoundRecord record, @Nullable Place place) {
    return new Newest(
        record.timestampMillis(), Objects.requireNonNullElse(record.cell(), ""), place, CELL, null);
  }

  /** A record with a position of its own. */
  public static Newest ofOwn(FoundRecord record) {
    OwnPosition own = Objects.requireNonNull(record.own(), "own");
    return new Newest(
        record.timestampMillis(),
        Objects.requireNonNullElse(record.cell(), ""),
        new Place(own.lon(), own.lat()),
        own.source(),
        own.accuracyMeters());
  }

  /** Reads the columns from that one on; null if there is no record in them. */
  public static @Nullable Newest read(ResultSet row, int column) throws SQLException {
    String cell = row.getString(column + 1);
    return cell == null
        ? null
        : new Newest(
            row.getLong(column),
            cell,
            row.getObject(column + 2) == null
                ? null
                : new Place(row.getDouble(column + 2), row.getDouble(column + 3)),
            row.getString(column + 4),
            (Double) row.getObject(column + 5));
  }

  /** The values of the columns; nulls for null. */
  public static @Nullable Object[] row(@Nullable Newest newest) {
    return newest == null
        ? new @Nullable Object[6]
        : new @Nullable Object[] {
          newest.timestampMillis,
          newest.cell,
          newest.place == null ? null : newest.place.lon(),
          newest.place == null ? null : newest.place.lat(),
          newest.source,
          newest.accuracyMeters
        };
  }

  /** Returns whether the record stated its position itself. */
  public boolean isOwn() {
    return !source.equals(CELL);
  }

  /**
   * Returns whether it is newer than another. Two records at one cell and time are one record,
   * whose position depends on the catalogue at the time of writing: neither is newer. Nor is one of
   * two that differ in accuracy alone, which are one record, too.
   */
  public boolean isAfter(Newest other) {
    int order = Long.compare(timestampMillis, other.timestampMillis);
    order = order == 0 ? cell.compareTo(other.cell) : order;
    if (order == 0 && place != null && other.place != null && (isOwn() || other.isOwn())) {
      order = Double.compare(place.lon(), other.place.lon());
      order = order == 0 ? Double.compare(place.lat(), other.place.lat()) : order;
      order = order == 0 ? source.compareTo(other.source) : order;
    }
    return order > 0;
  }

  /** What identifies the place in {@code _id}, after the cell. */
  public String ownIdentity() {
    return isOwn() && place != null ? OwnPosition.identity(source, place.lon(), place.lat()) : "";
  }
}
