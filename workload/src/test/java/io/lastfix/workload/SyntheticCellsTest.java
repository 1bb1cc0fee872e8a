package io.lastfix.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellSite;
import org.junit.jupiter.api.Test;

class SyntheticCellsTest {
  @Test
  void cellsOfAnySizeOfGridAreAllDifferentAndInDifferentPlaces() {
    assertThat(SyntheticCells.grid(1_003)).hasSize(1_003);
    assertThat(SyntheticCells.grid(1_003)).extracting(CellSite::cell).doesNotHaveDuplicates();
    assertThat(SyntheticCells.grid(1_003)).extracting(CellSite::position).doesNotHaveDuplicates();
  }

  @Test
  void noCellIsWhereACatalogueHasNoPosition() {
    for (int count : new int[] {1, 2, 9, 10, 10_000}) {
      assertThat(SyntheticCells.grid(count)).noneMatch(it -> it.position().marksUnknown());
    }
  }

  @Test
  void aSmallerGridHasTheFirstCellsOfALargerOne() {
    assertThat(SyntheticCells.grid(500).stream().map(CellSite::cell))
        .containsExactlyElementsOf(
            SyntheticCells.grid().stream().limit(500).map(CellSite::cell).toList());
  }
}
