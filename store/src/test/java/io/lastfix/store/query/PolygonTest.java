package io.lastfix.store.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.Position;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolygonTest {
  private static final String TRIANGLE =
      "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[10.5,0],[0,10],[0,0]]]}";
  private static final Polygon EXPECTED =
      Polygon.ofOutline(
          List.of(
              new Position(0, 0), new Position(10.5, 0), new Position(0, 10), new Position(0, 0)));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "{\"type\":\"Feature\",\"properties\":{\"name\":\"x\"},\"geometry\":%s}",
        "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":%s}]}"
      })
  void aPolygonIsReadByItselfOrInOneFeature(String text) {
    assertThat(Polygon.ofGeoJson(text.formatted(TRIANGLE))).isEqualTo(EXPECTED);
  }

  @Test
  void holesAreReadAndAltitudesLeft() {
    Polygon polygon =
        Polygon.ofGeoJson(
            "{\"type\":\"Polygon\",\"coordinates\":[[[0,0,7],[9,0,7],[0,9,7],[0,0,7]],[[1,1],[2,1],[1,2],[1,1]]]}");

    assertThat(polygon.rings()).hasSize(2);
    assertThat(polygon.rings().get(0)).contains(new Position(9, 0));
    assertThat(polygon.toBson().toJson())
        .isEqualTo(
            "{\"type\": \"Polygon\", \"coordinates\": [[[0.0, 0.0], [9.0, 0.0], [0.0, 9.0], [0.0,"
                + " 0.0]], [[1.0, 1.0], [2.0, 1.0], [1.0, 2.0], [1.0, 1.0]]]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]                                     | expected an outline, found no ring",
        "[[[0,0],[1,1],[0,0]]]                  | expected rings of 4 positions or more, found"
            + " a ring of 3",
        "[[[0,0],[1,0],[0,1],[1,1]]]            | expected each ring to end where it begins, found"
            + " one that is open",
        "[[[0,0],[1,0],[1,0],[0,0]]]            | expected rings of 3 different positions or"
            + " more, found a ring of 2",
        "[[[0,0],[181,0],[0,1],[0,0]]]          | lon: expected -180 to 180, found 181.0",
        "[[[0,0],[1,-91],[0,1],[0,0]]]          | lat: expected -90 to 90, found -91.0",
        "[[[0,0],[\"1\",0],[0,1],[0,0]]]        | expected positions that are [longitude,"
            + " latitude]",
        "[0,0]                                  | expected coordinates that are an array of rings,"
            + " each an array of positions",
        "7                                      | expected coordinates that are an array of rings,"
            + " each an array of positions",
        "[[[0,0],[1,0],[0,1],[0,0]],[]]         | expected rings of 4 positions or more, found"
            + " a ring of 0"
      })
  void coordinatesThatBoundNoAreaAreRefused(String coordinates, String message) {
    assertThatThrownBy(
            () ->
                Polygon.ofGeoJson(
                    "{\"type\":\"Polygon\",\"coordinates\":%s}".formatted(coordinates)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("polygon: " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"type\":\"Point\",\"coordinates\":[1,2]}      | expected a Polygon, or a Feature with"
            + " one, found Point",
        "{}                                              | expected a Polygon, or a Feature with"
            + " one, found no type",
        "{\"type\":\"FeatureCollection\",\"features\":[]} | expected a collection of one"
            + " feature, found a collection of 0"
      })
  void whatIsNoPolygonIsRefused(String text, String message) {
    assertThatThrownBy(() -> Polygon.ofGeoJson(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("polygon: " + message);
  }

  @Test
  void whatIsNoJsonIsRefused() {
    assertThatThrownBy(() -> Polygon.ofGeoJson("<kml/>"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("polygon: expected GeoJSON, found invalid JSON: ");
  }
}
