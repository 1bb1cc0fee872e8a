package io.lastfix.rules.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lastfix.model.Position;
import io.lastfix.rules.text.TextException;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FenceReaderTest {
  private static final String POINT = "{\"type\":\"Point\",\"coordinates\":[-122.388,37.6155]}";
  private static final String RING = "[[1,1],[2,1],[2,2],[1,2],[1,1]]";

  private static TextException failure(String text, @Nullable Double radius) {
    TextException failure =
        catchThrowableOfType(TextException.class, () -> FenceReader.read("a", text, radius));
    assertThat(failure).as(text).isNotNull();
    return failure;
  }

  @Test
  void aPointIsACircle() throws TextException {
    Fence expected = new Fence("sfo", new Fence.Circle(new Position(-122.388, 37.6155), 1500));

    assertThat(FenceReader.read("sfo", POINT, 1500.0)).isEqualTo(expected);
    assertThat(
            FenceReader.read(
                "sfo",
                "{\"type\":\"Feature\",\"properties\":{\"radius\":1500},\"geometry\":%s}"
                    .formatted(POINT),
                null))
        .isEqualTo(expected);
    assertThat(
            FenceReader.read(
                "sfo",
                "{\"type\":\"Feature\",\"properties\":{\"radius\":50},\"geometry\":%s}"
                    .formatted(POINT),
                1500.0))
        .isEqualTo(expected);
  }

  /** So that a command that reads all fences does not wait for it. */
  @Test
  void theGeometryOfAStoredFenceIsNotChecked() throws TextException {
    String crossing = "{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[2,2],[2,1],[1,2],[1,1]]]}";

    Fence fence = FenceReader.readStored("a", crossing, null);

    assertThat(fence.area().positions()).isEqualTo(5);
    assertThatThrownBy(() -> new FenceShape(fence))
        .hasMessageStartingWith("expected rings that neither cross nor share an edge");
    assertThatThrownBy(() -> FenceReader.readStored("a", "{}", null))
        .isInstanceOf(TextException.class);
  }

  /** An island in a lake in an island. */
  @Test
  void aPolygonMayBeInAHoleOfAnother() throws TextException {
    Fence fence =
        FenceReader.read(
            "a",
            """
            {"type": "MultiPolygon", "coordinates": [
              [[[0,0],[9,0],[9,9],[0,9],[0,0]], [[1,1],[8,1],[8,8],[1,8],[1,1]]],
              [[[2,2],[7,2],[7,7],[2,7],[2,2]], [[3,3],[6,3],[6,6],[3,6],[3,3]]]]}""",
            null);

    FenceShape shape = new FenceShape(fence);
    assertThat(shape.contains(new Position(0.5, 5))).isTrue();
    assertThat(shape.contains(new Position(1.5, 5))).isFalse();
    assertThat(shape.contains(new Position(2.5, 5))).isTrue();
    assertThat(shape.contains(new Position(5, 5))).isFalse();
  }

  @Test
  void whatIsWritten_isReadAgain() throws TextException {
    Fence circle = FenceReader.read("a", POINT, 12.5);
    Fence polygon =
        FenceReader.read(
            "b",
            "{\"type\":\"Polygon\",\"coordinates\":[%s,[[1.2,1.2],[1.4,1.2],[1.4,1.4],[1.2,1.2]]]}"
                .formatted(RING),
            null);

    for (Fence fence : List.of(circle, polygon)) {
      assertThat(FenceReader.read(fence.id(), FenceJson.feature(fence).toString(), null))
          .isEqualTo(fence);
    }
  }

  @Test
  void aCollectionOfOneFeatureIsAFence() throws TextException {
    Fence fence =
        FenceReader.read(
            "a",
            """
            {"features": [{"geometry": {"coordinates": [[%s]], "type": "MultiPolygon"},
              "properties": null, "type": "Feature"}], "type": "FeatureCollection"}"""
                .formatted(RING),
            null);

    assertThat(new FenceShape(fence).contains(new Position(1.5, 1.5))).isTrue();
    assertThat(new FenceShape(fence).contains(new Position(2.5, 1.5))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{                                  | 1:2  | expected JSON: Unexpected end-of-input",
        "[] []                              | 1:4  | expected one value of JSON, found two",
        "{\"type\":1}                       | 1:1  | expected a geometry of GeoJSON, found no type",
        "{\"type\":\"LineString\"}          | 1:1  | expected a Polygon, a MultiPolygon or a Point with a radius, found LineString",
        "{\"type\":\"Point\",\"coordinates\":[0,0]} | 1:1 | expected a radius with a Point: --radius, or a property radius",
        "{\"type\":\"FeatureCollection\",\"features\":[]} | 1:1 | expected one feature, found 0",
        "{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[2,\"x\"]]]} | 1:41 | expected a position, which is [longitude, latitude]",
        "{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[200,1]]]} | 1:41 | lon: expected -180 to 180, found 200.0",
        "{\"type\":\"Polygon\",\"coordinates\":[1]} | 1:34 | expected coordinates that are arrays of rings, each an array of positions",
        "{\"type\":\"Polygon\",\"coordinates\":[]} | 1:33 | expected an outline, found no ring",
        "{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[2,1],[2,2],[1,2]]]} | 1:33 | expected each ring to end where it begins, found one that is open",
        "{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[2,1],[1,1]]]} | 1:33 | expected rings of 4 positions or more, found a ring of 3",
        "{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[2,2],[2,1],[1,2],[1,1]]]} | 1:33 | expected rings that neither cross nor share an edge",
        "{\"type\":\"Polygon\",\"coordinates\":[[[0,80],[90,80],[180,80],[-90,80],[0,80]]]} | 1:33 | expected a fence without a pole",
        "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[100,0],[50,50],[0,0]]]} | 1:33 | expected edges of at most 5,000 km",
        "{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[2,1],[2,2],[1,1]],[[5,5],[6,5],[6,6],[5,5]]]} | 1:33 | expected each hole to be in its outline",
        "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[1,1],[9,1],[9,9],[1,1]]],[[[5,4],[6,4],[6,5],[5,4]]]]} | 1:38 | expected polygons that do not contain each other",
        "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[1,1],[4,1],[4,4],[1,1]],[[7,5],[8,5],[8,6],[7,5]]],[[[5,4],[9,4],[9,8],[5,4]]]]} | 1:38 | expected each hole to be in its outline",
        "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[1,1],[2,1],[2,2],[1,1]]],[[[2,1],[3,1],[2,2],[2,1]]]]} | 1:38 | expected rings that neither cross nor share an edge",
        "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[2,0],[0,0]]]} | 1:33 | expected rings with an area of 1 m² or more"
      })
  void whatIsNoFenceIsNamedWithItsPlace(String text, String place, String message) {
    TextException failure = failure(text, null);

    assertThat(failure).hasMessageStartingWith(message);
    assertThat(failure.placed()).startsWith(place + ": ");
  }

  @Test
  void aMemberIsThereOnce() {
    assertThat(failure("{\"type\":\"Point\",\"type\":\"Point\"}", null))
        .hasMessageStartingWith("expected JSON: Duplicate field 'type'");
  }

  @Test
  void thePlaceHasTheLine() {
    assertThat(failure("{\n  \"type\": \"Polygon\",\n  \"coordinates\": {}\n}", null).placed())
        .startsWith("3:18: expected coordinates");
  }

  @Test
  void aRadiusIsThatOfAPointAlone() {
    assertThat(failure("{\"type\":\"Polygon\",\"coordinates\":[%s]}".formatted(RING), 5.0))
        .hasMessage("expected a radius with a Point alone, found Polygon");
    assertThat(failure(POINT, 0.5)).hasMessage("radius: expected 1 m to 1,000 km, found 0.5 m");
    assertThat(failure(POINT, Double.NaN)).hasMessageStartingWith("radius: expected");
    assertThat(failure("{\"type\":\"Point\",\"coordinates\":[0,89]}", 200_000.0))
        .hasMessage("expected a fence without a pole");
  }

  @Test
  void sizesAreBounded() {
    assertThat(failure(" ".repeat(500_001), null))
        .hasMessage("expected at most 500,000 characters, found 500,001");
    assertThat(failure("[".repeat(100_000), null)).hasMessageStartingWith("expected JSON: ");
    String positions = "[1,1],".repeat(5_000);
    assertThat(
            failure(
                "{\"type\":\"Polygon\",\"coordinates\":[[%s[2,1],[2,2],[1,1]]]}"
                    .formatted(positions),
                null))
        .hasMessage("expected at most 5000 positions, found 5003");
  }

  @Test
  void anIdHasItsForm() {
    assertThatThrownBy(() -> FenceReader.read("A b", POINT, 5.0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("id: expected 1 to 64 of a-z, 0-9 and dashes");
  }

  /** Rings of all kinds: on the poles, on the meridian, degenerate and crossing. */
  @Property(tries = 2_000)
  void aRingIsAFence_OrItsFailureHasAPlace(@ForAll("rings") List<List<Integer>> ring) {
    String text = "{\"type\":\"Polygon\",\"coordinates\":[%s]}".formatted(ring);
    try {
      Fence fence = FenceReader.read("a", text, null);
      assertThat(fence.area()).isInstanceOf(Fence.Polygons.class);
    } catch (TextException e) {
      assertThat(e.placed()).startsWith("1:33: expected");
    }
  }

  @Provide
  Arbitrary<List<List<Integer>>> rings() {
    Arbitrary<List<Integer>> position =
        Arbitraries.of(-180, -179, -90, -1, 0, 1, 90, 179, 180)
            .flatMap(
                lon -> Arbitraries.of(-90, -89, -1, 0, 1, 89, 90).map(lat -> List.of(lon, lat)));
    return position
        .list()
        .ofMinSize(3)
        .ofMaxSize(8)
        .map(
            corners -> {
              List<List<Integer>> ring = new ArrayList<>(corners);
              ring.add(corners.get(0));
              return ring;
            });
  }
}
