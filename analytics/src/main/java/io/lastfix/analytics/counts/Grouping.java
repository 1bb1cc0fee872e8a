package io.lastfix.analytics.counts;

import io.lastfix.analytics.area.Areas;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.store.counts.CountBy;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The groups that a record is counted in.
 *
 * @param by by what records are counted, at least one
 * @param areaLevel level of the S2 cells of {@link CountBy#AREA}, 0 (a sixth of the earth) to 30 (1
 *     cm²); 13 is about 1.3 km²
 */
public record Grouping(List<CountBy> by, int areaLevel) implements Serializable {
  /**
   * Checks the level.
   *
   * @throws IllegalArgumentException if there is nothing to count by, or no such level
   */
  public Grouping {
    by = List.copyOf(by);
    if (by.isEmpty()) {
      throw new IllegalArgumentException("by: expected at least one, found none");
    }
    areaLevel = Areas.requireLevel(areaLevel);
  }

  /** Returns the record's group. */
  public String groupOf(LocatedRecord record, CountBy what) {
    return switch (what) {
      case TOTAL -> CountBy.ALL;
      case CELL -> cell(record.cell());
      case AREA -> area(record.position());
      case NETWORK -> network(record.cell());
      case SOURCE -> source(record.source());
    };
  }

  private static String cell(@Nullable CellId cell) {
    return cell == null ? CountBy.NONE : cell.toString();
  }

  private static String network(@Nullable CellId cell) {
    return cell == null ? CountBy.NONE : cell.mcc() + "-" + cell.mnc();
  }

  private static String source(@Nullable PositionSource source) {
    return source == null ? CountBy.NONE : source.text();
  }

  private String area(@Nullable Position position) {
    return position == null ? CountBy.NONE : Areas.token(position, areaLevel);
  }
}
