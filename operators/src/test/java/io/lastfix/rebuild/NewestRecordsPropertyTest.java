package io.lastfix.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
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

/** What Flink may do with the records of one user: any order, any grouping, any split twice. */
class NewestRecordsPropertyTest {
  @Property
  void anyOrderAndSplitGivesTheGreatestRecord(
      @ForAll("recordsOfAUser") List<LocatedRecord> records, @ForAll Random random) {
    NewestRecords greatest =
        new NewestRecords(
            Collections.max(records, LocatedRecordOrder.INSTANCE),
            records.stream()
                .filter(record -> record.fix() != null)
                .max(LocatedRecordOrder.INSTANCE)
                .orElse(null));
    List<LocatedRecord> shuffled = new ArrayList<>(records);
    shuffled.addAll(records.subList(0, records.size() / 2));
    Collections.shuffle(shuffled, random);

    assertThat(reduce(shuffled, random)).isEqualTo(greatest);
  }

  /** Splits the records at a random place, and reduces the parts before the whole. */
  private static NewestRecords reduce(List<LocatedRecord> records, Random random) {
    if (records.size() == 1) {
      return NewestRecords.of(records.get(0));
    }
    int middle = 1 + random.nextInt(records.size() - 1);
    return reduce(records.subList(0, middle), random)
        .merge(reduce(records.subList(middle, records.size()), random));
  }

  /** Few values per field, so that records are equal in one field and differ in the next. */
  @Provide
  Arbitrary<List<LocatedRecord>> recordsOfAUser() {
    Arbitrary<CellId> cells =
        Arbitraries.of("234-10-9-1", "234-10-10-1", "234-10--1").map(CellId::parse);
    Arbitrary<Position> positions =
        Combinators.combine(Arbitraries.of(-0.1, 0.0, 9.0), Arbitraries.of(-1.0, 51.5))
            .as(Position::new);
    Arbitrary<Fix> fixes =
        Combinators.combine(
                positions,
                Arbitraries.of(PositionSource.GNSS, PositionSource.MLP),
                Arbitraries.of(3.0, 8.5).injectNull(0.3))
            .as((position, source, accuracy) -> new Fix(position, source, accuracy, null, null));
    Arbitrary<LocatedRecord> atCells =
        Combinators.combine(Arbitraries.of(-1L, 0L, 1_000L), cells, positions)
            .as((ts, cell, position) -> new LocatedRecord("user", cell, ts, position));
    Arbitrary<LocatedRecord> withFixes =
        Combinators.combine(Arbitraries.of(-1L, 0L, 1_000L), cells.injectNull(0.5), fixes)
            .as(
                (ts, cell, fix) ->
                    new LocatedRecord("user", Place.of(cell, null, fix), ts, null, false));
    return Arbitraries.oneOf(atCells, withFixes).list().ofMinSize(1).ofMaxSize(30);
  }
}
