package io.lastfix.analytics.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.analytics.timeline.Journeys.Arrival;
import io.lastfix.model.LocatedRecord;
import io.lastfix.serialization.TestBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A timeline says what {@link BruteForce} says, whatever order records arrive in. */
class TimelinePropertyTest {
  private static final TimelineOptions OPTIONS = TimelineOptions.defaults();
  private static final String USER = "user-0";

  @Property(tries = 1000)
  void allRecordsAtOnce(@ForAll long seed) {
    Random random = new Random(seed);
    List<LocatedRecord> records = Journeys.records(random, 1, 1 + random.nextInt(80));
    List<LocatedRecord> shuffled = new ArrayList<>(records);
    Collections.shuffle(shuffled, random);
    List<TimelineRecord> entries =
        new ArrayList<>(shuffled.stream().map(TimelinePropertyTest::entry).toList());
    entries.addAll(entries.subList(0, entries.size() / 2));

    Collected found = new Collected().of(USER);
    Timeline all = Timeline.EMPTY.with(entries).at(Long.MAX_VALUE);
    all.changesSince(Timeline.EMPTY, OPTIONS, found);

    found.assertEqualTo(new BruteForce(records));
    assertThat(all.pruned(OPTIONS).isOver()).isTrue();
  }

  @Property(tries = 1000)
  void oneRecordAfterAnotherWithWatermarksBetween(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<LocatedRecord> records = Journeys.records(random, 1, 1 + random.nextInt(120));
    boolean prunesAlways = random.nextBoolean();
    Collected found = new Collected().of(USER);
    Timeline timeline = Timeline.EMPTY;
    for (Arrival arrival : Journeys.arrivals(random, records, OPTIONS.lateness().toMillis())) {
      LocatedRecord record = arrival.record();
      // As the function: time passes before the record is added.
      Timeline before = timeline.at(arrival.watermark());
      if (record == null) {
        before.changesSince(timeline, OPTIONS, found);
        timeline = before;
      } else {
        assertThat(record.timestampMillis()).isGreaterThanOrEqualTo(before.horizonMillis(OPTIONS));
        Timeline after = before.with(List.of(entry(record)));
        after.changesSince(timeline, OPTIONS, found);
        timeline = after;
      }
      if (prunesAlways || random.nextInt(10) == 0) {
        timeline = timeline.pruned(OPTIONS);
      }
      if (timeline.isOver()) {
        timeline = Timeline.EMPTY;
      } else if (arrival.watermark() != Long.MIN_VALUE && arrival.watermark() != Long.MAX_VALUE) {
        Timeline pruned = timeline.pruned(OPTIONS);
        assertThat(pruned.isOver() || pruned.nextMillis(OPTIONS) > pruned.watermark())
            .as("there is something to wait for")
            .isTrue();
      }
      assertThat(TestBytes.roundTrip(new TimelineSerializer(), timeline)).isEqualTo(timeline);
      timeline = TestBytes.roundTrip(new TimelineSerializer(), timeline);
    }
    found.assertEqualTo(new BruteForce(records));
    assertThat(timeline.pruned(OPTIONS).isOver()).isTrue();
  }

  private static TimelineRecord entry(LocatedRecord record) {
    return Objects.requireNonNull(TimelineRecord.of(record, OPTIONS.areaLevel()));
  }
}
