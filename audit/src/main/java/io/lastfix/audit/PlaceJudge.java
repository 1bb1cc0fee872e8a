package io.lastfix.audit;

import io.lastfix.audit.CatalogEntry.Version;
import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.audit.tree.OwnPosition;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Judges the coordinates stored for a record, by the catalogue's topic.
 *
 * <p>The join's rule: it takes the towers of the record's (mcc, mnc, cid), restricted to its area
 * and radio if the record names them. It takes none if the record has no area and a cell id that
 * stands for an unknown cell. A single tower gives the position that it had at the record's time;
 * none or several give no position.
 *
 * <p>A record with a position of its own never waits: the position of its cell is judged in the
 * same way, by the entries that had been published when the record came, or within a minute before
 * or after. Whether the two positions are far apart follows from the cell's range.
 *
 * <p>The exact state of the join at that time is unknown: an entry that was published while the
 * record may have waited may have counted. So each area has several states that the join may have
 * used, and a stored position is right if some of them give it. A replaced state may still have
 * counted, and so may a later one, if the job had a lag. A position that only these give is neither
 * right nor wrong. A stopped job, however, first reads its catalogue up to date, so the position of
 * the newest state is a case of its own.
 *
 * @param maxWaitMillis the longest wait of a record for its cell
 */
record PlaceJudge(Catalog catalog, CellBacklog backlog, long maxWaitMillis) {
  /** The usual upper bound of the delay between Kafka's timestamp and the job's reading. */
  private static final long PROCESSING_MILLIS = Duration.ofMinutes(1).toMillis();

  /** How many entries a second the job reads at least while it reads an import. */
  private static final long ENTRIES_PER_SECOND = 1_000;

  /** What a position may be away from its cell's beyond its accuracy and the cell's range. */
  private static final double SLACK_METERS = 5_000;

  /** The earth is no sphere, so near the limit both answers are right. */
  private static final double LIMIT_TOLERANCE = 0.01;

  /** What phones send in place of a cell id that they do not have; towers have these, too. */
  private static final Set<Long> CIDS_OF_UNKNOWN_CELLS =
      Set.of(0xfffeL, 0xffffL, 0xfff_ffffL, 0x7fff_ffffL, 0xffff_ffffL, 0xf_ffff_ffffL);

  /** How long after a record an entry may have counted for it. */
  private long windowMillis(ExpectedRecord sighting) {
    // The operator may let a record wait up to 1/32 longer.
    return waits(sighting)
        ? maxWaitMillis + maxWaitMillis / 32 + PROCESSING_MILLIS
        : PROCESSING_MILLIS;
  }

  private static boolean waits(ExpectedRecord sighting) {
    return sighting.record().own() == null;
  }

  /** Finds times at which more records came before their cells than may wait. */
  interface CellBacklog {
    /** Returns whether that number of them was published between these instants. */
    boolean mayHaveFormed(long fromMillis, long toMillis) throws SQLException;
  }

  /** The verdicts on a stored position, from bad to good. */
  enum Verdict {
    /** No state of the catalogue gives it. */
    WRONG,
    /**
     * Only a replaced state gives it, a state later than the record's wait (unless the job had a
     * lag), or one that is gone from the topic.
     */
    UNDECIDED,
    /**
     * The newest state of the whole catalogue gives it for the record's time, and was published
     * after the record's wait. A job that reads the record late, as after a stop, stores this
     * position. Not used if entries are gone from the topic.
     */
    LATER,
    /** The catalogue gave it when the record came, or while the record may have waited. */
    RIGHT
  }

  /**
   * One entry's answer for a record.
   *
   * @param versions those of the towers that may have heard the record
   */
  private record State(long publishedMillis, List<Version> versions) {
    boolean isEmpty() {
      return versions.isEmpty();
    }

    List<Place> candidates() {
      return versions.stream().map(Version::place).toList();
    }
  }

  /**
   * The states of one area.
   *
   * @param states all of them, by revision; at least one
   * @param inTime those that may have counted while the record may have waited: the one with the
   *     greatest revision of those published by the time of the record, and those with a greater
   *     one published soon after
   * @param isOpen whether the area was unknown when the record was published
   */
  private record Area(List<State> states, List<State> inTime, boolean isOpen) {
    State newest() {
      return states.get(states.size() - 1);
    }

    long firstPublishedMillis() {
      return states.stream().mapToLong(State::publishedMillis).min().orElseThrow();
    }
  }

  /**
   * The best verdict over all of a record's sightings, because the first to arrive was stored;
   * {@link Verdict#WRONG} if there are none.
   */
  Verdict judge(List<ExpectedRecord> sightings, @Nullable Place stored) throws SQLException {
    Verdict best = Verdict.WRONG;
    for (ExpectedRecord sighting : sightings) {
      Verdict verdict = judge(sighting, stored);
      best = verdict.compareTo(best) > 0 ? verdict : best;
      if (best == Verdict.RIGHT) {
        break;
      }
    }
    return best;
  }

