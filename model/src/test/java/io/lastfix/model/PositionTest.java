package io.lastfix.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PositionTest {
  @Property
  void degreesWithinTheRangesStayAsTheyAre(
      @ForAll @DoubleRange(min = -180, max = 180) double lon,
      @ForAll @DoubleRange(min = -90, max = 90) double lat) {
    Position position = new Position(lon, lat);

    // Primitive comparison: -0.0 == 0.0.
    assertThat(position.lon() == lon).isTrue();
    assertThat(position.lat() == lat).isTrue();
  }

  @Test
  void equalPositionsHaveEqualBytes() {
    assertThat(new Position(-0.0, -0.0)).isEqualTo(new Position(0.0, 0.0));
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        180.000_000_1,
        -180.000_000_1,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
      })
  void aLongitudeOutOfItsRangeIsRefused(double lon) {
    assertThatThrownBy(() -> new Position(lon, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("lon: expected -180 to 180, found " + lon);
  }

  @ParameterizedTest
  @ValueSource(doubles = {90.000_000_1, -90.000_000_1, Double.NaN, Double.POSITIVE_INFINITY})
  void aLatitudeOutOfItsRangeIsRefused(double lat) {
    assertThatThrownBy(() -> new Position(0, lat))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("lat: expected -90 to 90, found " + lat);
  }

  /** The first is a thousandth of a degree, the last half the equator. */
  @ParameterizedTest
  @CsvSource({
    "0, 51.5, 0, 51.501, 111.195",
    "0.0005, 51.5, -0.0005, 51.5, 69.220",
    "179.9995, 0, -179.9995, 0, 111.195",
    "-122.393744, 37.788097, -122.447556, 37.754407, 6033.66",
    "0, 90, 77, -90, 20015114.4",
    "-90, 0, 90, 0, 20015114.4"
  })
  void theDistanceIsThatOnASphere(
      double lon, double lat, double otherLon, double otherLat, double meters) {
    Position from = new Position(lon, lat);
    Position to = new Position(otherLon, otherLat);

    assertThat(from.metersTo(to)).isCloseTo(meters, within(meters / 10_000));
    assertThat(to.metersTo(from)).isEqualTo(from.metersTo(to));
    assertThat(from.metersTo(from)).isZero();
  }
}
