package io.lastfix.locate;

import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Tower;
import java.util.List;

/** Named cells, positions and records; a test changes only what it needs. */
public final class TestCells {
  public static final Position FERRY_BUILDING = new Position(-122.393744, 37.788097);
  public static final Position UNION_SQUARE = new Position(-122.407714, 37.785834);
  public static final Position TWIN_PEAKS = new Position(-122.447556, 37.754407);

  public static final CellId CELL = new CellId(311, 480, 9728, 9903886);
  public static final CellId CELL_IN_OTHER_AREA = inArea(9729);
  public static final CellId CELL_WITHOUT_AREA = inArea(CellId.NO_AREA);
  public static final CellId OTHER_CELL = new CellId(311, 480, 9728, 9960451);

  /** 2026-11-20T12:00:00Z. */
  public static final long NOON = 1_795_176_000_000L;

  public static final String USER = "350000000007919";
  public static final LocationRecord RECORD = new LocationRecord(USER, CELL, Radio.LTE, NOON);

  private TestCells() {}

  public static CellId inArea(int area) {
    return new CellId(CELL.mcc(), CELL.mnc(), area, CELL.cid());
  }

  public static LocationRecord record(CellId cell) {
    return new LocationRecord(USER, cell, null, NOON);
  }

  public static LocationRecord record(CellId cell, Radio radio) {
    return new LocationRecord(USER, cell, radio, NOON);
  }

  public static LocationRecord recordAt(long timestampMillis) {
    return new LocationRecord(USER, CELL, null, timestampMillis);
  }

  /** Returns a tower that never moved. */
  public static Tower tower(Radio radio, Position position) {
    return new Tower(radio, List.of(new CellVersion(0, position)));
  }

  public static CellEntry entry(CellId cell, Tower... towers) {
    return new CellEntry(cell, List.of(towers));
  }

  public static CellEntry entry(CellId cell, Position position) {
    return entry(cell, tower(Radio.LTE, position));
  }
}