  /**
   * Judges a position that was found later, from the catalogue of that time.
   *
   * @param locatedMillis when it was found
   */
  Verdict judgeLocatedLater(List<ExpectedRecord> sightings, Place stored, long locatedMillis)
      throws SQLException {
    Verdict then =
        judge(
            sightings.stream()
                .map(it -> new ExpectedRecord(it.record(), locatedMillis, it.demand()))
                .toList(),
            stored);
    Verdict before = judge(sightings, stored);
    return then.compareTo(before) > 0 ? then : before;
  }

  /**
   * Judges the position of the cell stored beside a record's own; null: it is stored without one.
   */
  Verdict judgeCell(List<ExpectedRecord> sightings, @Nullable Place stored) throws SQLException {
    if (!sightings.get(0).record().hasCell()) {
      return stored == null ? Verdict.RIGHT : Verdict.WRONG;
    }
    return judge(sightings, stored);
  }

  /**
   * Judges whether a record's own position and its cell's are marked as far apart, or not marked.
   * {@link Verdict#UNDECIDED}: no known range explains it, but the entry whose range the job used
   * may be gone from the topic.
   *
   * @param cell the position stored for the cell
   */
  Verdict judgeFar(List<ExpectedRecord> sightings, Place cell, boolean isMarked)
      throws SQLException {
    boolean isAnyKnown = false;
    for (ExpectedRecord sighting : sightings) {
      OwnPosition own = Objects.requireNonNull(sighting.record().own(), "own");
      double accuracyMeters = Objects.requireNonNullElse(own.accuracyMeters(), 0.0);
      double distanceMeters = new Place(own.lon(), own.lat()).metersTo(cell);
      for (int rangeMeters : ranges(sighting, cell)) {
        isAnyKnown = true;
        if (mayBe(isMarked, distanceMeters, accuracyMeters, rangeMeters)) {
          return Verdict.RIGHT;
        }
      }
    }
    // The job may have known the range of an entry that compaction has deleted since.
    return isAnyKnown && !catalog.isIncomplete() ? Verdict.WRONG : Verdict.UNDECIDED;
  }

  /** Returns whether an entry of that range may have made the mark, or left it out. */
  private static boolean mayBe(
      boolean isMarked, double distanceMeters, double accuracyMeters, int rangeMeters) {
    if (rangeMeters == 0) {
      return !isMarked;
    }
    double limitMeters = accuracyMeters + rangeMeters + SLACK_METERS;
    boolean isNearLimit = Math.abs(distanceMeters - limitMeters) <= LIMIT_TOLERANCE * limitMeters;
    return isNearLimit || distanceMeters > limitMeters == isMarked;
  }

  /** The ranges that any state gives beside that position. */
  private List<Integer> ranges(ExpectedRecord sighting, Place cell) throws SQLException {
    return areas(sighting).stream()
        .flatMap(area -> area.states().stream())
        .flatMap(state -> state.versions().stream())
        .filter(version -> version.place().equals(cell))
        .map(Version::rangeMeters)
        .distinct()
        .toList();
  }

  /** Judges the position stored for that sighting; null: it is stored without one. */
  Verdict judge(ExpectedRecord sighting, @Nullable Place stored) throws SQLException {
    List<Area> areas = areas(sighting);
    if (stored == null ? isAbsenceRight(sighting, areas) : isPlaceRight(areas, stored)) {
      return Verdict.RIGHT;
    }
    boolean isDecided =
        stored == null
            ? !wasOnceUnlocated(areas)
                && !wasBacklogFull(sighting, areas)
                && !wasCatalogBehind(sighting, areas)
            : areas.stream().noneMatch(area -> gives(area.states(), stored));
    // The entry with the greatest revision may be gone, because compaction goes by offset.
    if (catalog.isIncomplete()) {
      return Verdict.UNDECIDED;
    }
    if (stored != null && isPlaceOfNewest(areas, stored)) {
      return Verdict.LATER;
    }
    return isDecided ? Verdict.WRONG : Verdict.UNDECIDED;
  }

  /**
   * Returns whether the newest entries of the areas, by revision alone, give that position and no
   * other. This never excuses a record without a position, which may have lost it long before its
   * cell was removed.
   */
  private static boolean isPlaceOfNewest(List<Area> areas, Place stored) {
    return areas.stream()
        .flatMap(area -> area.newest().candidates().stream())
        .toList()
        .equals(List.of(stored));
  }

