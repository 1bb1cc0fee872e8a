package io.lastfix.cli.push;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SyntheticCellsTest {
  @Test
  void cellsOfAnySizeOfGridAreAllDifferentAndInDifferentPlaces() {
    assertThat(SyntheticCells.grid(1_003)).hasSize(1_003);
    assertThat(SyntheticCells.grid(1_003)).extracting(KnownCell::cell).doesNotHaveDuplicates();
    assertThat(SyntheticCells.grid(1_003)).extracting(KnownCell::position).doesNotHaveDuplicates();
  }

  @Test
  void aSmallerGridHasTheFirstCellsOfALargerOne() {
    assertThat(SyntheticCells.grid(500).stream().map(KnownCell::cell))
        .containsExactlyElementsOf(
            SyntheticCells.grid().stream().limit(500).map(KnownCell::cell).toList());
  }
}
