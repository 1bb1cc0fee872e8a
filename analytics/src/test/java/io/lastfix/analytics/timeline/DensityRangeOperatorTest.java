package io.lastfix.analytics.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.serialization.TestBytes;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.WindowState;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

class DensityRangeOperatorTest {
  private static final long FROM = 100_000;
  private static final long TO = 200_000;

  private static List<DensityCount> range(long from, long to, DensityCount... results)
      throws Exception {
    OneInputStreamOperatorTestHarness<DensityCount, DensityCount> harness =
        new OneInputStreamOperatorTestHarness<>(new DensityRangeOperator(from, to));
    try {
      harness.setup(TestBytes.serializer(Types.POJO(DensityCount.class)));
      harness.open();
      for (DensityCount result : results) {
        harness.processElement(result, result.windowMillis());
      }
      harness.endInput();
      return List.copyOf(harness.extractOutputValues());
    } finally {
      harness.close();
    }
  }

  private static List<DensityCount> range(DensityCount... results) throws Exception {
    return range(FROM, TO, results);
  }

  private static DensityCount cell(String place, long window, int devices) {
    return new DensityCount(window, PlaceKind.CELL, place, devices, WindowState.CLOSED);
  }

  @Test
  void theLastNumberBeforeTheRangeIsThatOfItsFirstWindow() throws Exception {
    assertThat(
            range(
                cell("a", 70_000, 3),
                cell("a", 90_000, 20),
                cell("a", 150_000, 21),
                cell("b", 90_000, 5),
                cell("b", 200_000, 6),
                cell("c", 80_000, 7)))
        .containsExactly(
            cell("a", FROM, 20), cell("a", 150_000, 21), cell("b", FROM, 5), cell("c", FROM, 7));
  }

  @Test
  void aResultOfTheFirstWindowNeedsNoAnchor() throws Exception {
    assertThat(range(cell("a", 90_000, 20), cell("a", FROM, 21), cell("b", 190_000, 2)))
        .containsExactly(cell("a", FROM, 21), cell("b", 190_000, 2));
  }

  @Test
  void nobodyNeedsNoAnchor() throws Exception {
    assertThat(
            range(
                cell("a", 80_000, 20),
                cell("a", 90_000, 0),
                new DensityCount(90_000, PlaceKind.CELL, "b", 4, WindowState.DELETED)))
        .isEmpty();
  }

  /** A group that is too small is a number like any other. */
  @Test
  void aWithheldNumberHasAnAnchor() throws Exception {
    assertThat(range(cell("a", 90_000, DensityCount.WITHHELD)))
        .containsExactly(cell("a", FROM, DensityCount.WITHHELD));
  }

  @Test
  void aCellAndAnAreaOfOneNameAreTwoPlaces() throws Exception {
    DensityCount area = new DensityCount(90_000, PlaceKind.AREA, "a", 4, WindowState.CLOSED);

    assertThat(range(cell("a", 90_000, 20), area))
        .containsExactly(
            cell("a", FROM, 20),
            new DensityCount(FROM, PlaceKind.AREA, "a", 4, WindowState.CLOSED));
  }

  @Test
  void anEmptyRangeHasNothing() throws Exception {
    assertThat(range(0, 0, cell("a", 90_000, 20))).isEmpty();
    assertThat(range(FROM, FROM, cell("a", 90_000, 20), cell("a", FROM, 2))).isEmpty();
  }
}
