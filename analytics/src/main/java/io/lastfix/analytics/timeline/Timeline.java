package io.lastfix.analytics.timeline;

import io.lastfix.store.timeline.PlaceKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The records of one person that facts may still depend on. Immutable.
 *
 * <p>Its facts are a function of the set of records and the watermark; {@link #changesSince}
 * reports how they change. Facts that no more record can change leave it with {@link #pruned}; the
 * rest of the timeline remembers what later facts depend on. So the facts of a pruned timeline are
 * those of all records, less those that were final before.
 *
 * @param watermark the greatest watermark that facts were reported at; {@code Long.MIN_VALUE}: none
 * @param timerMillis when the person's timer fires; {@link #NO_TIMER} if there is none
 * @param cells where the person was, by cell
 * @param cellsFrom the index of the first record that {@code cells} leaves out
 * @param areas where the person was, by area
 * @param areasFrom the index of the first record that {@code areas} leaves out
 * @param records in their order, without repetitions
 */
record Timeline(
    long watermark,
    long timerMillis,
    Track cells,
    int cellsFrom,
    Track areas,
    int areasFrom,
    List<TimelineRecord> records) {
  static final long NO_TIMER = Long.MAX_VALUE;

  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  static final Timeline EMPTY =
      new Timeline(Long.MIN_VALUE, NO_TIMER, Track.EMPTY, 0, Track.EMPTY, 0, List.of());

  Timeline {
    records = List.copyOf(records);
  }

  /** Returns the time before which records do not count any more. */
  long horizonMillis(TimelineOptions options) {
    return options.horizonMillis(watermark);
  }

  /** Returns true if later facts depend on nothing here. */
  boolean isOver() {
    return records.isEmpty() && cells.equals(Track.EMPTY) && areas.equals(Track.EMPTY);
  }

  /**
   * Adds records, in any order. None is before the horizon. Records that it has are left out.
   *
   * @param added new records
   */
  Timeline with(List<TimelineRecord> added) {
    if (added.isEmpty()) {
      return this;
    }
    if (added.size() == 1) {
      int index = Collections.binarySearch(records, added.get(0));
      if (index >= 0) {
        return this;
      }
      List<TimelineRecord> all = new ArrayList<>(records.size() + 1);
      all.addAll(records);
      all.add(-index - 1, added.get(0));
      return withRecords(all);
    }
    List<TimelineRecord> all = new ArrayList<>(records.size() + added.size());
    all.addAll(records);
    all.addAll(added);
    Collections.sort(all);
    List<TimelineRecord> distinct = new ArrayList<>(all.size());
    TimelineRecord last = null;
    for (TimelineRecord record : all) {
      if (last == null || record.compareTo(last) != 0) {
        distinct.add(record);
      }
      last = record;
    }
    return withRecords(distinct);
  }

  private Timeline withRecords(List<TimelineRecord> all) {
    return new Timeline(watermark, timerMillis, cells, cellsFrom, areas, areasFrom, all);
  }

  /** Returns the timeline at a watermark; time never goes back. */
  Timeline at(long newWatermark) {
    return new Timeline(
        Math.max(watermark, newWatermark),
        timerMillis,
        cells,
        cellsFrom,
        areas,
        areasFrom,
        records);
  }

  Timeline withTimer(long millis) {
    return new Timeline(watermark, millis, cells, cellsFrom, areas, areasFrom, records);
  }

  /**
   * Reports what turns the facts of an earlier state into those of this one. Facts of records that
   * lie too far before the first new one to depend on it are the same, and looked at by neither.
   *
   * @param before this timeline before {@link #with} and {@link #at}
   */
  void changesSince(Timeline before, TimelineOptions options, TimelineFacts.Changes changes) {
    TimelineFacts factsBefore = new TimelineFacts();
    TimelineFacts factsNow = new TimelineFacts();
    long sinceMillis = firstNewMillis(before);
    for (PlaceKind by : PlaceKind.values()) {
      boolean isCell = by == PlaceKind.CELL;
      int from = isCell ? cellsFrom : areasFrom;
      TrackWalk common = new TrackWalk(by, options, isCell ? cells : areas, null);
      int index = common.walk(records, from, sinceMillis);
      report(before, common, index, factsBefore);
      report(this, common, index, factsNow);
    }
    factsNow.changesSince(factsBefore, changes);
  }

  private static void report(Timeline timeline, TrackWalk common, int index, TimelineFacts facts) {
    TrackWalk walk = new TrackWalk(common, facts);
    walk.walk(timeline.records, index, Long.MAX_VALUE);
    walk.finish(timeline.watermark);
  }

  /** Returns the timestamp of the first record that the other has not; the greatest if none. */
  private long firstNewMillis(Timeline before) {
    int index = 0;
    while (index < before.records.size()
        && records.get(index).compareTo(before.records.get(index)) == 0) {
      index++;
    }
    return index == records.size() ? Long.MAX_VALUE : records.get(index).timestampMillis();
  }

  /** Drops facts that records at or after the horizon cannot change. */
  Timeline pruned(TimelineOptions options) {
    long horizonMillis = horizonMillis(options);
    if (horizonMillis == Long.MIN_VALUE) {
      return this;
    }
    TrackWalk cellWalk = new TrackWalk(PlaceKind.CELL, options, cells, null);
    TrackWalk areaWalk = new TrackWalk(PlaceKind.AREA, options, areas, null);
    int cellsTo = cellWalk.walk(records, cellsFrom, horizonMillis);
    int areasTo = areaWalk.walk(records, areasFrom, horizonMillis);
    int dropped = Math.min(cellsTo, areasTo);
    return new Timeline(
        watermark,
        timerMillis,
        cellWalk.track(horizonMillis, isLast(PlaceKind.CELL, cellsTo)),
        cellsTo - dropped,
        areaWalk.track(horizonMillis, isLast(PlaceKind.AREA, areasTo)),
        areasTo - dropped,
        records.subList(dropped, records.size()));
  }

  /** Returns true if no record from an index on has a place. */
  private boolean isLast(PlaceKind by, int from) {
    return records.stream().skip(from).allMatch(record -> record.place(by) == null);
  }

  /**
   * Returns the next watermark that changes facts, or ends the timeline, if no more records come.
   */
  long nextMillis(TimelineOptions options) {
    long absenceMillis = options.absence().toMillis();
    long cellsLast = lastMillis(PlaceKind.CELL, cells, cellsFrom);
    long areasLast = lastMillis(PlaceKind.AREA, areas, areasFrom);
    long pending = Math.min(pending(cellsLast + absenceMillis), pending(areasLast + absenceMillis));
    if (pending != NO_TIMER) {
      return pending;
    }
    long last =
        Math.max(Math.max(cellsLast, areasLast), Math.max(lastMove(cells), lastMove(areas)));
    long movesEnd = TrackWalk.hour(last) + TrackWalk.HOUR_MILLIS + options.pingPong().toMillis();
    return Math.max(last + absenceMillis + 1, movesEnd) + options.lateness().toMillis();
  }

  private long pending(long endMillis) {
    return endMillis > watermark ? endMillis : NO_TIMER;
  }

  /** Returns the timestamp of the last record; long ago if there is none. */
  private long lastMillis(PlaceKind by, Track track, int from) {
    for (int i = records.size() - 1; i >= from; i--) {
      if (records.get(i).place(by) != null) {
        return records.get(i).timestampMillis();
      }
    }
    Track.Visit visit = track.visit();
    return visit == null ? LONG_AGO : visit.lastMillis();
  }

  private static long lastMove(Track track) {
    return track.moves().keySet().stream().mapToLong(Track.Move::hourMillis).max().orElse(LONG_AGO);
  }
}
