package io.lastfix.analytics.timeline;

import io.lastfix.analytics.timeline.Track.LastStay;
import io.lastfix.analytics.timeline.Track.Move;
import io.lastfix.analytics.timeline.Track.Visit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Walks along records in their order, and finds visits by one grouping, without those that the
 * ping-pong filter removes. It takes time proportional to the number of records.
 */
final class TrackWalk {
  static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

  private static final int NONE = Integer.MAX_VALUE;

  private final Grouping by;
  private final long absenceMillis;
  private final long pingPongMillis;
  private final long minimumStayMillis;
  private final TimelineFacts facts;

  private @Nullable Visit visit;
  private @Nullable LastStay lastStay;
  private final Map<Move, Integer> moves;
  private boolean isAtEnd;

  /** Continues a track; reports what the records after it say. */
  TrackWalk(Grouping by, TimelineOptions options, Track track, TimelineFacts facts) {
    this.by = by;
    this.absenceMillis = options.absence().toMillis();
    this.pingPongMillis = options.pingPong().toMillis();
    this.minimumStayMillis = options.minimumStay().toMillis();
    this.facts = facts;
    this.visit = track.visit();
    this.lastStay = track.lastStay();
    this.moves = new LinkedHashMap<>(track.moves());
  }

  /**
   * Walks over the records from an index on, as far as records at or after {@code endMillis} cannot
   * change what is found.
   *
   * @return the index of the first record that was left out
   */
  int walk(List<TimelineRecord> records, int from, long endMillis) {
    Steps steps = new Steps(records, from);
    int i = 0;
    while (i < steps.size) {
      long timestamp = steps.timestamps[i];
      if (timestamp >= endMillis) {
        break;
      }
      String place = steps.places[i];
      Visit current = visit;
      if (current == null || timestamp - current.lastMillis() > absenceMillis) {
        endByAbsence();
        begin(place, timestamp);
        i++;
      } else if (place.equals(current.place())) {
        visit = new Visit(place, current.beginMillis(), timestamp);
        i++;
      } else {
        if (timestamp + pingPongMillis >= endMillis) {
          break;
        }
        int back = steps.next(current.place(), i);
        if (back != NONE && steps.timestamps[back] <= timestamp + pingPongMillis) {
          visit = new Visit(current.place(), current.beginMillis(), steps.timestamps[back]);
          i = back + 1;
        } else {
          leave(current, timestamp);
          move(current.place(), place, timestamp);
          begin(place, timestamp);
          i++;
        }
      }
    }
    isAtEnd = i == steps.size;
    int end = indexAtOrAfter(records, from, endMillis);
    return i < steps.size ? Math.min(steps.indexes[i], end) : end;
  }

  /** Reports the visit that the records end in, as it is known at a watermark. */
  void finish(long watermark) {
    Visit current = visit;
    if (current != null && current.lastMillis() + absenceMillis <= watermark) {
      endByAbsence();
    } else if (current != null && isStay(current, current.lastMillis())) {
      stay(current, Stay.NO_END, Stay.End.OPEN);
    }
    moves.forEach((move, count) -> facts.moves(by, move, count));
  }

  /**
   * Returns where the walk is, for later records at or after {@code sinceMillis}. A later move is
   * at most the ping-pong time before that.
   */
  Track track(long sinceMillis) {
    // A record that waits for the ping-pong time may still belong to the visit, or follow it.
    if (isAtEnd && visit != null && visit.lastMillis() + absenceMillis < sinceMillis) {
      visit = null;
      lastStay = null;
    }
    moves
        .keySet()
        .removeIf(move -> move.hourMillis() + HOUR_MILLIS <= sinceMillis - pingPongMillis);
    return new Track(visit, lastStay, Map.copyOf(moves));
  }

  private void begin(String place, long timestamp) {
    visit = new Visit(place, timestamp, timestamp);
    facts.presence(by, place, timestamp, 1);
  }

  private void leave(Visit left, long timestamp) {
    facts.presence(by, left.place(), timestamp, -1);
    LastStay before = lastStay;
    if (isStay(left, timestamp)) {
      stay(left, timestamp, Stay.End.LEFT);
      lastStay = new LastStay(left.place(), timestamp, 0);
    } else if (before != null) {
      lastStay = new LastStay(before.place(), before.endMillis(), before.via() + 1);
    }
  }

  private void endByAbsence() {
    Visit ended = visit;
    if (ended == null) {
      return;
    }
    facts.presence(by, ended.place(), ended.lastMillis() + absenceMillis, -1);
    if (isStay(ended, ended.lastMillis())) {
      stay(ended, ended.lastMillis(), Stay.End.ABSENT);
    }
    visit = null;
    lastStay = null;
  }

  private boolean isStay(Visit at, long endMillis) {
    return endMillis - at.beginMillis() >= minimumStayMillis;
  }

  private void stay(Visit at, long endMillis, Stay.End end) {
    facts.stay(new Stay(by, at.place(), at.beginMillis(), endMillis, end));
    LastStay before = lastStay;
    if (before != null) {
      long left = before.endMillis();
      long reached = at.beginMillis();
      facts.trip(new Trip(by, before.place(), at.place(), left, reached, before.via()));
    }
  }

  private void move(String from, String to, long timestamp) {
    moves.merge(new Move(hour(timestamp), from, to), 1, Integer::sum);
  }

  /** Returns the start of the hour. */
  static long hour(long millis) {
    return Math.floorDiv(millis, HOUR_MILLIS) * HOUR_MILLIS;
  }

  private static int indexAtOrAfter(List<TimelineRecord> records, int from, long millis) {
    int index = from;
    while (index < records.size() && records.get(index).timestampMillis() < millis) {
      index++;
    }
    return index;
  }

  /** The records that have a place, and where each place comes next. */
  private final class Steps {
    private final int size;
    private final int[] indexes;
    private final long[] timestamps;
    private final String[] places;
    private final int[] nextSame;
    private final Map<String, Integer> first = new HashMap<>();

    Steps(List<TimelineRecord> records, int from) {
      int most = records.size() - from;
      indexes = new int[most];
      timestamps = new long[most];
      places = new String[most];
      int count = 0;
      for (int index = from; index < records.size(); index++) {
        TimelineRecord record = records.get(index);
        String place = record.place(by);
        if (place != null) {
          indexes[count] = index;
          timestamps[count] = record.timestampMillis();
          places[count] = place;
          count++;
        }
      }
      size = count;
      nextSame = new int[size];
      for (int i = size - 1; i >= 0; i--) {
        Integer next = first.put(places[i], i);
        nextSame[i] = next == null ? NONE : next;
      }
    }

    /** Returns where a place comes next after a step; the step before it was there, if any. */
    int next(String place, int step) {
      return step == 0 ? first.getOrDefault(place, NONE) : nextSame[step - 1];
    }
  }
}
