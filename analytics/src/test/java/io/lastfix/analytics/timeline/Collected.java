package io.lastfix.analytics.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.timeline.Stay;
import io.lastfix.store.timeline.Trip;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Adds up changes as a store would do, and compares the outcome with {@link BruteForce}. */
final class Collected implements TimelineFacts.Changes {
  private static final long WINDOW = 10_000;

  private String user = "";

  private final Map<String, TreeMap<Long, Integer>> presence = new HashMap<>();
  private final Map<String, int[]> moves = new TreeMap<>();
  private final Map<String, String> stays = new HashMap<>();
  private final Map<String, String> trips = new HashMap<>();

  Collected of(String newUser) {
    user = newUser;
    return this;
  }

  @Override
  public void place(PlaceChange change) {
    presence
        .computeIfAbsent(change.by().text() + " " + change.place(), key -> new TreeMap<>())
        .merge(Math.floorDiv(change.atMillis(), WINDOW) * WINDOW, change.devices(), Integer::sum);
  }

  @Override
  public void flow(FlowChange change) {
    int[] count =
        moves.computeIfAbsent(
            String.join(
                " ", change.by().text(), change.from(), change.to(), "" + change.hourMillis()),
            key -> new int[2]);
    count[0] += change.moves();
    count[1] += change.devices();
  }

  @Override
  public void stay(Stay stay, boolean isDeleted) {
    String identity = String.join(" ", user, stay.by().text(), "" + stay.beginMillis());
    if (isDeleted) {
      assertThat(stays.remove(identity)).as("deleted stay").isNotNull();
    } else {
      stays.put(identity, String.join(" ", stay.place(), "" + stay.endMillis(), "" + stay.end()));
    }
  }

  @Override
  public void trip(Trip trip, boolean isDeleted) {
    String identity = String.join(" ", user, trip.by().text(), "" + trip.beginMillis());
    if (isDeleted) {
      assertThat(trips.remove(identity)).as("deleted trip").isNotNull();
    } else {
      trips.put(
          identity,
          String.join(" ", trip.from(), trip.to(), "" + trip.endMillis(), "" + trip.via()));
    }
  }

  Map<String, Integer> density() {
    Map<String, Integer> density = new TreeMap<>();
    presence.forEach(
        (place, changes) -> {
          int level = 0;
          for (Map.Entry<Long, Integer> change : changes.entrySet()) {
            level += change.getValue();
            if (change.getValue() != 0) {
              density.put(place + " " + change.getKey(), level);
            }
          }
        });
    return density;
  }

  Map<String, String> flows() {
    Map<String, String> flows = new TreeMap<>();
    moves.forEach(
        (flow, count) -> {
          if (count[0] != 0 || count[1] != 0) {
            flows.put(flow, count[0] + "/" + count[1]);
          }
        });
    return flows;
  }

  List<String> stays() {
    return joined(stays);
  }

  List<String> trips() {
    return joined(trips);
  }

  private static List<String> joined(Map<String, String> values) {
    TreeSet<String> lines = new TreeSet<>();
    values.forEach((identity, value) -> lines.add(identity + " " + value));
    return new ArrayList<>(lines);
  }

  void assertEqualTo(BruteForce expected) {
    assertThat(stays()).as("stays").containsExactlyElementsOf(expected.stays);
    assertThat(trips()).as("trips").containsExactlyElementsOf(expected.trips);
    assertThat(flows()).as("flows").isEqualTo(expected.flows);
    assertThat(density()).as("density").isEqualTo(expected.density);
  }
}
