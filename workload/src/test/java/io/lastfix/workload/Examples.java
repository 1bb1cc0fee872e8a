package io.lastfix.workload;

import io.lastfix.model.CellId;
import io.lastfix.model.CellSite;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Named values, of which each test changes one part. */
final class Examples {
  static final InstantSource NOW = InstantSource.fixed(Instant.parse("2026-11-21T12:00:00.250Z"));
  static final CellId CELL = new CellId(234, 10, 4021, 20_911_362);
  static final LocationRecord RECORD =
      new LocationRecord(
          "350000000007919",
          CELL,
          Radio.LTE,
          Instant.parse("2026-11-20T12:00:01.001Z").toEpochMilli());

  private Examples() {}

  static LocationRecord recordOf(String user) {
    return new LocationRecord(user, RECORD.cell(), RECORD.radio(), RECORD.timestampMillis());
  }

  static LocationRecord recordAt(long timestampMillis) {
    return new LocationRecord(RECORD.user(), RECORD.cell(), RECORD.radio(), timestampMillis);
  }

  static CellSite cellAt(int number, double lon, double lat) {
    return new CellSite(new CellId(234, 10, 1, number), Radio.LTE, new Position(lon, lat));
  }

  static List<OutgoingMessage> generated(GeneratorOptions options) {
    return all(new LocationGenerator(options, SyntheticCells.grid()));
  }

  static <T> List<T> all(Iterator<T> iterator) {
    List<T> all = new ArrayList<>();
    iterator.forEachRemaining(all::add);
    return all;
  }
}
