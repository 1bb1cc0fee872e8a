package io.lastfix.analytics.counts;

import static io.lastfix.analytics.counts.TestRecords.T;
import static io.lastfix.analytics.counts.TestRecords.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/**
 * Any order, any repetition and any crash: what is stored in the end is the number of distinct
 * records that were not too late. The oracle counts them by a set.
 *
 * <p>After a crash, a record that was too late before may be in time, as the watermark of the new
 * attempt comes later: then the number is at least that, and at most what History holds.
 */
class CountsPropertyTest {
  private static final long HOUR = 3_600_000;
  private static final Grouping GROUPING =
      new Grouping(List.of(CountBy.TOTAL, CountBy.CELL, CountBy.AREA), 13);

  @Property(tries = 300)
  void storedCountsAreThoseOfTheDistinctRecords(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 150) int size) throws Exception {
    Random random = new Random(seed);
    List<Event> events = events(random, size);
    Set<LocatedRecord> counted = new HashSet<>();
    CountsHarness harness = new CountsHarness(GROUPING);
    CountsHarness.Snapshot snapshot = null;
    int checkpointAt = 0;
    int most = random.nextInt(5);
    int crashes = 0;
    long checkpointId = 0;
    int next = 0;
    while (next < events.size()) {
      switch (random.nextInt(12)) {
        case 0 -> {
          snapshot = harness.checkpoint(++checkpointId);
          checkpointAt = next;
        }
        case 1 -> harness.second();
        case 2 -> {
          if (crashes < most) {
            crashes++;
            harness = harness.restored(snapshot);
            next = checkpointAt;
          }
        }
        default -> {}
      }
      Event event = events.get(next++);
      if (event.record() == null) {
        harness.watermark(event.watermark());
      } else {
        if (event.record().timestampMillis() >= watermarkAt(events, next) - HOUR) {
          counted.add(event.record());
        }
        harness.record(event.record());
      }
    }
    harness.watermark(T + 100 * HOUR);

    Map<WindowCount.Id, Long> found = new HashMap<>();
    harness.stored().forEach((id, count) -> found.put(id, count.n()));
    Map<WindowCount.Id, Long> inTime = numbers(counted);
    if (crashes == 0) {
      assertThat(found).containsExactlyInAnyOrderEntriesOf(inTime);
    } else {
      Map<WindowCount.Id, Long> inHistory =
          numbers(
              events.stream()
                  .map(Event::record)
                  .filter(Objects::nonNull)
                  .collect(Collectors.toSet()));
      assertThat(found).allSatisfy((id, n) -> assertThat(n).isLessThanOrEqualTo(inHistory.get(id)));
      assertThat(inTime).allSatisfy((id, n) -> assertThat(found.get(id)).isGreaterThanOrEqualTo(n));
    }
    assertThat(harness.stored().values())
        .extracting(WindowCount::state)
        .allMatch(state -> state == WindowCount.State.CLOSED);
    assertThat(harness.stateEntries()).isZero();
    harness.close();
  }

  private static Map<WindowCount.Id, Long> numbers(Set<LocatedRecord> records) {
    Map<WindowCount.Id, Long> numbers = new HashMap<>();
    for (LocatedRecord record : records) {
      for (CountBy by : GROUPING.by()) {
        numbers.merge(
            new WindowCount.Id(
                WindowCount.windowOf(record.timestampMillis()),
                by,
                TestRecords.groupOf(GROUPING, record, by)),
            1L,
            Long::sum);
      }
    }
    return numbers;
  }

  /** The watermark that the record before that place meets. */
  private static long watermarkAt(List<Event> events, int end) {
    long watermark = Long.MIN_VALUE + HOUR;
    for (Event event : events.subList(0, end)) {
      if (event.record() == null) {
        watermark = Math.max(watermark, event.watermark());
      }
    }
    return watermark;
  }

  /** A record, or a watermark. */
  private record Event(@Nullable LocatedRecord record, long watermark) {}

  /** Records of three hours, repeated and in disorder, and watermarks that make some too late. */
  private static List<Event> events(Random random, int size) {
    List<Event> events = new ArrayList<>();
    List<LocatedRecord> before = new ArrayList<>();
    long now = T;
    long watermark = Long.MIN_VALUE;
    for (int i = 0; i < size; i++) {
      now += random.nextInt(4) == 0 ? random.nextInt(600_000) : random.nextInt(5_000);
      if (random.nextInt(4) == 0) {
        watermark = Math.max(watermark, now - random.nextInt(60_000));
        events.add(new Event(null, watermark));
      }
      LocatedRecord record;
      if (!before.isEmpty() && random.nextInt(3) == 0) {
        record = before.get(random.nextInt(before.size()));
      } else {
        record =
            record(
                "u" + random.nextInt(4),
                random.nextInt(3),
                random.nextInt(5) == 0
                    ? now - random.nextInt(2 * 3_600_000)
                    : now - random.nextInt(20_000));
      }
      before.add(record);
      events.add(new Event(record, 0));
    }
    return events;
  }
}
