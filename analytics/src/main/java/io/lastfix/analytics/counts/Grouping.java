package io.lastfix.analytics.counts;

import com.google.common.geometry.S2CellId;
import io.lastfix.analytics.area.Areas;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.store.connect.ArgumentChecks;
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
  public Grouping {
    by = List.copyOf(by);
    ArgumentChecks.atLeast("areaLevel", areaLevel, 0);
    ArgumentChecks.atMost("areaLevel", areaLevel, Areas.MAX_LEVEL);
  }

  /**
   * Returns what identifies the record's group among those by the same: cheaper than its text,
   * since millions of records are of thousands of groups.
   */
  Object idOf(LocatedRecord record, CountBy what) {
    return switch (what) {
      case TOTAL -> CountBy.ALL;
      case CELL -> orNone(record.cell());
      case AREA -> area(record.position());
      case NETWORK -> network(record.cell());
      case SOURCE -> orNone(record.source());
    };
  }

  /** Returns the group that {@link #idOf} identifies. */
  static String text(Object id) {
    if (id instanceof S2CellId area) {
      return area.toToken();
    }
    return id instanceof PositionSource source ? source.text() : id.toString();
  }

  private record Network(int mcc, int mnc) {
    @Override
    public String toString() {
      return mcc + "-" + mnc;
    }
  }

  private static Object orNone(@Nullable Object id) {
    return id == null ? CountBy.NONE : id;
  }

  private static Object network(@Nullable CellId cell) {
    return cell == null ? CountBy.NONE : new Network(cell.mcc(), cell.mnc());
  }

  private Object area(@Nullable Position position) {
    return position == null ? CountBy.NONE : Areas.cell(position, areaLevel);
  }
}
