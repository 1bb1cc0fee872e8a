package io.lastfix.catalogs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.catalogs.CatalogMerge.CatalogChanges;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class CatalogMergeTest {
  private static final CellId CELL = new CellId(311, 480, 9728, 9903886);
  private static final CellId OTHER_CELL = new CellId(311, 480, 9728, 9960451);
  private static final Position HERE = new Position(-122.39, 37.78);
  private static final Position THERE = new Position(-122.4, 37.79);
  private static final Position YONDER = new Position(-122.44, 37.75);

  /** The catalogue as stored in the topic after any number of imports. */
  private static final class Catalogue {
    private final Map<CellId, CellEntry> entries = new TreeMap<>();
    private double toleranceMeters;
    private long keptFromMillis = Long.MIN_VALUE;

    CatalogChanges importFile(CatalogRow... rows) {
      return importFile(List.of(rows));
    }

    CatalogChanges importFile(Collection<CatalogRow> rows) {
      CatalogMerge merge = new CatalogMerge(toleranceMeters, keptFromMillis);
      rows.forEach(merge);
      entries.values().forEach(merge::known);
      CatalogChanges changes = merge.changes();
      changes.entries().forEach(entry -> entries.put(entry.cell(), entry));
      return changes;
    }
  }

  private static CatalogRow row(long updated, Position position) {
    return new CatalogRow(CELL, Radio.LTE, position, 0, updated);
  }

  private static CellVersion version(long from, Position position) {
    return new CellVersion(from, position);
  }

  private static CellEntry entry(CellVersion... versions) {
    return new CellEntry(CELL, List.of(new Tower(Radio.LTE, List.of(versions))));
  }

  private final Catalogue catalogue = new Catalogue();

  @Test
  void cellsAreCountedAsNewChangedOrUnchanged() {
    CatalogRow other = new CatalogRow(OTHER_CELL, Radio.LTE, HERE, 0, 10);
    CatalogRow third = new CatalogRow(new CellId(1, 1, 1, 1), Radio.LTE, HERE, 0, 10);
    catalogue.importFile(row(10, HERE), other);

    CatalogChanges changes = catalogue.importFile(row(20, THERE), other, third);

    assertThat(changes.newCells()).isEqualTo(1);
    assertThat(changes.changedCells()).isEqualTo(1);
    assertThat(changes.unchangedCells()).isEqualTo(1);
    assertThat(changes.entries()).extracting(CellEntry::cell).containsExactly(third.cell(), CELL);
  }

  @Test
  void aNewerRowElsewhereAddsAVersion() {
    catalogue.importFile(row(10, HERE));
    assertThat(catalogue.importFile(row(20, THERE)).entries())
        .containsExactly(entry(version(10, HERE), version(20, THERE)));
  }

  @Test
  void aNewerRowAtTheSamePlaceChangesNothing() {
    catalogue.importFile(row(10, HERE));
    assertThat(catalogue.importFile(row(20, HERE)).entries()).isEmpty();
  }

  @Test
  void aVersionsRangeIsTheGreatestThatWasSeenWithIt() {
    catalogue.importFile(new CatalogRow(CELL, Radio.LTE, HERE, 500, 10));
    catalogue.importFile(new CatalogRow(CELL, Radio.LTE, HERE, 900, 20));
    assertThat(catalogue.importFile(new CatalogRow(CELL, Radio.LTE, HERE, 700, 30)).changedCells())
        .isZero();

    assertThat(catalogue.entries.get(CELL)).isEqualTo(entry(new CellVersion(10, HERE, 900)));
  }

  @Test
  void anOlderRowPutsItsVersionAtItsOwnTime() {
    catalogue.importFile(row(30, YONDER), row(10, HERE));
    assertThat(catalogue.importFile(row(20, THERE)).entries())
        .containsExactly(entry(version(10, HERE), version(20, THERE), version(30, YONDER)));
  }

  @Test
  void anOlderRowAtTheSamePlaceDatesTheVersionBack() {
    catalogue.importFile(row(20, HERE));
    assertThat(catalogue.importFile(row(10, HERE)).entries())
        .containsExactly(entry(version(10, HERE)));
  }

  @Test
  void ofTwoPositionsAtTheSameMomentTheOneImportedLaterCounts() {
    catalogue.importFile(row(10, HERE));
    assertThat(catalogue.importFile(row(10, THERE)).entries())
        .containsExactly(entry(version(10, THERE)));
  }

  @Test
  void ofTwoRowsOfTheSameMomentTheOneFurtherDownCounts() {
    assertThat(catalogue.importFile(row(10, HERE), row(10, THERE)).entries())
        .containsExactly(entry(version(10, THERE)));
  }

  @Test
  void anotherRadioOfTheSameCellIsAnotherTower() {
    catalogue.importFile(row(10, HERE));
    assertThat(catalogue.importFile(new CatalogRow(CELL, Radio.GSM, THERE, 0, 10)).entries())
        .singleElement()
        .extracting(CellEntry::towers)
        .isEqualTo(
            List.of(
                new Tower(Radio.GSM, List.of(version(10, THERE))),
                new Tower(Radio.LTE, List.of(version(10, HERE)))));
  }

  @Test
  void aCellRemovedFromTheCatalogueIsNewAgain() {
    CatalogMerge merge = new CatalogMerge(0, Long.MIN_VALUE);
    merge.accept(row(10, HERE));
    merge.known(entry(version(10, HERE)));
    merge.known(new CellEntry(CELL, List.of()));

    assertThat(merge.changes().newCells()).isEqualTo(1);
  }

  @Test
  void theOrderOfTheKnownTowersMeansNothing() {
    Tower gsm = new Tower(Radio.GSM, List.of(version(10, THERE)));
    Tower lte = new Tower(Radio.LTE, List.of(version(10, HERE)));
    CatalogMerge merge = new CatalogMerge(0, Long.MIN_VALUE);
    merge.accept(row(10, HERE));
    merge.known(new CellEntry(CELL, List.of(lte, gsm)));

    assertThat(merge.changes().unchangedCells()).isEqualTo(1);
  }

  @Property
  void importingAFileTwiceChangesNothing(
      @ForAll("files") List<CatalogRow> before, @ForAll("files") List<CatalogRow> file) {
    Catalogue any = new Catalogue();
    any.importFile(before);
    any.importFile(file);

    CatalogChanges again = any.importFile(file);

    assertThat(again.entries()).isEmpty();
    assertThat(again.newCells() + again.changedCells()).isZero();
  }

  @Property
  void afterAnImportEveryRowOfTheFileHolds(
      @ForAll("files") List<CatalogRow> before, @ForAll("files") List<CatalogRow> file) {
    Catalogue any = new Catalogue();
    any.importFile(before);
    any.importFile(file);

    Map<List<Object>, CatalogRow> lastOfEachMoment = new HashMap<>();
    file.forEach(
        row -> lastOfEachMoment.put(List.of(row.cell(), row.radio(), row.updatedMillis()), row));
    for (CatalogRow row : lastOfEachMoment.values()) {
      CellEntry entry = any.entries.get(row.cell());
      assertThat(entry).isNotNull();
      assertThat(entry.towers())
          .filteredOn(tower -> tower.radio() == row.radio())
          .extracting(tower -> tower.versionAt(row.updatedMillis()).position())
          .containsExactly(row.position());
    }
  }

  /**
   * OpenCellID's position is a running average: without the tolerance each import would add a
   * version.
   */
  @Test
  void aTowerMeasuredAgainWithinTheToleranceAddsNoVersion() {
    catalogue.toleranceMeters = 50;
    catalogue.importFile(row(1, HERE));

    for (int i = 2; i <= 400; i++) {
      Position average = new Position(HERE.lon() + i % 7 * 1e-5, HERE.lat() - i % 5 * 1e-5);
      assertThat(catalogue.importFile(row(i, average)).changedCells()).isZero();
    }
    assertThat(catalogue.entries.get(CELL)).isEqualTo(entry(version(1, HERE)));
  }

  @Test
  void aPlaceThatCreepsAddsAVersionEachTimeItHasCreptOutOfTheTolerance() {
    catalogue.toleranceMeters = 50;
    // 11 m at a time, to the north.
    for (int i = 0; i < 11; i++) {
      catalogue.importFile(row(i + 1, new Position(HERE.lon(), HERE.lat() + i * 1e-4)));
    }

    assertThat(catalogue.entries.get(CELL).towers().get(0).versions())
        .extracting(CellVersion::validFromMillis)
        .containsExactly(1L, 6L, 11L);
  }

  @Test
  void versionsThatHoldForNothingThatIsKeptAreDropped() {
    catalogue.importFile(row(10, HERE));
    catalogue.importFile(row(20, THERE));
    catalogue.importFile(row(30, YONDER));
    catalogue.keptFromMillis = 25;

    assertThat(catalogue.importFile(row(30, YONDER)).changedCells()).isEqualTo(1);
    assertThat(catalogue.entries.get(CELL))
        .as("the one that held at the boundary, and what came after")
        .isEqualTo(entry(version(20, THERE), version(30, YONDER)));
    assertThat(catalogue.importFile(row(10, HERE)).changedCells()).isZero();
  }

  @Property
  void withATolerancePlacesImportedTwiceChangeNothing(@ForAll("files") List<CatalogRow> rows) {
    Catalogue tolerant = new Catalogue();
    tolerant.toleranceMeters = 2_000;
    tolerant.importFile(rows);

    assertThat(tolerant.importFile(rows).entries()).isEmpty();
  }

  @Test
  void ofSeveralEntriesOfACellThatWithTheGreatestRevisionIsMergedWhateverTheirOrder() {
    CellEntry older = entry(version(10, HERE)).withRevision(new Revision(1, 9, 0));
    CellEntry newer = entry(version(20, THERE)).withRevision(new Revision(2, 3, 1));
    CellEntry merged =
        entry(version(20, THERE), version(30, YONDER)).withRevision(newer.revision());

    for (List<CellEntry> order : List.of(List.of(older, newer), List.of(newer, older))) {
      CatalogMerge merge = new CatalogMerge(0, Long.MIN_VALUE);
      merge.accept(row(30, YONDER));
      order.forEach(merge::known);

      assertThat(merge.changes().entries()).containsExactly(merged);
    }
  }

  /** Uses towers that never return exactly to a former position; see docs/decisions/catalogs.md. */
  @Property
  void theOrderOfTheFilesDoesNotMatter(@ForAll("moves") List<CatalogRow> rows, @ForAll long seed) {
    Catalogue inOrder = new Catalogue();
    rows.forEach(inOrder::importFile);
    List<CatalogRow> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, new Random(seed));
    Catalogue inAnyOrder = new Catalogue();
    shuffled.forEach(inAnyOrder::importFile);

    assertThat(inAnyOrder.entries).isEqualTo(inOrder.entries);
  }

  @Provide
  Arbitrary<List<CatalogRow>> files() {
    return Combinators.combine(
            Arbitraries.of(CELL, OTHER_CELL),
            Arbitraries.of(Radio.LTE, Radio.GSM),
            Arbitraries.of(HERE, THERE, YONDER),
            Arbitraries.of(0, 500, 1_000),
            Arbitraries.longs().between(1, 8))
        .as(CatalogRow::new)
        .list()
        .ofMaxSize(12);
  }

  /** Sightings of one tower that sometimes moves, always to a new position. */
  @Provide
  Arbitrary<List<CatalogRow>> moves() {
    return Arbitraries.integers()
        .between(0, 3)
        .list()
        .ofMinSize(1)
        .ofMaxSize(12)
        .map(
            steps -> {
              List<CatalogRow> rows = new ArrayList<>();
              int place = 0;
              for (int step : steps) {
                place += step == 0 ? 1 : 0;
                rows.add(
                    new CatalogRow(
                        CELL,
                        Radio.LTE,
                        new Position(place, 0),
                        500 * (rows.size() % 3),
                        rows.size() + 1L));
              }
              return rows;
            });
  }
}
