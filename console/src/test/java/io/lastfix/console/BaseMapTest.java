package io.lastfix.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The world that ships with the page, as the build has cut it. */
class BaseMapTest {
  private static JsonNode polygons;

  @BeforeAll
  static void read() throws IOException {
    try (InputStream file = BaseMapTest.class.getResourceAsStream("page/base/world.json")) {
      JsonNode land = new JsonMapper().readTree(file).path("features").path(0).path("geometry");
      assertThat(land.path("type").textValue()).isEqualTo("MultiPolygon");
      polygons = land.path("coordinates");
    }
  }

  @ParameterizedTest(name = "{0} {1}: {2}, {3}")
  @CsvSource({
    "51, 41, false, the Caspian Sea",
    "45, 48, true, north-west of it",
    "60, 42, true, east of it",
    "0, 47, true, France",
    "-100, 40, true, Kansas",
    "-140, 20, false, the Pacific",
    "179.9, 67.5, true, Chukotka",
    "-179.9, 67.5, true, Chukotka across the 180th meridian",
    "-174, 66.5, true, its eastern end",
    "179.9, 60, false, the Bering Sea",
    "-179.9, 60, false, the Bering Sea across the 180th meridian",
    "179.9, -85, true, Antarctica",
    "-179.9, -85, true, Antarctica across the 180th meridian",
    "179.9, -50, false, the Southern Ocean",
    "-179.9, -50, false, the Southern Ocean across the 180th meridian"
  })
  void landIsLandAndWaterIsWater(double lon, double lat, boolean isLand, String where) {
    assertThat(
            StreamSupport.stream(polygons.spliterator(), false)
                .anyMatch(rings -> isIn(rings, lon, lat)))
        .as(where)
        .isEqualTo(isLand);
  }

  @Test
  void everyHoleIsInTheRingThatItIsAHoleOf() {
    int holes = 0;
    for (JsonNode rings : polygons) {
      for (int i = 1; i < rings.size(); i++) {
        JsonNode point = rings.path(i).path(0);
        assertThat(isInRing(rings.path(0), lon(point), lat(point))).isTrue();
        holes++;
      }
    }
    assertThat(holes).isEqualTo(1);
  }

  private static boolean isIn(JsonNode rings, double lon, double lat) {
    if (!isInRing(rings.path(0), lon, lat)) {
      return false;
    }
    for (int i = 1; i < rings.size(); i++) {
      if (isInRing(rings.path(i), lon, lat)) {
        return false;
      }
    }
    return true;
  }

  /** A ray to the east crosses the ring an odd number of times. */
  private static boolean isInRing(JsonNode ring, double lon, double lat) {
    boolean isIn = false;
    for (int i = 1; i < ring.size(); i++) {
      JsonNode a = ring.path(i - 1);
      JsonNode b = ring.path(i);
      if ((lat(a) > lat) != (lat(b) > lat)
          && lon < lon(a) + (lat - lat(a)) / (lat(b) - lat(a)) * (lon(b) - lon(a))) {
        isIn = !isIn;
      }
    }
    return isIn;
  }

  private static double lon(JsonNode point) {
    return point.path(0).asDouble();
  }

  private static double lat(JsonNode point) {
    return point.path(1).asDouble();
  }
}
