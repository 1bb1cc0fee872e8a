package io.lastfix.analytics.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.Stay;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.Trip;
import io.lastfix.store.timeline.TripChange;
import io.lastfix.store.timeline.WindowState;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimelineFunctionTest {
  private static final long T = 1_795_176_000_000L;
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;

  @Test
  void aPersonIsPresentFromTheFirstRecordAndAbsentHalfAnHourAfterTheLast() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness.watermark(T - 1).record(at("A", T)).record(at("A", T + 5 * MINUTE));

      assertThat(harness.places).containsExactly(come("A", T));
      harness.watermark(T + 35 * MINUTE - 1);
      assertThat(harness.places).hasSize(1);
      harness.watermark(T + 35 * MINUTE);
      assertThat(harness.places).containsExactly(come("A", T), leave("A", T + 35 * MINUTE));
    }
  }

  @Test
  void aReturnWithinTwoMinutesTakesTheMoveBack() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness
          .watermark(T - 1)
          .record(at("A", T))
          .record(at("B", T + MINUTE))
          .record(at("A", T + 3 * MINUTE))
          .watermark(T + 3 * HOUR);

      assertThat(harness.collected.flows()).isEmpty();
      assertThat(harness.storedDensity())
          .containsOnlyKeys(
              "cell " + cell("A") + " " + T, "cell " + cell("A") + " " + (T + 33 * MINUTE));
    }
  }

  @Test
  void aReturnIsFoundBehindManyRecords() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness.watermark(T - 1).record(at("A", T));
      for (int i = 0; i < 50; i++) {
        harness.record(at("B", T + MINUTE + i * 2_000L));
      }
      assertThat(harness.collected.flows()).hasSize(1);
      harness.record(at("A", T + 3 * MINUTE));
      assertThat(harness.collected.flows()).isEmpty();

      for (int i = 0; i < 50; i++) {
        harness.record(at("B", T + 4 * MINUTE + i * 2_000L));
      }
      harness.record(at("A", T + 6 * MINUTE + 1));
      assertThat(harness.collected.flows()).hasSize(2);
    }
  }

  @Test
  void aDeviceIsOneDeviceOfItsHourThoughItsFirstMoveIsFinal() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness
          .watermark(T - 1)
          .record(at("A", T + 50 * MINUTE))
          .record(at("B", T + 55 * MINUTE))
          .record(at("A", T + 57 * MINUTE + 20_000))
          .record(at("B", T + 59 * MINUTE + 30_000));
      assertThat(harness.collected.flows())
          .containsEntry("cell %s %s %d".formatted(cell("A"), cell("B"), T), "2/1");

      // The first moves become final, the last one does not: it waits for a return.
      harness.watermark(T + 2 * HOUR + 30_000).record(at("A", T + HOUR + MINUTE));

      assertThat(harness.collected.flows())
          .containsEntry("cell %s %s %d".formatted(cell("A"), cell("B"), T), "1/1");
    }
  }

  @Test
  void aReturnLaterThanTwoMinutesIsTwoMoves() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness
          .watermark(T - 1)
          .record(at("A", T))
          .record(at("B", T + MINUTE))
          .record(at("A", T + 3 * MINUTE + 1));

      assertThat(harness.collected.flows()).hasSize(2).containsValue("1/1");
    }
  }

  @Test
  void aLateRecordSplitsAStay() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness
          .watermark(T - 1)
          .record(at("A", T))
          .record(at("A", T + 12 * MINUTE))
          .watermark(T + HOUR);
      assertThat(harness.stays)
          .containsExactly(
              stay("A", T, Stay.NO_END, Stay.End.OPEN, false),
              stay("A", T, T + 12 * MINUTE, Stay.End.ABSENT, false));

      harness.record(at("B", T + 6 * MINUTE));

      assertThat(harness.stays.subList(2, 3))
          .containsExactly(stay("A", T, T + 12 * MINUTE, Stay.End.ABSENT, true));
      assertThat(harness.collected.stays()).isEmpty();
    }
  }

  @Test
  void aTripLeadsFromAStayToTheNextOne() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness
          .watermark(T - 1)
          .record(at("A", T))
          .record(at("B", T + 10 * MINUTE))
          .record(at("C", T + 13 * MINUTE))
          .record(at("D", T + 16 * MINUTE))
          .record(at("D", T + 26 * MINUTE));

      assertThat(harness.trips)
          .containsExactly(
              new TripChange(
                  "user",
                  new Trip(
                      PlaceKind.CELL, cell("A"), cell("D"), T + 10 * MINUTE, T + 16 * MINUTE, 2),
                  false));
    }
  }

  @Test
  void aRecordMoreThanAnHourBehindTheWatermarkDoesNotCount() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness.watermark(T + HOUR).record(at("A", T)).watermark(T + HOUR + 1).record(at("B", T));

      assertThat(harness.places).containsExactly(come("A", T), leave("A", T + 30 * MINUTE));
    }
  }

  @Test
  void beforeTheFirstWatermarkItOnlyCollects() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness
          .record(at("A", T + MINUTE))
          .record(at("A", T))
          .restore()
          .record(at("B", T + 9 * MINUTE));
      assertThat(harness.places).isEmpty();

      harness.watermark(T - HOUR);

      assertThat(harness.places)
          .containsExactlyInAnyOrder(
              come("A", T), leave("A", T + 9 * MINUTE), come("B", T + 9 * MINUTE));
    }
  }

  @Test
  void stateEndsWithThePersonsAbsenceAndAnHour() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness.watermark(T - 1).record(at("A", T));
      for (int i = 1; i <= 200; i++) {
        harness.record(at("A", T + i * MINUTE)).watermark(T + i * MINUTE - 1);
        assertThat(harness.timelineTimers()).isEqualTo(1);
      }
      harness.watermark(T + 5 * 24 * HOUR);

      assertThat(harness.stateEntries()).isZero();
      assertThat(harness.timelineTimers()).isZero();
    }
  }

  @Test
  void aRestoredFunctionContinues() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness
          .watermark(T - 1)
          .record(at("A", T))
          .record(at("B", T + 15 * MINUTE))
          .watermark(T + 16 * MINUTE)
          .restore()
          .record(at("B", T + 30 * MINUTE))
          .watermark(T + 10 * MINUTE)
          .watermark(T + 3 * HOUR);

      assertThat(harness.collected.stays())
          .containsExactly(
              "user cell " + T + " " + cell("A") + " " + (T + 15 * MINUTE) + " LEFT",
              "user cell "
                  + (T + 15 * MINUTE)
                  + " "
                  + cell("B")
                  + " "
                  + (T + 30 * MINUTE)
                  + " ABSENT");
      assertThat(harness.collected.trips()).hasSize(1);
    }
  }

  @Test
  void groupsBelowTheMinimumAreWithheld() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(3)) {
      harness.watermark(T - 1);
      for (int user : IntStream.range(0, 3).toArray()) {
        harness.record(
            new LocatedRecord("user-" + user, CellId.parse(cell("A")), T + user * 10_000L, null));
      }
      harness.watermark(T + MINUTE);

      assertThat(harness.densityCounts)
          .containsExactly(
              density("A", T, DensityCount.WITHHELD, WindowState.CLOSED),
              density("A", T + 10_000, DensityCount.WITHHELD, WindowState.CLOSED),
              density("A", T + 20_000, 3, WindowState.CLOSED));
    }
  }

  @Test
  void oneDeviceThatMovesOftenIsWithheldToo() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(2)) {
      harness.watermark(T - 1);
      for (int i = 0; i < 6; i++) {
        harness.record(at(i % 2 == 0 ? "A" : "B", T + i * 3L * MINUTE));
      }
      harness.watermark(T + 20 * MINUTE);

      assertThat(harness.flowCounts)
          .hasSize(2)
          .allSatisfy(flow -> assertThat(flow.isWithheld()).isTrue());
    }
  }

  @Test
  void aWindowIsOpenUntilTheWatermarkPassesItsEndAndRewrittenAfterwards() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness
          .watermark(T - 1)
          .record(at("A", T + 1_000))
          .watermark(T + 5_000)
          .watermark(T + 9_999)
          .record(new LocatedRecord("late", CellId.parse(cell("A")), T + 2_000, null))
          .watermark(T + 20_000);

      assertThat(harness.densityCounts)
          .containsExactly(
              density("A", T, 1, WindowState.OPEN),
              density("A", T, 1, WindowState.CLOSED),
              density("A", T, 2, WindowState.CLOSED));
    }
  }

  @Test
  void aRefutedResultIsDeleted() throws Exception {
    try (TimelineHarness harness = new TimelineHarness(0)) {
      harness
          .watermark(T - 1)
          .record(at("A", T))
          .record(at("B", T + MINUTE))
          .watermark(T + 2 * MINUTE)
          .record(at("A", T + 2 * MINUTE))
          .watermark(T + 3 * MINUTE);

      assertThat(harness.densityCounts)
          .contains(
              density("B", T + MINUTE, 1, WindowState.CLOSED),
              density("B", T + MINUTE, 0, WindowState.DELETED));
      assertThat(harness.storedDensity()).containsOnlyKeys("cell " + cell("A") + " " + T);
      assertThat(harness.storedFlows()).isEmpty();
    }
  }

  private static String cell(String place) {
    return "310-410-1-" + (place.charAt(0) - 'A');
  }

  private static LocatedRecord at(String place, long millis) {
    return new LocatedRecord("user", CellId.parse(cell(place)), millis, null);
  }

  private static PlaceChange come(String place, long millis) {
    return new PlaceChange(PlaceKind.CELL, cell(place), millis, 1);
  }

  private static PlaceChange leave(String place, long millis) {
    return new PlaceChange(PlaceKind.CELL, cell(place), millis, -1);
  }

  private static DensityCount density(String place, long window, int devices, WindowState state) {
    return new DensityCount(window, PlaceKind.CELL, cell(place), devices, state);
  }

  private static StayChange stay(
      String place, long begin, long end, Stay.End how, boolean isDeleted) {
    return new StayChange(
        "user", new Stay(PlaceKind.CELL, cell(place), begin, end, how), isDeleted);
  }
}
