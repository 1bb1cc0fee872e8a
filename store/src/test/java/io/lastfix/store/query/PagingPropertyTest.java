package io.lastfix.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.Sighting;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.query.SightingSource.Row;
import io.lastfix.store.query.SightingSource.Subject;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.bson.BsonBinary;

/** Paging returns the same records as one query, whatever arrives between the pages. */
class PagingPropertyTest {
  private static final Subject USER = Subject.user("350000000007919");
  private static final long BASE = Instant.parse("2026-10-31T22:00:00Z").toEpochMilli();
  private static final long HALF_HOUR = 1_800_000;

  /** A record, and the period of History at its arrival. */
  private record Stored(Row row, PartitionPeriod period) {}

  @Property
  void pagesOfAnySizeAreTheUnpagedSequence(
      @ForAll("records") List<Stored> records,
      @ForAll TimeOrder order,
      @ForAll @IntRange(min = 1, max = 7) int pageSize) {
    PartitionsInMemory source = sourceOf(records);

    List<Sighting> paged = new ArrayList<>();
    SightingCursor page = new SightingCursor(source, USER, TimeRange.ALL, order);
    while (page.hasNext()) {
      take(page, pageSize, paged);
      page = resume(source, page);
    }

    assertThat(paged).containsExactlyElementsOf(expected(records, order));
    assertThat(source.open()).isZero();
  }

  @Property
  void allPagesInTurnAreTheUnpagedSequence_UpToASightingThatIsRefused(
      @ForAll("records") List<Stored> records,
      @ForAll @IntRange(min = 1, max = 7) int pageSize,
      @ForAll @IntRange(min = 1, max = 50) int taken) {
    PartitionsInMemory source = sourceOf(records);
    List<Sighting> expected = expected(records, TimeOrder.OLDEST_FIRST);

    List<Sighting> given = new ArrayList<>();
    SightingCursor.forEach(
        source,
        USER,
        TimeRange.ALL,
        pageSize,
        sighting -> {
          given.add(sighting);
          return given.size() < taken;
        });

    assertThat(given)
        .containsExactlyElementsOf(expected.subList(0, Math.min(taken, expected.size())));
    assertThat(source.open()).isZero();
  }

  @Property
  void recordsThatComeBetweenTwoPagesMoveNoneOfTheOthers(
      @ForAll("records") List<Stored> before,
      @ForAll("records") List<Stored> meanwhile,
      @ForAll TimeOrder order,
      @ForAll @IntRange(min = 1, max = 7) int pageSize) {
    PartitionsInMemory source = sourceOf(before);
    List<Sighting> given = new ArrayList<>();
    SightingCursor first = new SightingCursor(source, USER, TimeRange.ALL, order);
    take(first, pageSize, given);

    meanwhile.forEach(stored -> source.store(stored.period(), stored.row()));
    SightingCursor rest =
        given.isEmpty()
            ? new SightingCursor(source, USER, TimeRange.ALL, order)
            : resume(source, first);
    take(rest, Integer.MAX_VALUE, given);

    Set<Sighting> late = new HashSet<>();
    meanwhile.forEach(stored -> late.add(stored.row().sighting()));
    before.forEach(stored -> late.remove(stored.row().sighting()));
    List<Sighting> ofBefore = given.stream().filter(sighting -> !late.contains(sighting)).toList();
    assertThat(given).as("none twice").doesNotHaveDuplicates();
    assertThat(ofBefore).as("none lost").containsExactlyElementsOf(expected(before, order));
    List<Stored> all = new ArrayList<>(before);
    all.addAll(meanwhile);
    List<Sighting> inOrder = expected(all, order);
    assertThat(given)
        .as("in order")
        .isSubsetOf(inOrder)
        .isSortedAccordingTo((a, b) -> Integer.compare(inOrder.indexOf(a), inOrder.indexOf(b)));
  }

  @Provide
  Arbitrary<List<Stored>> records() {
    // Few timestamps and few ids, so that many are equal; three hours across the end of a month.
    Arbitrary<Row> rows =
        Combinators.combine(
                Arbitraries.longs().between(0, 9).map(n -> BASE + n * HALF_HOUR),
                Arbitraries.integers().between(0, 4))
            .as(PagingPropertyTest::row);
    return Combinators.combine(rows, Arbitraries.of(PartitionPeriod.class))
        .as(Stored::new)
        .list()
        .ofMaxSize(40);
  }

  private static Row row(long millis, int number) {
    byte[] id = ByteBuffer.allocate(20).putLong(millis).put(19, (byte) (number * 60)).array();
    return new Row(
        new RecordPosition(millis, new BsonBinary(id)),
        new Sighting(USER.value(), Instant.ofEpochMilli(millis), "1-1-1-" + number, null));
  }

  /** A replay after a change of the period stores a record again, in another partition. */
  private static PartitionsInMemory sourceOf(List<Stored> records) {
    PartitionsInMemory source = new PartitionsInMemory();
    records.forEach(stored -> source.store(stored.period(), stored.row()));
    return source;
  }

  private static List<Sighting> expected(List<Stored> records, TimeOrder order) {
    return records.stream()
        .map(Stored::row)
        .distinct()
        .sorted((a, b) -> order.positions().compare(a.position(), b.position()))
        .map(Row::sighting)
        .toList();
  }

  private static void take(SightingCursor cursor, int count, List<Sighting> into) {
    try (cursor) {
      for (int i = 0; i < count && cursor.hasNext(); i++) {
        into.add(cursor.next());
      }
    }
  }

  private static SightingCursor resume(PartitionsInMemory source, SightingCursor after) {
    return new SightingCursor(source, USER, PageToken.decode(after.token(), USER));
  }
}
