package io.lastfix.audit;

import io.lastfix.audit.tree.FoundRecord;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Judges the coordinates that were stored for a record, by the catalogue's topic.
 *
 * <p>The rule of the join: the towers of the record's (mcc, mnc, cid), in its area and on its radio
 * where it names them; the only one gives the place it had at the record's time; none or several
 * give none. What the join knew when the record came cannot be told to the moment: an entry that
 * was published while the record may have waited may have counted. So each area has several states
 * in which the join may have seen it, and what is stored is right if some of them give it. One that
 * was overtaken by then may have counted still, and one that came later too, where the job was
 * behind: what only these give is neither right nor wrong. But a job that was stopped brings its
 * catalogue up to date before it reads on, so the place that the newest state gives is told apart.
 */
final class PlaceJudge {
  /** How much later than Kafka takes it the job may read a record or an entry, as a rule. */
  private static final long PROCESSING_MILLIS = Duration.ofMinutes(1).toMillis();

  private final Catalog catalog;
  private final Crowds crowds;
  private final long maxWaitMillis;
  private final long windowMillis;

  /**
   * A judge by that catalogue.
   *
   * @param maxWaitMillis how long a record waits for its cell
   */
  PlaceJudge(Catalog catalog, Crowds crowds, long maxWaitMillis) {
    this.catalog = catalog;
    this.crowds = crowds;
    this.maxWaitMillis = maxWaitMillis;
    // The operator may let a record wait up to 1/32 longer.
    this.windowMillis = maxWaitMillis + maxWaitMillis / 32 + PROCESSING_MILLIS;
  }

  /** Tells where more records came before their cells than may wait. */
  interface Crowds {
    /** Whether that number of them was published between these instants. */
    boolean mayHaveFormed(long fromMillis, long toMillis) throws SQLException;
  }

  /** What can be said of what is stored, from bad to good. */
  enum Verdict {
    /** No state of the catalogue gives it. */
    WRONG,
    /**
     * Right only by a state that was overtaken, that came later than the record can have waited
     * for, unless the job was behind, or that is gone from the topic.
     */
    UNDECIDED,
    /**
     * The place that the newest state of the whole catalogue gives for the record's time, published
     * later than the record can have waited for: a job that reads the record late, as after a stop,
     * stores this place. Not if entries are gone from the topic.
     */
    LATER,
    /** Right by the catalogue as it stood when the record came, or while it may have waited. */
    RIGHT
  }

  /**
   * What one entry says of a record.
   *
   * @param candidates the places of the towers that the record may have been heard by
   */
  private record State(long publishedMillis, List<Place> candidates) {
    boolean isEmpty() {
      return candidates.isEmpty();
    }
  }

  /**
   * The states of one area.
   *
   * @param states all of them, by their revision; at least one
   * @param inTime those that may have counted while the record may have waited: the one with the
   *     greatest revision of those that had been published with the record, and what was published
   *     soon after with a greater one
   * @param isOpen whether nothing was known of it when the record was published
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
   * The best that can be said for any of a record's sightings, since the first to come was stored;
   * {@link Verdict#WRONG} where there are none.
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

  /** Judges the place that is stored for that sighting; null: it is stored without one. */
  Verdict judge(ExpectedRecord sighting, @Nullable Place stored) throws SQLException {
    List<Area> areas = areas(sighting);
    if (stored == null ? isAbsenceRight(sighting, areas) : isPlaceRight(areas, stored)) {
      return Verdict.RIGHT;
    }
    boolean isDecided =
        stored == null
            ? !wasOnceUnlocated(areas) && !foundNoRoom(sighting, areas)
            : areas.stream().noneMatch(area -> gives(area.states(), stored));
    // The entry with the greatest revision may be the one that is gone: compaction goes by offset.
    if (catalog.isIncomplete()) {
      return Verdict.UNDECIDED;
    }
    if (stored != null && isPlaceOfNewest(areas, stored)) {
      return Verdict.LATER;
    }
    return isDecided ? Verdict.WRONG : Verdict.UNDECIDED;
  }

  /**
   * Whether the newest entry of each area, by revision alone, gives that place and no other. A
   * record without a place is never excused so: it may have lost its place long before its cell was
   * removed.
   */
  private static boolean isPlaceOfNewest(List<Area> areas, Place stored) {
    return areas.stream()
        .flatMap(area -> area.newest().candidates().stream())
        .toList()
        .equals(List.of(stored));
  }

  /** Whether one area gives just that place while no other gives any. */
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

  /** Whether the cell was ambiguous, or unknown for as long as a record waits. */
  private boolean isAbsenceRight(ExpectedRecord sighting, List<Area> areas) {
    Predicate<Area> mayStayUnknown =
        area ->
            mayBeEmpty(area.inTime())
                || (area.isOpen()
                    && area.firstPublishedMillis() > sighting.publishedMillis() + maxWaitMillis);
    return mayBeAmbiguous(areas.stream().map(Area::inTime).toList())
        || areas.stream().allMatch(mayStayUnknown);
  }

  private static boolean wasOnceUnlocated(List<Area> areas) {
    return mayBeAmbiguous(areas.stream().map(Area::states).toList())
        || areas.stream().allMatch(area -> mayBeEmpty(area.states()));
  }

  /** Whether it came before its cell and may have found too many others waiting. */
  private boolean foundNoRoom(ExpectedRecord sighting, List<Area> areas) throws SQLException {
    return areas.stream().allMatch(area -> area.isOpen() || mayBeEmpty(area.inTime()))
        && crowds.mayHaveFormed(
            sighting.publishedMillis() - windowMillis, sighting.publishedMillis() + windowMillis);
  }

  private static boolean mayBeEmpty(List<State> states) {
    return states.stream().anyMatch(State::isEmpty);
  }

  private static boolean mayBeAmbiguous(List<List<State>> areas) {
    int most = 0;
    for (List<State> states : areas) {
      most += states.stream().mapToInt(state -> state.candidates().size()).max().orElse(0);
    }
    return most > 1;
  }

  private List<Area> areas(ExpectedRecord sighting) throws SQLException {
    FoundRecord record = sighting.record();
    List<Area> areas = new ArrayList<>();
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
    // By their revision, as the join decides between them.
    for (CatalogEntry entry : entries) {
      List<Place> candidates =
          entry.towers().stream()
              .filter(tower -> record.radio() == null || record.radio() == tower.radio())
              .map(tower -> tower.at(record.timestampMillis()))
              .toList();
      State state = new State(entry.publishedMillis(), candidates);
      states.add(state);
      if (entry.publishedMillis() <= sighting.publishedMillis()) {
        isOpen = false;
        inTime.clear();
      }
      if (entry.publishedMillis() <= sighting.publishedMillis() + windowMillis) {
        inTime.add(state);
      }
    }
    return new Area(states, inTime, isOpen);
  }
}
