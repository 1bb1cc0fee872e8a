package io.lastfix.locate;

import static io.lastfix.locate.TestCells.CELL;
import static io.lastfix.locate.TestCells.CELL_IN_OTHER_AREA;
import static io.lastfix.locate.TestCells.FERRY_BUILDING;
import static io.lastfix.locate.TestCells.NOON;
import static io.lastfix.locate.TestCells.RECORD;
import static io.lastfix.locate.TestCells.TWIN_PEAKS;
import static io.lastfix.locate.TestCells.UNION_SQUARE;
import static io.lastfix.locate.TestCells.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.locate.LocateHarness.Run;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.Revision;
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
import org.junit.jupiter.api.Test;

/** Which of a cell's entries wins. */
class KnownCellsRevisionTest {
  /** The result depends neither on the entries' partitions nor on the order of reading. */
  @Property
  void theSameEntriesInAnyOrderAreTheSameKnowledge(
      @ForAll("entries") List<CellEntry> entries, @ForAll long seed) {
    List<CellEntry> shuffled = new ArrayList<>(entries);
    Collections.shuffle(shuffled, new Random(seed));

    assertThat(known(shuffled)).isEqualTo(known(entries));
  }

  @Property
  void anEntryThatIsReadAgainChangesNothing(@ForAll("entries") List<CellEntry> entries) {
    KnownCells once = known(entries);
    for (CellEntry entry : entries) {
      assertThat(once.with(entry, NOON)).isEqualTo(once);
    }
  }

  private static KnownCells known(List<CellEntry> entries) {
    KnownCells known = KnownCells.NONE;
    for (CellEntry entry : entries) {
      known = known.with(entry, NOON);
    }
    return known;
  }

  @Provide
  Arbitrary<List<CellEntry>> entries() {
    Arbitrary<CellId> cells = Arbitraries.of(CELL, CELL_IN_OTHER_AREA);
    Arbitrary<Position> positions =
        Arbitraries.of(FERRY_BUILDING, UNION_SQUARE, TWIN_PEAKS).injectNull(0.3);
    Arbitrary<Revision> revisions =
        Combinators.combine(
                Arbitraries.longs().between(0, 3),
                Arbitraries.longs().between(0, 5),
                Arbitraries.integers().between(0, 2))
            .as(Revision::new);
    return Combinators.combine(cells, positions, revisions)
        .as(
            (cell, position, revision) ->
                (position == null ? entry(cell) : entry(cell, position)).withRevision(revision))
        .list()
        // Partition and offset together are unique for each message.
        .uniqueElements(
            published -> List.of(published.revision().offset(), published.revision().partition()))
        .ofMaxSize(8);
  }

  @Test
  void anOlderEntryFromAnotherPartitionDoesNotBringARemovedCellBack() throws Exception {
    try (LocateHarness harness = new LocateHarness(LocateOptions.defaults(), Run.ON_HEAP)) {
      harness.entry(entry(CELL).withRevision(new Revision(NOON, 7, 1)));
      harness.entry(entry(CELL, FERRY_BUILDING).withRevision(new Revision(NOON - 1, 9, 0)));
      harness.record(RECORD);

      assertThat(harness.finish().records()).containsExactly(RECORD.at(null));
    }
  }

  @Test
  void aRemovalIsRememberedForThirtyDaysAndNoLonger() {
    KnownCells removed =
        KnownCells.NONE.with(entry(CELL).withRevision(new Revision(NOON, 7, 1)), NOON);

    assertThat(removed.withoutRemovalsBefore(NOON)).isEqualTo(removed);
    assertThat(removed.withoutRemovalsBefore(NOON + 1).isEmpty()).isTrue();
    assertThat(KnownCellsState.REMOVAL_KEPT).hasDays(30);
  }
}
