package io.lastfix.analytics.counts;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.store.counts.CountBy;

/** Records for tests. */
public final class TestRecords {
  /** 2026-11-20T12:00:00Z, the beginning of a window. */
  public static final long T = 1_795_176_000_000L;

  private TestRecords() {}

  /** Returns a record at a cell; each has a position of its own. */
  public static LocatedRecord record(String user, int cid, long timestampMillis) {
    return new LocatedRecord(
        user, new CellId(310, 260, 7, cid), timestampMillis, new Position(-122 + cid * 0.1, 37.7));
  }

  /** Returns the record's group. */
  public static String groupOf(Grouping grouping, LocatedRecord record, CountBy by) {
    return Grouping.text(grouping.idOf(record, by));
  }

  /** Returns the text of that cell. */
  public static String cell(int cid) {
    return "310-260-7-" + cid;
  }
}
