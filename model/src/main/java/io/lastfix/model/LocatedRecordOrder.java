package io.lastfix.model;

import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Orders the located records of a user from old to new: by ts, then by the cell's text (none is
 * less than any), by longitude and latitude, by the source's text, and by accuracy (unknown is less
 * than any). BSON compares the {@code last} of {@code LastKnownLocationConverter} in the same way.
 *
 * <p>BSON compares strings by their UTF-8 bytes. The texts are ASCII, for which Java's order is the
 * same. BSON treats -0.0 and 0.0 as equal, Java does not; a {@code Position} contains no -0.0, and
 * an accuracy is more than 0.
 */
public final class LocatedRecordOrder {
  /** Throws a NullPointerException if a record has no position. */
  public static final Comparator<LocatedRecord> INSTANCE =
      Comparator.comparingLong(LocatedRecord::timestampMillis)
          .thenComparing(LocatedRecordOrder::cell)
          .thenComparing(
              LocatedRecordOrder::position,
              Comparator.comparingDouble(Position::lon).thenComparingDouble(Position::lat))
          .thenComparing(LocatedRecordOrder::source)
          .thenComparing(
              LocatedRecordOrder::accuracy, Comparator.nullsFirst(Comparator.naturalOrder()));

  private LocatedRecordOrder() {}

  /** Returns the cell's text; an empty one, which precedes all others, if there is no cell. */
  private static String cell(LocatedRecord record) {
    CellId cell = record.cell();
    return cell == null ? "" : cell.toString();
  }

  private static Position position(LocatedRecord record) {
    return Objects.requireNonNull(record.position(), "position");
  }

  private static String source(LocatedRecord record) {
    return Objects.requireNonNull(record.source(), "source").text();
  }

  private static @Nullable Double accuracy(LocatedRecord record) {
    Fix fix = record.fix();
    return fix == null ? null : fix.accuracyMeters();
  }
}
