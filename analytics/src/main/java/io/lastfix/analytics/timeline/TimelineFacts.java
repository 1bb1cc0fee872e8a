package io.lastfix.analytics.timeline;

import io.lastfix.analytics.timeline.Track.Move;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.Stay;
import io.lastfix.store.timeline.Trip;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/** What a timeline says. */
final class TimelineFacts {
  /** Receives what changed. */
  interface Changes {
    void place(PlaceChange change);

    void flow(FlowChange change);

    void stay(Stay stay, boolean isDeleted);

    void trip(Trip trip, boolean isDeleted);
  }

  private record Instant(PlaceKind by, String place, long atMillis) {}

  private record Flow(PlaceKind by, Move move) {}

  private record Count(int moves, int before) {}

  private record Identity(PlaceKind by, long beginMillis) {}

  private final Map<Instant, Integer> presence = new LinkedHashMap<>();
  private final Map<Flow, Count> moves = new LinkedHashMap<>();
  private final Map<Identity, Stay> stays = new LinkedHashMap<>();
  private final Map<Identity, Trip> trips = new LinkedHashMap<>();

  void presence(PlaceKind by, String place, long atMillis, int devices) {
    presence.merge(new Instant(by, place, atMillis), devices, Integer::sum);
  }

  /** Adds moves, and the number of such moves before, which these facts leave out. */
  void moves(PlaceKind by, Move move, int count, int before) {
    moves.put(new Flow(by, move), new Count(count, before));
  }

  void stay(Stay stay) {
    stays.put(new Identity(stay.by(), stay.beginMillis()), stay);
  }

  void trip(Trip trip) {
    trips.put(new Identity(trip.by(), trip.beginMillis()), trip);
  }

  /** Reports what turns earlier facts into these. Both leave out the same moves before. */
  void changesSince(TimelineFacts before, Changes changes) {
    Map<Instant, Integer> differences = new LinkedHashMap<>();
    before.presence.forEach((at, devices) -> differences.put(at, -devices));
    presence.forEach((at, devices) -> differences.merge(at, devices, Integer::sum));
    differences.forEach((at, devices) -> place(at, devices, changes));
    before.moves.forEach(
        (flow, count) -> {
          Count now = moves.get(flow);
          flow(flow, count, now == null ? new Count(0, count.before()) : now, changes);
        });
    moves.forEach(
        (flow, count) -> {
          if (!before.moves.containsKey(flow)) {
            flow(flow, new Count(0, count.before()), count, changes);
          }
        });
    replacements(before.stays, stays, changes::stay);
    replacements(before.trips, trips, changes::trip);
  }

  private static void place(Instant at, int devices, Changes changes) {
    if (devices != 0) {
      changes.place(new PlaceChange(at.by(), at.place(), at.atMillis(), devices));
    }
  }

  private static void flow(Flow flow, Count before, Count now, Changes changes) {
    if (before.moves() != now.moves()) {
      Move move = flow.move();
      changes.flow(
          new FlowChange(
              flow.by(),
              move.from(),
              move.to(),
              move.hourMillis(),
              now.moves() - before.moves(),
              Math.min(now.moves() + now.before(), 1)
                  - Math.min(before.moves() + before.before(), 1)));
    }
  }

  private static <K, V> void replacements(
      Map<K, V> before, Map<K, V> after, BiConsumer<V, Boolean> changed) {
    before.forEach(
        (identity, value) -> {
          if (!after.containsKey(identity)) {
            changed.accept(value, true);
          }
        });
    after.forEach(
        (identity, value) -> {
          if (!Objects.equals(before.get(identity), value)) {
            changed.accept(value, false);
          }
        });
  }
}
