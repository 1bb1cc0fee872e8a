package io.lastfix.analytics.timeline;

import io.lastfix.analytics.timeline.Track.Move;
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

  private record Instant(Grouping by, String place, long atMillis) {}

  private record Flow(Grouping by, Move move) {}

  private record Identity(Grouping by, long beginMillis) {}

  private final Map<Instant, Integer> presence = new LinkedHashMap<>();
  private final Map<Flow, Integer> moves = new LinkedHashMap<>();
  private final Map<Identity, Stay> stays = new LinkedHashMap<>();
  private final Map<Identity, Trip> trips = new LinkedHashMap<>();

  void presence(Grouping by, String place, long atMillis, int devices) {
    presence.merge(new Instant(by, place, atMillis), devices, Integer::sum);
  }

  void moves(Grouping by, Move move, int count) {
    moves.merge(new Flow(by, move), count, Integer::sum);
  }

  void stay(Stay stay) {
    stays.put(new Identity(stay.by(), stay.beginMillis()), stay);
  }

  void trip(Trip trip) {
    trips.put(new Identity(trip.by(), trip.beginMillis()), trip);
  }

  /** Reports what turns earlier facts into these. */
  void changesSince(TimelineFacts before, Changes changes) {
    differences(
        before.presence,
        presence,
        (at, devices) ->
            changes.place(
                new PlaceChange(at.by(), at.place(), at.atMillis(), devices[1] - devices[0])));
    differences(
        before.moves,
        moves,
        (flow, count) ->
            changes.flow(
                new FlowChange(
                    flow.by(),
                    flow.move().from(),
                    flow.move().to(),
                    flow.move().hourMillis(),
                    count[1] - count[0],
                    Math.min(count[1], 1) - Math.min(count[0], 1))));
    replacements(before.stays, stays, changes::stay);
    replacements(before.trips, trips, changes::trip);
  }

  private static <K> void differences(
      Map<K, Integer> before, Map<K, Integer> after, BiConsumer<K, int[]> changed) {
    before.forEach(
        (key, count) -> {
          int now = after.getOrDefault(key, 0);
          if (now != count) {
            changed.accept(key, new int[] {count, now});
          }
        });
    after.forEach(
        (key, count) -> {
          if (count != 0 && !before.containsKey(key)) {
            changed.accept(key, new int[] {0, count});
          }
        });
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
