package io.lastfix.store.lastknown;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
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
public final class LocatedRecordOrder implements Comparator<LocatedRecord> {
  /** Throws a NullPointerException if a record has no position. */
  public static final LocatedRecordOrder INSTANCE = new LocatedRecordOrder();

  private static final Comparator<@Nullable Double> UNKNOWN_FIRST =
      Comparator.nullsFirst(Comparator.naturalOrder());

  private LocatedRecordOrder() {}

  @Override
  public int compare(LocatedRecord a, LocatedRecord b) {
    int order = Long.compare(a.timestampMillis(), b.timestampMillis());
    if (order == 0 && !Objects.equals(a.cell(), b.cell())) {
      order = cell(a).compareTo(cell(b));
    }
    if (order == 0) {
      var first = Objects.requireNonNull(a.position(), "position");
      var second = Objects.requireNonNull(b.position(), "position");
      order = Double.compare(first.lon(), second.lon());
      if (order == 0) {
        order = Double.compare(first.lat(), second.lat());
      }
    }
    if (order == 0 && (a.fix() != null || b.fix() != null)) {
      order = source(a).compareTo(source(b));
      if (order == 0) {
        order = UNKNOWN_FIRST.compare(accuracy(a), accuracy(b));
      }
    }
    return order;
  }

  /** Returns the cell's text; an empty one, which precedes all others, if there is no cell. */
  private static String cell(LocatedRecord record) {
    CellId cell = record.cell();
    return cell == null ? "" : cell.toString();
  }

  private static String source(LocatedRecord record) {
    return Objects.requireNonNull(record.source(), "source").text();
  }

  private static @Nullable Double accuracy(LocatedRecord record) {
    Fix fix = record.fix();
    return fix == null ? null : fix.accuracyMeters();
  }
}
