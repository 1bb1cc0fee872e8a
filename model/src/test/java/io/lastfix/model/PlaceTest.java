package io.lastfix.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class PlaceTest {
  private static final CellId CELL = new CellId(234, 10, 4021, 20911362);
  private static final Fix FIX = new Fix(new Position(-0.12, 51.5), PositionSource.GNSS);
  private static final int MANY = 200_000;

  /** Far less than one object for each call. */
  private static final long FEW_BYTES = 4L * MANY;

  @Test
  void aPlaceHasTheParts() {
    assertThat(Place.of(CELL, Radio.LTE, null)).isEqualTo(new Place.AtCell(CELL, Radio.LTE));
    assertThat(Place.of(null, null, FIX)).isEqualTo(new Place.AtFix(FIX));
    assertThat(Place.of(CELL, null, FIX)).isEqualTo(new Place.AtFixAndCell(FIX, CELL, null));
  }

  @Test
  void onlyAPositionOfTheRecordsOwnIsOne() {
    Position there = new Position(1, 2);
    assertThat(new LocatedRecord("u", CELL, 0, there).hasOwnPosition()).isFalse();
    assertThat(new LocationRecord("u", Place.of(null, null, FIX), 0).at(null).hasOwnPosition())
        .isTrue();
    assertThat(new LocationRecord("u", Place.of(CELL, null, FIX), 0).at(there).hasOwnPosition())
        .isTrue();
  }

  @Test
  void decidingAllocatesNothing() {
    LocatedRecord record = new LocatedRecord("u", CELL, 0, null);
    long owned = decide(record);
    long before = allocatedBytes();
    owned += decide(record);
    assertThat(allocatedBytes() - before).isLessThan(FEW_BYTES);
    assertThat(owned).isZero();
  }

  private static long decide(LocatedRecord record) {
    long owned = 0;
    for (int i = 0; i < MANY; i++) {
      owned += record.hasOwnPosition() ? 1 : 0;
    }
    return owned;
  }

  private static long allocatedBytes() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }
}
