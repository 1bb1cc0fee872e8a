package io.lastfix.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.PlaceJudge.Verdict;
import io.lastfix.audit.stored.Place;
import io.lastfix.audit.tree.FoundRecord;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * One cell, entries with any order of times and revisions, and a job that looks the cell up at any
 * time from the record's arrival on: a model of the join beside the judge.
 */
class PlaceJudgePropertyTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long WAIT_MILLIS = Duration.ofMinutes(1).toMillis();

  /**
   * An entry with one tower.
   *
   * @param hour of its publication
   * @param revision of the entry, hours
   * @param spot the tower's longitude until {@code moved}
   * @param moved the hour from which on it stands one degree farther
   */
  record Entry(long hour, long revision, int spot, long moved) {
    Place at(long hourOfRecord) {
      return new Place(hourOfRecord >= moved ? spot + 1 : spot, 1);
    }

    byte[] value() {
      return ("{\"cell\":\"1-2-1-3\",\"revision\":%d,\"towers\":[{\"radio\":\"LTE\",\"versions\":["
              + "{\"from\":0,\"lon\":%d,\"lat\":1},{\"from\":%d,\"lon\":%d,\"lat\":1}]}]}")
          .formatted(revision * HOUR, spot, moved * HOUR, spot + 1)
          .getBytes(UTF_8);
    }
  }

  /** A correct job is never blamed, however late it reads a record. */
  @Property(tries = 500)
  void whatAJobStoresThatHasReadAllEntriesIsRightOrLater(
      @ForAll @Size(min = 1, max = 6) List<@From("entries") Entry> entries,
      @ForAll @LongRange(min = 1, max = 9) long came)
      throws Exception {
    Verdict verdict = judge(entries, came, newest(entries).at(came), false);

    Statistics.collect(verdict);
    assertThat(verdict).isIn(Verdict.RIGHT, Verdict.LATER);
  }

  @Property(tries = 500)
  void onlyThePlaceOfTheNewestEntryAtTheRecordsTimeIsLater(
      @ForAll @Size(min = 1, max = 6) List<@From("entries") Entry> entries,
      @ForAll @LongRange(min = 1, max = 9) long came,
      @ForAll("places") Place stored)
      throws Exception {
    Verdict verdict = judge(entries, came, stored, false);

    Statistics.collect(verdict);
    if (verdict == Verdict.LATER) {
      assertThat(stored).isEqualTo(newest(entries).at(came));
    }
    if (entries.stream().noneMatch(entry -> entry.at(came).equals(stored))) {
      assertThat(verdict).isEqualTo(Verdict.WRONG);
    }
  }

  /**
   * The job must not store a position that had been replaced by then, whatever is published later.
   */
  @Property(tries = 500)
  void aPlaceOfOvertakenEntriesAloneIsNeitherRightNorLater(
      @ForAll @Size(min = 1, max = 6) List<@From("entries") Entry> entries,
      @ForAll @LongRange(min = 1, max = 9) long came,
      @ForAll("places") Place stored)
      throws Exception {
    Entry known = newest(entries.stream().filter(entry -> entry.hour() <= came).toList());
    boolean isOfALaterOne =
        entries.stream()
            .filter(entry -> known == null || entry.revision() >= known.revision())
            .anyMatch(entry -> entry.at(came).equals(stored));
    if (!isOfALaterOne) {
      assertThat(judge(entries, came, stored, false)).isIn(Verdict.WRONG, Verdict.UNDECIDED);
    }
  }

  @Property(tries = 500)
  void nothingIsLaterOrWrongByAnIncompleteCatalogue(
      @ForAll @Size(min = 1, max = 6) List<@From("entries") Entry> entries,
      @ForAll @LongRange(min = 1, max = 9) long came,
      @ForAll("places") Place stored)
      throws Exception {
    assertThat(judge(entries, came, stored, true)).isIn(Verdict.RIGHT, Verdict.UNDECIDED);
  }

  private static Verdict judge(
      List<Entry> entries, long came, Place stored, boolean isCatalogIncomplete) throws Exception {
    try (ScratchDatabase scratch = new ScratchDatabase()) {
      Catalog catalog = new Catalog(scratch);
      long offset = 0;
      for (Entry entry : inOrderOfTime(entries)) {
        catalog.add(0, offset++, entry.hour() * HOUR, null, entry.value());
      }
      if (isCatalogIncomplete) {
        catalog.lacksEntries();
      }
      catalog.refresh();
      return new PlaceJudge(catalog, (from, to) -> false, WAIT_MILLIS)
          .judge(
              new ExpectedRecord(
                  new FoundRecord("user", 1, 2, 1, 3, null, came * HOUR),
                  came * HOUR,
                  Demand.REQUIRED),
              stored);
    }
  }

  private static List<Entry> inOrderOfTime(List<Entry> entries) {
    return entries.stream().sorted(Comparator.comparingLong(Entry::hour)).toList();
  }

  /** The greatest revision; of two equal ones, the one published later. */
  private static @Nullable Entry newest(List<Entry> entries) {
    Stream<Entry> ordered = inOrderOfTime(entries).stream();
    return ordered
        .reduce((one, next) -> next.revision() >= one.revision() ? next : one)
        .orElse(null);
  }

  @Provide
  Arbitrary<Entry> entries() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 12),
            Arbitraries.longs().between(0, 12),
            Arbitraries.integers().between(0, 3),
            Arbitraries.longs().between(1, 12))
        .as(Entry::new);
  }

  @Provide
  Arbitrary<Place> places() {
    return Arbitraries.integers().between(0, 5).map(lon -> new Place(lon, 1));
  }
}
