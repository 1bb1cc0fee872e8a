package io.lastfix.analytics.timeline;

import io.lastfix.analytics.timeline.Track.LastStay;
import io.lastfix.analytics.timeline.Track.Move;
import io.lastfix.analytics.timeline.Track.Visit;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.Stay;
import io.lastfix.store.timeline.Trip;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Walks along records in their order, and finds visits by one kind of place, without those that the
 * ping-pong filter removes. It takes time proportional to the number of records.
 */
final class TrackWalk {
  static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

  private static final int NONE = -1;

  /** A return is looked for in this many records, before an index of all is built. */
  private static final int QUICK_LOOK = 16;

  private final PlaceKind by;
  private final long absenceMillis;
  private final long pingPongMillis;
  private final long minimumStayMillis;

  /** Null: nothing is reported. */
  private final @Nullable TimelineFacts facts;

  /** Moves before the walk: those of the walk that it continues, or of a track. */
  private final @Nullable TrackWalk continued;

  private final Map<Move, Integer> movesBefore;

  private final Map<Move, Integer> moves = new LinkedHashMap<>();

  /** The visit that is not over. */
  private @Nullable String place;

  private long beginMillis;
  private long lastMillis;
  private @Nullable LastStay lastStay;

  /**
   * The index of the last record that belongs to the visit; {@link #NONE} if it is a former one.
   */
  private int own = NONE;

  /** Continues a track; reports what the records after it say. */
  TrackWalk(PlaceKind by, TimelineOptions options, Track track, @Nullable TimelineFacts facts) {
    this.by = by;
    this.absenceMillis = options.absence().toMillis();
    this.pingPongMillis = options.pingPong().toMillis();
    this.minimumStayMillis = options.minimumStay().toMillis();
    this.facts = facts;
    this.continued = null;
    this.movesBefore = track.moves();
    Visit visit = track.visit();
    if (visit != null) {
      place = visit.place();
      beginMillis = visit.beginMillis();
      lastMillis = visit.lastMillis();
    }
    lastStay = track.lastStay();
  }

  /** Continues a walk, which must not go on. */
  TrackWalk(TrackWalk continued, TimelineFacts facts) {
    this.by = continued.by;
    this.absenceMillis = continued.absenceMillis;
    this.pingPongMillis = continued.pingPongMillis;
    this.minimumStayMillis = continued.minimumStayMillis;
    this.facts = facts;
    this.continued = continued;
    this.movesBefore = Map.of();
    this.place = continued.place;
    this.beginMillis = continued.beginMillis;
    this.lastMillis = continued.lastMillis;
    this.lastStay = continued.lastStay;
  }

  /**
   * Walks over the records from an index on, as far as records at or after {@code endMillis} cannot
   * change what is found.
   *
   * @return the index of the first record that was left out
   */
  int walk(List<TimelineRecord> records, int from, long endMillis) {
    Returns returns = new Returns(records, from);
    int i = from;
    while (i < records.size()) {
      TimelineRecord record = records.get(i);
      long timestamp = record.timestampMillis();
      if (timestamp >= endMillis) {
        break;
      }
      String here = record.place(by);
      String current = place;
      if (here == null) {
        i++;
      } else if (current == null || timestamp - lastMillis > absenceMillis) {
        endByAbsence();
        begin(here, timestamp);
        own = i++;
      } else if (here.equals(current)) {
        lastMillis = timestamp;
        own = i++;
      } else {
        if (timestamp + pingPongMillis >= endMillis) {
          break;
        }
        int back = returns.find(current, i, own, timestamp + pingPongMillis);
        if (back != NONE) {
          lastMillis = records.get(back).timestampMillis();
          own = back;
          i = back + 1;
        } else {
          leave(current, timestamp);
          moves.merge(new Move(hour(timestamp), current, here), 1, Integer::sum);
          begin(here, timestamp);
          own = i++;
        }
      }
    }
    return i;
  }

  /** Reports the visit that the records end in, as it is known at a watermark, and the moves. */
  void finish(long watermark) {
    String current = place;
    TimelineFacts target = facts;
    if (target == null) {
      return;
    }
    if (current != null && lastMillis + absenceMillis <= watermark) {
      endByAbsence();
    } else if (current != null && isStay(lastMillis)) {
      stay(current, Stay.NO_END, Stay.End.OPEN);
    }
    moves.forEach((move, count) -> target.moves(by, move, count, before(move)));
  }