  /** Returns whether one area gives exactly that position and no other area gives any. */
  private static boolean isPlaceRight(List<Area> areas, Place stored) {
    for (int i = 0; i < areas.size(); i++) {
      if (givesAlone(areas.get(i).inTime(), stored) && othersMayGiveNone(areas, i)) {
        return true;
      }
    }
    return false;
  }

  private static boolean givesAlone(List<State> states, Place place) {
    return states.stream().anyMatch(state -> state.candidates().equals(List.of(place)));
  }

  private static boolean othersMayGiveNone(List<Area> areas, int except) {
    for (int i = 0; i < areas.size(); i++) {
      Area area = areas.get(i);
      if (i != except && !area.isOpen() && !mayBeEmpty(area.inTime())) {
        return false;
      }
    }
    return true;
  }

  private static boolean gives(List<State> states, Place place) {
    return states.stream().anyMatch(state -> state.candidates().contains(place));
  }

  /** Returns whether the cell was ambiguous, or unknown for the longest wait. */
  private boolean isAbsenceRight(ExpectedRecord sighting, List<Area> areas) {
    long knownByMillis =
        sighting.publishedMillis() + (waits(sighting) ? maxWaitMillis : -PROCESSING_MILLIS);
    Predicate<Area> mayStayUnknown =
        area -> mayBeEmpty(area.inTime()) || area.firstPublishedMillis() > knownByMillis;
    return mayBeAmbiguous(areas.stream().map(Area::inTime).toList())
        || areas.stream().allMatch(mayStayUnknown);
  }

  private static boolean wasOnceUnlocated(List<Area> areas) {
    return mayBeAmbiguous(areas.stream().map(Area::states).toList())
        || areas.stream().allMatch(area -> mayBeEmpty(area.states()));
  }

  /** Returns whether it came before its cell and may have found the wait full. */
  private boolean wasBacklogFull(ExpectedRecord sighting, List<Area> areas) throws SQLException {
    long windowMillis = windowMillis(sighting);
    return waits(sighting)
        && areas.stream().allMatch(area -> area.isOpen() || mayBeEmpty(area.inTime()))
        && backlog.mayHaveFormed(
            sighting.publishedMillis() - windowMillis, sighting.publishedMillis() + windowMillis);
  }

  /**
   * Returns whether a record that does not wait may have come before the job had read its cell, out
   * of the many entries of an import.
   */
  private boolean wasCatalogBehind(ExpectedRecord sighting, List<Area> areas) throws SQLException {
    if (waits(sighting)) {
      return false;
    }
    for (Area area : areas) {
      long first = area.firstPublishedMillis();
      long readByMillis =
          first
              + PROCESSING_MILLIS
              + 1_000 * catalog.entriesInTheHourBefore(first) / ENTRIES_PER_SECOND;
      if (!mayBeEmpty(area.inTime()) && readByMillis <= sighting.publishedMillis()) {
        return false;
      }
    }
    return true;
  }

  private static boolean mayBeEmpty(List<State> states) {
    return states.stream().anyMatch(State::isEmpty);
  }

  private static boolean mayBeAmbiguous(List<List<State>> areas) {
    int maxCandidates = 0;
    for (List<State> states : areas) {
      maxCandidates += states.stream().mapToInt(state -> state.versions().size()).max().orElse(0);
    }
    return maxCandidates > 1;
  }

  private List<Area> areas(ExpectedRecord sighting) throws SQLException {
    FoundRecord record = sighting.record();
    List<Area> areas = new ArrayList<>();
    if (record.area() == FoundRecord.NO_AREA && CIDS_OF_UNKNOWN_CELLS.contains(record.cid())) {
      return areas;
    }
    for (List<CatalogEntry> entries : catalog.entries(record.mcc(), record.mnc(), record.cid())) {
      if (record.area() == FoundRecord.NO_AREA || record.area() == entries.get(0).area()) {
        areas.add(area(sighting, entries));
      }
    }
    return areas;
  }

  private Area area(ExpectedRecord sighting, List<CatalogEntry> entries) {
    FoundRecord record = sighting.record();
    List<State> states = new ArrayList<>();
    List<State> inTime = new ArrayList<>();
    boolean isOpen = true;
    // By revision, as the join decides between them.
    for (CatalogEntry entry : entries) {
      List<Version> versions =
          entry.towers().stream()
              .filter(tower -> record.radio() == null || record.radio() == tower.radio())
              .map(tower -> tower.at(record.timestampMillis()))
              .toList();
      State state = new State(entry.publishedMillis(), versions);
      states.add(state);
      if (entry.publishedMillis() <= sighting.publishedMillis()) {
        isOpen = false;
        inTime.clear();
      }
      if (entry.publishedMillis() <= sighting.publishedMillis() + windowMillis(sighting)) {
        inTime.add(state);
      }
    }
    return new Area(states, inTime, isOpen);
  }
}
