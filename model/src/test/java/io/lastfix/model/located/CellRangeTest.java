package io.lastfix.model.located;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import org.junit.jupiter.api.Test;

class CellRangeTest {
  private static final CellId CELL = CellId.parse("311-480-9728-9903886");
  private static final Position TOWER = new Position(-122.5, 37.75);
  private static final LocatedRecord AT_CELL = new LocatedRecord("u", CELL, 1_000, TOWER);

  /** Consumers in other languages read these bytes. */
  @Test
  void theBytesAreFixed() {
    assertThat(CellRange.write(1_000)).containsExactly(0, 0, 3, 0xe8);
  }

  @Test
  void isReadAsItWasWritten() {
    for (int meters : new int[] {1, 1_000, Integer.MAX_VALUE}) {
      assertThat(CellRange.addTo(AT_CELL, CellRange.write(meters)))
          .isEqualTo(
              new LocatedRecord("u", new Place.AtCell(CELL, null), 1_000, TOWER, false, meters));
    }
  }

  @Test
  void aHeaderThatLastfixDoesNotWriteCountsAsNone() {
    assertThat(CellRange.addTo(AT_CELL, null)).isEqualTo(AT_CELL);
    assertThat(CellRange.addTo(AT_CELL, new byte[0])).isEqualTo(AT_CELL);
    assertThat(CellRange.addTo(AT_CELL, new byte[] {1, 1, 1})).isEqualTo(AT_CELL);
    assertThat(CellRange.addTo(AT_CELL, new byte[] {1, 1, 1, 1, 1})).isEqualTo(AT_CELL);
    assertThat(CellRange.addTo(AT_CELL, CellRange.write(0))).isEqualTo(AT_CELL);
    assertThat(CellRange.addTo(AT_CELL, CellRange.write(-1))).isEqualTo(AT_CELL);
  }

  @Test
  void aRecordWhosePositionIsNotItsCellsStaysAsItIs() {
    LocatedRecord unknown = new LocatedRecord("u", CELL, 1_000, null);
    LocatedRecord withFix =
        new LocatedRecord(
            "u",
            new Place.AtFixAndCell(new Fix(TOWER, PositionSource.GNSS), CELL, null),
            1_000,
            TOWER,
            true);

    assertThat(CellRange.addTo(unknown, CellRange.write(1_000))).isEqualTo(unknown);
    assertThat(CellRange.addTo(withFix, CellRange.write(1_000))).isEqualTo(withFix);
  }
}
