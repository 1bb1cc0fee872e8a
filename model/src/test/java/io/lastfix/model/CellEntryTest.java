package io.lastfix.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CellEntryTest {
  private static final CellId CELL = new CellId(234, 10, 4021, 1);
  private static final Tower LTE =
      new Tower(Radio.LTE, List.of(new CellVersion(0, new Position(1, 2))));

  @Test
  void anEntryWithoutARevisionIsOlderThanAnyMessage() {
    assertThat(new CellEntry(CELL, List.of(LTE)).revision()).isLessThan(new Revision(0, 0, 0));
  }

  @Test
  void anEntryOfACellWithoutAnAreaIsRefused() {
    CellId withoutArea = new CellId(234, 10, CellId.NO_AREA, 1);

    assertThatThrownBy(() -> new CellEntry(withoutArea, List.of(LTE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cell: expected an area in a catalogue entry");
  }

  @Test
  void aSecondTowerOnTheSameRadioIsRefused() {
    assertThatThrownBy(() -> new CellEntry(CELL, List.of(LTE, LTE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("towers: expected each radio once");
  }

  @Test
  void anotherRevisionLeavesTheTowersAsTheyAre() {
    Revision revision = new Revision(7, 8, 9);

    assertThat(new CellEntry(CELL, List.of(LTE)).withRevision(revision))
        .isEqualTo(new CellEntry(CELL, List.of(LTE), revision));
  }

  @Test
  void anEntryWithoutATowerRemovesItsCell() {
    assertThat(new CellEntry(CELL, List.of()).towers()).isEmpty();
  }
}
