package io.lastfix.analytics.timeline;

import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2LatLng;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.store.history.HistoryId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Density, flows, stays and trips as docs/ask/definitions.md defines them, in the plainest way: it
 * looks at all records as often as it likes. Everything is text, so that nothing of the code under
 * test is needed to compare.
 */
public final class BruteForce {
  private static final long HOUR = 3_600_000;
  private static final long WINDOW = 10_000;
  private static final int LEVEL = 13;

  /** {@code by place window} to devices at the window's end, where that differs from before. */
  public final Map<String, Integer> density = new TreeMap<>();

  /** {@code by from to hour} to {@code moves/devices}. */
  public final Map<String, String> flows = new TreeMap<>();

  /** {@code user by begin place end LEFT|ABSENT}. */
  public final Set<String> stays = new TreeSet<>();

  /** {@code user by begin from to end via}. */
  public final Set<String> trips = new TreeSet<>();

  private final List<Visit> visits = new ArrayList<>();

  private record Visit(String by, String place, long begin, long end, boolean isLeft, long last) {
    long stayEnd() {
      return isLeft ? end : last;
    }

    boolean isStay(long stay) {
      return stayEnd() - begin >= stay;
    }
  }

  private final long absence;
  private final long pingPong;
  private final long stay;

  /** Computes the numbers of these records, with the default times. */
  public BruteForce(List<LocatedRecord> records) {
    this(records, 30 * 60_000, 120_000, 10 * 60_000);
  }

  /** Computes the numbers of these records. All times are in milliseconds. */
  public BruteForce(List<LocatedRecord> records, long absence, long pingPong, long stay) {
    this.absence = absence;
    this.pingPong = pingPong;
    this.stay = stay;
    Map<String, List<LocatedRecord>> users = new HashMap<>();
    for (LocatedRecord record : records) {
      users.computeIfAbsent(record.user(), user -> new ArrayList<>()).add(record);
    }
    Map<String, Integer> moves = new HashMap<>();
    Map<String, Set<String>> movers = new HashMap<>();
    users.forEach(
        (user, all) -> {
          for (String by : List.of("cell", "area")) {
            List<Visit> found = visits(by, all);
            visits.addAll(found);
            for (int i = 1; i < found.size(); i++) {
              Visit from = found.get(i - 1);
              Visit to = found.get(i);
              if (from.isLeft()) {
                String flow =
                    String.join(" ", by, from.place(), to.place(), "" + to.begin() / HOUR * HOUR);
                moves.merge(flow, 1, Integer::sum);
                movers.computeIfAbsent(flow, key -> new HashSet<>()).add(user);
              }
            }
            staysAndTrips(user, found);
          }
        });
    moves.forEach((flow, count) -> flows.put(flow, count + "/" + movers.get(flow).size()));
    countDensity();
  }

  private void staysAndTrips(String user, List<Visit> found) {
    for (int i = 0; i < found.size(); i++) {
      Visit first = found.get(i);
      if (!first.isStay(stay)) {
        continue;
      }
      stays.add(
          String.join(
              " ",
              user,
              first.by(),
              "" + first.begin(),
              first.place(),
              "" + first.stayEnd(),
              first.isLeft() ? "LEFT" : "ABSENT"));
      int j = i;
      while (j < found.size() && found.get(j).isLeft()) {
        j++;
        Visit next = found.get(j);
        if (next.isStay(stay)) {
          trips.add(
              String.join(
                  " ",
                  user,
                  first.by(),
                  "" + first.stayEnd(),
                  first.place(),
                  next.place(),
                  "" + next.begin(),
                  "" + (j - i - 1)));
          break;
        }
      }
    }
  }

  private List<Visit> visits(String by, List<LocatedRecord> all) {
    List<LocatedRecord> records = new ArrayList<>();
    for (LocatedRecord record : all) {
      if (place(by, record) != null) {
        records.add(record);
      }
    }
    records.sort(
        Comparator.comparingLong(LocatedRecord::timestampMillis)
            .thenComparing(BruteForce::id, Arrays::compareUnsigned));
    // Where each record counts, after the filter.
    String[] at = new String[records.size()];
    for (int i = 0; i < at.length; i++) {
      at[i] = place(by, records.get(i));
    }
    for (int i = 1; i < at.length; i++) {
      String before = at[i - 1];
      long left = records.get(i).timestampMillis();
      if (left - records.get(i - 1).timestampMillis() > absence || at[i].equals(before)) {
        continue;
      }
      for (int j = i + 1; j < at.length; j++) {
        if (records.get(j).timestampMillis() - left <= pingPong && at[j].equals(before)) {
          Arrays.fill(at, i, j, before);
          break;
        }
      }
    }
    List<Visit> found = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i < at.length; i++) {
      long last = records.get(i).timestampMillis();
      boolean isAbsent =
          i + 1 == at.length || records.get(i + 1).timestampMillis() - last > absence;
      if (isAbsent || !at[i + 1].equals(at[i])) {
        found.add(
            new Visit(
                by,
                at[i],
                records.get(begin).timestampMillis(),
                isAbsent ? last + absence : records.get(i + 1).timestampMillis(),
                !isAbsent,
                last));
        begin = i + 1;
      }
    }
    return found;
  }

  private void countDensity() {
    Map<String, List<Visit>> byPlace = new HashMap<>();
    for (Visit visit : visits) {
      byPlace
          .computeIfAbsent(visit.by() + " " + visit.place(), key -> new ArrayList<>())
          .add(visit);
    }
    byPlace.forEach(
        (place, there) -> {
          Set<Long> windows = new TreeSet<>();
          for (Visit visit : there) {
            windows.add(visit.begin() / WINDOW * WINDOW);
            windows.add(visit.end() / WINDOW * WINDOW);
          }
          for (long window : windows) {
            int before = devices(there, window - 1);
            int after = devices(there, window + WINDOW - 1);
            if (before != after) {
              density.put(place + " " + window, after);
            }
          }
        });
  }

  private static int devices(List<Visit> there, long instant) {
    int devices = 0;
    for (Visit visit : there) {
      if (visit.begin() <= instant && instant < visit.end()) {
        devices++;
      }
    }
    return devices;
  }

  private static byte[] id(LocatedRecord record) {
    return HistoryId.of(record.user(), record.timestampMillis(), record.place()).getData();
  }

  private static @Nullable String place(String by, LocatedRecord record) {
    if (by.equals("cell")) {
      return record.cell() == null ? null : record.cell().toString();
    }
    Position position = record.position();
    return position == null
        ? null
        : S2CellId.fromLatLng(S2LatLng.fromDegrees(position.lat(), position.lon()))
            .parent(LEVEL)
            .toToken();
  }
}
