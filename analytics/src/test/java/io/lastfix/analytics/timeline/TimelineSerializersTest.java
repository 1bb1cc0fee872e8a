package io.lastfix.analytics.timeline;

import static io.lastfix.serialization.TestBytes.hex;
import static io.lastfix.serialization.TestBytes.roundTrip;
import static io.lastfix.serialization.TestBytes.serializer;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.analytics.timeline.Track.LastStay;
import io.lastfix.analytics.timeline.Track.Move;
import io.lastfix.analytics.timeline.Track.Visit;
import io.lastfix.analytics.timeline.WindowTable.Row;
import io.lastfix.serialization.TestBytes;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.FlowCount;
import io.lastfix.store.timeline.LateCount;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.Stay;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.Trip;
import io.lastfix.store.timeline.TripChange;
import io.lastfix.store.timeline.WindowState;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.Types;
import org.junit.jupiter.api.Test;

/** The layouts of our own. If a line here has to change, raise the version instead. */
class TimelineSerializersTest {
  private static final TimelineRecord RECORD = new TimelineRecord(1_010, 1, 2, "c", null);
  private static final Timeline TIMELINE =
      new Timeline(
          1_000,
          1_600,
          new Track(
              new Visit("c", 900, 950),
              new LastStay("d", 800, 3),
              Map.of(new Move(7_200_000, "d", "c"), 2)),
          1,
          Track.EMPTY,
          0,
          List.of(RECORD, new TimelineRecord(1_015, -1, -2, "c", "s")));
  private static final String TIMELINE_HEX =
      "03"
          + "0163"
          + "0164"
          + "0173"
          + "d00f"
          + "b009"
          + "01"
          + "01"
          + "c701"
          + "64"
          + "02"
          + "8f03"
          + "03"
          + "01"
          + "04"
          + "02"
          + "01"
          + "02"
          + "00"
          + "00"
          + "00"
          + "00"
          + "02"
          + "14"
          + "0000000000000001"
          + "00000002"
          + "01"
          + "00"
          + "0a"
          + "ffffffffffffffff"
          + "fffffffe"
          + "01"
          + "03";
  private static final WindowTable TABLE =
      new WindowTable(
          50_000,
          new WindowSum(2, 2),
          List.of(
              new Row(40_000, new WindowSum(-1, -1), new WindowSum(1, 1), WindowState.CLOSED),
              new Row(60_000, new WindowSum(1, 1), WindowSum.ZERO, null)));
  private static final String TABLE_HEX =
      "a08d06" + "0404" + "02" + "9f9c01" + "0101" + "02" + "0202" + "c0b802" + "0202" + "00";

  @Test
  void theStateOfAPerson() throws Exception {
    assertThat(hex(new TimelineSerializer(), TIMELINE)).isEqualTo(TIMELINE_HEX);
    assertThat(roundTrip(new TimelineSerializer(), TIMELINE)).isEqualTo(TIMELINE);
    assertThat(roundTrip(new TimelineSerializer(), Timeline.EMPTY)).isEqualTo(Timeline.EMPTY);
    for (TimelineRecord record : TIMELINE.records()) {
      check(TimelineRecord.class, record);
    }
  }

  @Test
  void theStateOfWindows() throws Exception {
    assertThat(hex(new WindowTableSerializer(), TABLE)).isEqualTo(TABLE_HEX);
    assertThat(roundTrip(new WindowTableSerializer(), TABLE)).isEqualTo(TABLE);
    assertThat(roundTrip(new WindowTableSerializer(), WindowTable.EMPTY))
        .isEqualTo(WindowTable.EMPTY);
    check(WindowSum.class, WindowSum.WITHHELD);
  }

  @Test
  void stateOfVersion1IsRead() throws Exception {
    assertThat(TestBytes.read(new TimelineSerializer.Snapshot(), 1, TIMELINE_HEX))
        .isEqualTo(TIMELINE);
    assertThat(TestBytes.read(new WindowTableSerializer.Snapshot(), 1, TABLE_HEX)).isEqualTo(TABLE);
  }

  @Test
  void whatTheFunctionsPutOut() throws Exception {
    check(PlaceChange.class, new PlaceChange(PlaceKind.CELL, "c", 5, -1));
    check(FlowChange.class, new FlowChange(PlaceKind.AREA, "s", "t", 5, -1, 0));
    check(
        StayChange.class,
        new StayChange("u", new Stay(PlaceKind.CELL, "c", 5, 8, Stay.End.LEFT), true));
    check(
        StayChange.class,
        new StayChange("u", new Stay(PlaceKind.CELL, "c", 5, Stay.NO_END, Stay.End.OPEN), false));
    check(
        TripChange.class, new TripChange("u", new Trip(PlaceKind.CELL, "c", "d", 5, 8, 3), false));
    check(
        DensityCount.class,
        new DensityCount(5, PlaceKind.CELL, "c", DensityCount.WITHHELD, WindowState.OPEN));
    check(FlowCount.class, new FlowCount(5, PlaceKind.CELL, "c", "d", 4, 3, WindowState.DELETED));
    check(LateCount.class, new LateCount(5, NumberKind.FLOWS, "b", 4, 6));
  }

  private static <T> void check(Class<T> type, T value) throws Exception {
    assertThat(roundTrip(serializer(Types.POJO(type)), value)).isEqualTo(value);
  }

  /** A person with a record a minute in two hours, at five places. */
  @Test
  void aPersonHasLessThan3000BytesOfState() throws Exception {
    List<TimelineRecord> records =
        IntStream.range(0, 120)
            .mapToObj(
                i ->
                    new TimelineRecord(
                        1_795_176_000_000L + i * 60_123L,
                        i * 1_234_567_890_123_456_789L,
                        i,
                        "310-410-12345-2091136" + i / 24,
                        "808f7f" + i / 24))
            .toList();
    Timeline timeline = Timeline.EMPTY.with(records).at(1_795_183_200_000L);

    assertThat(TestBytes.bytes(new TimelineSerializer(), timeline)).hasSizeLessThan(3_000);
  }
}
