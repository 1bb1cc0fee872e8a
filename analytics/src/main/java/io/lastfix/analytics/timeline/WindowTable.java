package io.lastfix.analytics.timeline;

import io.lastfix.store.timeline.WindowState;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The windows of one key that may change, and what was shown of them. Immutable.
 *
 * @param watermark the greatest watermark so far
 * @param base the sum of all windows before the rows
 * @param rows by time; windows without a change have none
 */
record WindowTable(long watermark, WindowSum base, List<Row> rows) {
  static final WindowTable EMPTY = new WindowTable(Long.MIN_VALUE, WindowSum.ZERO, List.of());

  WindowTable {
    rows = List.copyOf(rows);
  }

  /**
   * @param windowMillis the start of the window
   * @param sum of the changes within it
   * @param shown the value of the result that was put out last; means nothing without a state
   * @param state the state of that result; null: none was put out
   */
  record Row(long windowMillis, WindowSum sum, WindowSum shown, @Nullable WindowState state) {}

  /** Receives results. */
  interface Results {
    void show(long windowMillis, WindowSum value, WindowState state);
  }

  /**
   * How sums become results.
   *
   * @param windowMillis the length of a window
   * @param isCumulative true if a result is the sum of all changes up to the window's end, false
   *     for those within it
   * @param minimumGroup results of fewer devices are withheld
   * @param latenessMillis how far behind the watermark a change may be
   */
  record Rules(long windowMillis, boolean isCumulative, int minimumGroup, long latenessMillis)
      implements Serializable {
    boolean isClosed(long start, long watermark) {
      return start + windowMillis - 1 <= watermark;
    }

    /** Returns true if no change in the window may come any more. */
    boolean isFinal(long start, long watermark) {
      return watermark >= finalMillis(start);
    }

    long finalMillis(long start) {
      return start + windowMillis + latenessMillis;
    }

    WindowSum shown(WindowSum value) {
      return value.devices() < minimumGroup ? WindowSum.WITHHELD : value;
    }
  }

  /** Adds changes by window, at a watermark. Time never goes back. */
  WindowTable with(Map<Long, WindowSum> changes, long newWatermark, Rules rules) {
    TreeMap<Long, Row> merged = new TreeMap<>();
    for (Row row : rows) {
      merged.put(row.windowMillis(), row);
    }
    WindowSum newBase = base;
    for (Map.Entry<Long, WindowSum> change : changes.entrySet()) {
      long start = change.getKey();
      Row row = merged.get(start);
      if (row != null) {
        merged.put(
            start, new Row(start, row.sum().plus(change.getValue()), row.shown(), row.state()));
      } else if (rules.isFinal(start, watermark)) {
        newBase = newBase.plus(change.getValue());
      } else {
        merged.put(start, new Row(start, change.getValue(), WindowSum.ZERO, null));
      }
    }
    return new WindowTable(
        Math.max(watermark, newWatermark), newBase, new ArrayList<>(merged.values()));
  }

  /** Puts out results that changed; returns the table after that, without final windows. */
  WindowTable show(Rules rules, Results results) {
    List<Row> kept = new ArrayList<>();
    WindowSum newBase = base;
    WindowSum level = base;
    for (Row row : rows) {
      long start = row.windowMillis();
      level = level.plus(row.sum());
      boolean isFinal = rules.isFinal(start, watermark);
      if (isFinal) {
        newBase = newBase.plus(row.sum());
      }
      if (row.sum().equals(WindowSum.ZERO)) {
        if (row.state() != null) {
          results.show(start, WindowSum.ZERO, WindowState.DELETED);
        }
        continue;
      }
      WindowSum value = rules.shown(rules.isCumulative() ? level : row.sum());
      WindowState state = rules.isClosed(start, watermark) ? WindowState.CLOSED : WindowState.OPEN;
      if (state != row.state() || !value.equals(row.shown())) {
        results.show(start, value, state);
      }
      if (!isFinal) {
        kept.add(new Row(start, row.sum(), value, state));
      }
    }
    return new WindowTable(watermark, rules.isCumulative() ? newBase : WindowSum.ZERO, kept);
  }

  /** Returns true if nothing is known beyond what an empty table knows. */
  boolean isOver() {
    return rows.isEmpty() && base.equals(WindowSum.ZERO);
  }

  /** Returns the next watermark that closes a window or makes all final. There is a row. */
  long nextMillis(Rules rules) {
    for (Row row : rows) {
      if (!rules.isClosed(row.windowMillis(), watermark)) {
        return row.windowMillis() + rules.windowMillis() - 1;
      }
    }
    return rules.finalMillis(rows.get(rows.size() - 1).windowMillis());
  }
}
