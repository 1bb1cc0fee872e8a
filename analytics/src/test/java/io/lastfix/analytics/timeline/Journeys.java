package io.lastfix.analytics.timeline;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random journeys, and orders to receive them in. */
final class Journeys {
  static final long START = 1_795_176_000_000L;

  /** Gaps at and around each limit. */
  private static final long[] GAPS = {
    0, 0, 1, 5_000, 59_999, 60_000, 60_000, 119_999, 120_000, 120_001, 300_000, 600_000, 1_799_999,
    1_800_000, 1_800_001, 2_400_000
  };

  private Journeys() {}

  /** A record of the set, and the watermark that it arrives at; null: a watermark alone. */
  record Arrival(@Nullable LocatedRecord record, long watermark) {}

  /** Returns distinct records of some users, in an order of time. */
  static List<LocatedRecord> records(Random random, int users, int count) {
    Map<String, LocatedRecord> records = new LinkedHashMap<>();
    int places = 2 + random.nextInt(4);
    for (int user = 0; user < users; user++) {
      long now = START + random.nextInt(3_600_000);
      int place = 0;
      int quick = random.nextInt(10);
      // Some devices send much within the ping-pong time.
      int step = random.nextInt(4) == 0 ? 3_000 : 90_000;
      for (int i = 0; i < count; i++) {
        now += random.nextInt(10) < quick ? random.nextInt(step) : gap(random);
        place = random.nextInt(3) == 0 ? place : random.nextInt(places);
        LocatedRecord record = record(random, "user-" + user, place, now);
        records.put(record.user() + ' ' + record.timestampMillis() + ' ' + record.place(), record);
      }
    }
    List<LocatedRecord> sorted = new ArrayList<>(records.values());
    sorted.sort((a, b) -> Long.compare(a.timestampMillis(), b.timestampMillis()));
    return sorted;
  }

  private static long gap(Random random) {
    return GAPS[random.nextInt(GAPS.length)];
  }

  private static LocatedRecord record(Random random, String user, int place, long millis) {
    // Places 0 and 1 are one area.
    int area = place / 2;
    CellId cell = new CellId(310, 410, 1 + area, place);
    Position position = new Position(-122.4 + 0.05 * area, 37.7);
    return switch (random.nextInt(12)) {
      case 0 -> new LocatedRecord(user, cell, millis, null);
      case 1 ->
          new LocatedRecord(
              user, new Place.AtFix(new Fix(position, PositionSource.GNSS)), millis, null, false);
      default -> new LocatedRecord(user, cell, millis, position);
    };
  }

  /**
   * Returns records in an order that none of them is late in, with watermarks between that a record
   * may be behind by up to {@code latenessMillis}.
   */
  static List<Arrival> arrivals(Random random, List<LocatedRecord> records, long latenessMillis) {
    record Delayed(LocatedRecord record, long at) {}
    List<Delayed> delayed = new ArrayList<>();
    for (LocatedRecord record : records) {
      long delay =
          switch (random.nextInt(5)) {
            case 0 -> latenessMillis;
            case 1 -> random.nextLong(latenessMillis + 1);
            default -> random.nextInt(5_000);
          };
      delayed.add(new Delayed(record, record.timestampMillis() + Math.min(delay, latenessMillis)));
    }
    Collections.shuffle(delayed, random);
    delayed.sort((a, b) -> Long.compare(a.at(), b.at()));
    List<Arrival> arrivals = new ArrayList<>();
    int first = random.nextInt(delayed.size() + 1);
    long watermark = Long.MIN_VALUE;
    for (int i = 0; i < delayed.size(); i++) {
      Delayed next = delayed.get(i);
      if (i >= first && random.nextInt(3) == 0) {
        // At most up to the next arrival, so that no record is too late.
        long before = i == 0 ? START : delayed.get(i - 1).at();
        watermark = Math.max(watermark, before + random.nextLong(next.at() - before + 1));
        arrivals.add(new Arrival(null, watermark));
      }
      arrivals.add(new Arrival(next.record(), watermark));
    }
    arrivals.add(new Arrival(null, Long.MAX_VALUE));
    return arrivals;
  }
}
