package io.lastfix.locate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.locate.LocateHarness.Run;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class LocateOrderTest {
  private static final List<CellEntry> CATALOGUE =
      List.of(
          TestCells.entry(TestCells.CELL, TestCells.FERRY_BUILDING),
          TestCells.entry(
              TestCells.CELL_IN_OTHER_AREA,
              TestCells.tower(Radio.LTE, TestCells.UNION_SQUARE),
              TestCells.tower(Radio.GSM, new Position(1, 1))),
          TestCells.entry(TestCells.OTHER_CELL, TestCells.TWIN_PEAKS));

  @Property(tries = 50)
  void onceTheCatalogueIsCompleteTheOrderOfEntriesAndRecordsDoesNotMatter(
      @ForAll("records") List<LocationRecord> records, @ForAll long seed) throws Exception {
    List<LocationRecord> shuffledRecords = new ArrayList<>(records);
    Collections.shuffle(shuffledRecords, new Random(seed));
    List<CellEntry> shuffledCatalogue = new ArrayList<>(CATALOGUE);
    Collections.shuffle(shuffledCatalogue, new Random(seed));

    assertThat(located(shuffledCatalogue, shuffledRecords))
        .containsExactlyInAnyOrderElementsOf(located(CATALOGUE, records));
  }

  private static List<LocatedRecord> located(
      List<CellEntry> catalogue, List<LocationRecord> records) throws Exception {
    try (LocateHarness harness = new LocateHarness(LocateOptions.defaults(), Run.ON_HEAP)) {
      for (CellEntry entry : catalogue) {
        harness.entry(entry);
      }
      for (LocationRecord record : records) {
        harness.record(record);
      }
      List<LocatedRecord> located = harness.finish().records();
      assertThat(located).hasSameSizeAs(records);
      return located;
    }
  }

  @Provide
  Arbitrary<List<LocationRecord>> records() {
    CellId unknown = TestCells.inArea(1);
    return Combinators.combine(
            Arbitraries.of(
                TestCells.CELL,
                TestCells.CELL_IN_OTHER_AREA,
                TestCells.CELL_WITHOUT_AREA,
                TestCells.OTHER_CELL,
                unknown),
            Arbitraries.of(Radio.LTE, Radio.GSM).injectNull(0.3))
        .as(TestCells::record)
        .list()
        .ofMaxSize(20);
  }
}
