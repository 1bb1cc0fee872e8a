package io.lastfix.catalogs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.Position;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MccBoxesTest {
  @ParameterizedTest
  @CsvSource({
    "262, 13.4, 52.5, Berlin",
    "310, -122.4, 37.8, San Francisco",
    "311, 144.8, 13.5, Guam",
    "250, 37.6, 55.8, Moscow",
    "250, -169.5, 66, a cape beyond the 180th meridian",
    "542, 179.9, -16.7, Fiji this side of it",
    "542, -179.9, -16.7, and beyond",
    "208, 2.35, 48.9, Paris",
    "647, 55.5, -21.1, Reunion",
    "214, -15.4, 28.1, Canary Islands",
    "525, 103.8, 1.35, Singapore",
    "266, -5.35, 36.1, Gibraltar",
    "221, 21.2, 42.7, Kosovo",
  })
  void aCodeIsHeardInItsCountryAndItsIslands(int mcc, double lon, double lat, String place) {
    assertThat(MccBoxes.contain(mcc, new Position(lon, lat))).as(place).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "262, 52.5, 13.4",
    "262, 2.35, 48.9",
    "310, 13.4, 52.5",
    "250, 55.8, 37.6",
    "525, 1.35, 80",
  })
  void noCodeIsHeardInAFarCountry(int mcc, double lon, double lat) {
    assertThat(MccBoxes.contain(mcc, new Position(lon, lat))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 901, 999})
  void theCodesOfNoCountryHaveNoBoxes(int mcc) {
    assertThat(MccBoxes.areKnown(mcc)).isFalse();
  }

  @Test
  void germanyHasOne() {
    assertThat(MccBoxes.areKnown(262)).isTrue();
  }
}
