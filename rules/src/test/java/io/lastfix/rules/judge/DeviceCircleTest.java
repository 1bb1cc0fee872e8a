package io.lastfix.rules.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lastfix.model.LocatedRecord;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.fence.FenceShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceCircleTest {
  private static final FenceShape FENCE =
      new FenceShape(new Fence(TestBook.DEPOT, new Fence.Circle(TestBook.CENTER, 500)));

  private static DeviceCircle circle(double metersEast, double radiusMeters) {
    return new DeviceCircle(TestRecord.at(0, metersEast).build().position(), radiusMeters);
  }

  @Test
  void theRadiusIsTheAccuracy_AndOfACellItsRangeOrThatOfTheOptions() {
    assertThat(radiusMeters(TestRecord.at(0, 0).accuracy(12.5).build())).isEqualTo(12.5);
    assertThat(radiusMeters(TestRecord.at(0, 0).build())).isZero();
    assertThat(radiusMeters(TestRecord.at(0, 0).ofCell(2_500))).isEqualTo(2_500);
    assertThat(radiusMeters(TestRecord.at(0, 0).ofCell())).isEqualTo(100);
  }

  private static double radiusMeters(LocatedRecord record) {
    return DeviceCircle.of(record, DeviceRun.OPTIONS).radiusMeters();
  }

  @ParameterizedTest
  @CsvSource({
    "499, 0, 0, 0.5, INSIDE",
    "501, 0, 0, 0.5, OUTSIDE",
    "501, 0, 0, 1.0, OUTSIDE",
    "599, 0, 100, 0.5, BETWEEN",
    "601, 0, 100, 0.5, OUTSIDE",
    "399, 100, 0, 1.0, INSIDE",
    "450, 100, 0, 0.7, INSIDE",
    "450, 100, 0, 0.9, BETWEEN",
    "550, 100, 0, 0.7, OUTSIDE",
    "550, 100, 0, 0.9, BETWEEN",
    "550, 100, 100, 0.7, BETWEEN",
    "601, 100, 100, 1.0, OUTSIDE",
    // The fence is a quarter of the circle at most.
    "0, 1000, 0, 0.5, BETWEEN",
    "900, 1000, 0, 0.5, OUTSIDE"
  })
  void theSideNeedsTheMarginAndTheCertainty(
      double metersEast, double radius, double margin, double certainty, Side side) {
    assertThat(circle(metersEast, radius).side(FENCE, margin, certainty)).isEqualTo(side);
  }

  @Test
  void theShareOfAPointIsAllOrNothing() {
    assertThat(circle(499, 0).share(FENCE)).isEqualTo(1);
    assertThat(circle(501, 0).share(FENCE)).isZero();
    assertThat(circle(0, 1_000).share(FENCE)).isCloseTo(0.25, within(0.02));
  }
}
