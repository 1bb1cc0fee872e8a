package io.lastfix.operate.analysis;

import io.lastfix.analytics.timeline.TimelineOptions;
import io.lastfix.jobs.AnalyzeTimes;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.LateQueries;
import io.lastfix.store.query.numbers.LateReach;
import io.lastfix.store.timeline.LateCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which hours with late records are computed again now, and which of them together.
 *
 * <p>While the stream may still rewrite numbers that records of an hour change, the hour waits,
 * because a number of the stream lacks them. But the event time of a replay that has ended stands
 * still. So while event time is behind the clock, such hours are computed, too, and once more when
 * it has passed them. Hours whose records History may not have yet wait in any case.
 *
 * @param parts each for one analysis, the oldest first
 * @param records how many records the analyses add, at most
 * @param waiting how many records wait, at most
 * @param settled the time from which on the stream may still rewrite numbers
 */
record LateHours(List<Part> parts, long records, long waiting, Instant settled) {
  /** Hours that are computed together, and the numbers that lack records of them. */
  record Part(TimeRange hours, List<NumberKind> kinds) {}

  /**
   * Chooses.
   *
   * @param late of each hour and kind of numbers
   * @param stored of records that were left out before that time, History has all
   * @param settled the time from which on the stream may still rewrite numbers
   * @param isBehind whether event time is behind the clock
   * @param now see {@link AnalyzeTimes}
   */
  static LateHours of(
      List<LateQueries.Hour> late,
      Instant stored,
      Instant settled,
      boolean isBehind,
      TimelineOptions timeline,
      Instant now) {
    SortedMap<Instant, List<LateQueries.Hour>> byHour =
        late.stream()
            .collect(
                Collectors.groupingBy(LateQueries.Hour::hour, TreeMap::new, Collectors.toList()));
    List<Part> parts = new ArrayList<>();
    long records = 0;
    long waiting = 0;
    for (List<LateQueries.Hour> kindsOfHour : byHour.values()) {
      Part part = part(kindsOfHour);
      long missing =
          kindsOfHour.stream()
              .filter(it -> !it.isAdded())
              .mapToLong(LateQueries.Hour::records)
              .max()
              .orElse(0);
      boolean isSettled =
          part.kinds().stream()
              .noneMatch(kind -> LateReach.of(kind).effectsOf(part.hours()).to().isAfter(settled));
      boolean isStored =
          kindsOfHour.stream().map(LateQueries.Hour::newest).noneMatch(stored::isBefore);
      if (isStored && (isSettled || (isBehind && missing > 0))) {
        records += missing;
        add(parts, part, timeline, now);
      } else {
        waiting += missing;
      }
    }
    return new LateHours(parts, records, waiting, settled);
  }

  private static Part part(List<LateQueries.Hour> kindsOfHour) {
    Instant hour = kindsOfHour.get(0).hour();
    return new Part(
        new TimeRange(hour, hour.plusMillis(LateCount.HOUR_MILLIS)),
        kindsOfHour.stream().map(LateQueries.Hour::kind).toList());
  }

  /** Two analyses would read the same records twice if these are near each other. */
  private static void add(List<Part> parts, Part next, TimelineOptions timeline, Instant now) {
    if (!parts.isEmpty()) {
      Part last = parts.get(parts.size() - 1);
      Set<NumberKind> kinds = EnumSet.copyOf(last.kinds());
      kinds.addAll(next.kinds());
      if (!records(next.hours(), kinds, timeline, now)
          .from()
          .isAfter(records(last.hours(), kinds, timeline, now).to())) {
        TimeRange both = new TimeRange(last.hours().from(), next.hours().to());
        parts.set(parts.size() - 1, new Part(both, List.copyOf(kinds)));
        return;
      }
    }
    parts.add(next);
  }

  private static TimeRange records(
      TimeRange hours, Set<NumberKind> kinds, TimelineOptions timeline, Instant now) {
    return AnalyzeTimes.ofLateRecords(hours, timeline, now).records(kinds);
  }
}