  private int before(Move move) {
    return continued == null
        ? movesBefore.getOrDefault(move, 0)
        : continued.moves.getOrDefault(move, 0) + continued.before(move);
  }

  /**
   * Returns where the walk is, for later records at or after {@code sinceMillis}. A later move is
   * at most the ping-pong time before that.
   *
   * @param isAtEnd true if no record was left out. Such a record may belong to the visit, or follow
   *     it
   */
  Track track(long sinceMillis, boolean isAtEnd) {
    if (isAtEnd && place != null && lastMillis + absenceMillis < sinceMillis) {
      place = null;
      lastStay = null;
    }
    Map<Move, Integer> kept = new HashMap<>(movesBefore);
    moves.forEach((move, count) -> kept.merge(move, count, Integer::sum));
    kept.keySet().removeIf(move -> move.hourMillis() + HOUR_MILLIS <= sinceMillis - pingPongMillis);
    String current = place;
    return new Track(
        current == null ? null : new Visit(current, beginMillis, lastMillis),
        lastStay,
        Map.copyOf(kept));
  }

  private void begin(String here, long timestamp) {
    place = here;
    beginMillis = timestamp;
    lastMillis = timestamp;
    presence(here, timestamp, 1);
  }

  private void leave(String left, long timestamp) {
    presence(left, timestamp, -1);
    LastStay before = lastStay;
    if (isStay(timestamp)) {
      stay(left, timestamp, Stay.End.LEFT);
      lastStay = new LastStay(left, timestamp, 0);
    } else if (before != null) {
      lastStay = new LastStay(before.place(), before.endMillis(), before.via() + 1);
    }
  }

  private void endByAbsence() {
    String ended = place;
    if (ended == null) {
      return;
    }
    presence(ended, lastMillis + absenceMillis, -1);
    if (isStay(lastMillis)) {
      stay(ended, lastMillis, Stay.End.ABSENT);
    }
    place = null;
    lastStay = null;
  }

  private boolean isStay(long endMillis) {
    return endMillis - beginMillis >= minimumStayMillis;
  }

  private void presence(String at, long atMillis, int devices) {
    if (facts != null) {
      facts.presence(by, at, atMillis, devices);
    }
  }

  private void stay(String at, long endMillis, Stay.End end) {
    if (facts == null) {
      return;
    }
    facts.stay(new Stay(by, at, beginMillis, endMillis, end));
    LastStay before = lastStay;
    if (before != null) {
      long left = before.endMillis();
      long reached = beginMillis;
      facts.trip(new Trip(by, before.place(), at, left, reached, before.via()));
    }
  }

  /** Returns the start of the hour. */
  static long hour(long millis) {
    return Math.floorDiv(millis, HOUR_MILLIS) * HOUR_MILLIS;
  }

  /** Finds where a person is back. */
  private final class Returns {
    private final List<TimelineRecord> records;
    private final int from;

    /** For each record from {@code from} on, the next one at the same place. */
    private int @Nullable [] nextSame;

    private final Map<String, Integer> first = new HashMap<>();

    Returns(List<TimelineRecord> records, int from) {
      this.records = records;
      this.from = from;
    }

    /**
     * Returns the first record after {@code index} at the place.
     *
     * @param at the place
     * @param index the record that left it
     * @param before the last record there before, if it is among these
     * @param untilMillis the latest timestamp of the record
     * @return its index; NONE if there is none
     */
    int find(String at, int index, int before, long untilMillis) {
      int quick = Math.min(records.size(), index + 1 + QUICK_LOOK);
      for (int i = index + 1; i < quick; i++) {
        TimelineRecord record = records.get(i);
        if (record.timestampMillis() > untilMillis) {
          return NONE;
        }
        if (at.equals(record.place(by))) {
          return i;
        }
      }
      if (quick == records.size()) {
        return NONE;
      }
      int[] next = nextSame == null ? indexed() : nextSame;
      int back = before < from ? first.getOrDefault(at, NONE) : next[before - from];
      return back != NONE && records.get(back).timestampMillis() <= untilMillis ? back : NONE;
    }

    private int[] indexed() {
      int[] next = new int[records.size() - from];
      for (int i = records.size() - 1; i >= from; i--) {
        String at = records.get(i).place(by);
        Integer later = at == null ? null : first.put(at, i);
        next[i - from] = later == null ? NONE : later;
      }
      nextSame = next;
      return next;
    }
  }
}
