package io.lastfix.console.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lastfix.model.Position;
import io.lastfix.store.query.Polygon;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoxTest {
  @Test
  void containsItsEdges() {
    Box box = new Box(-123, 37, -122, 38);

    assertThat(box.contains(new Position(-123, 37))).isTrue();
    assertThat(box.contains(new Position(-122, 38))).isTrue();
    assertThat(box.contains(new Position(-121.999, 37.5))).isFalse();
    assertThat(box.contains(new Position(-122.5, 36.999))).isFalse();
  }

  @Test
  void mayCrossTheDateLine() {
    Box box = new Box(170, -20, -170, -10);

    assertThat(box.contains(new Position(179, -15))).isTrue();
    assertThat(box.contains(new Position(-179, -15))).isTrue();
    assertThat(box.contains(new Position(0, -15))).isFalse();
    assertThat(box.polygons()).hasSize(1);
  }

  @Test
  void theWorldNeedsSeveralPolygons() {
    List<Polygon> parts = new Box(-180, -90, 180, 90).polygons();

    assertThat(parts).hasSize(3);
    assertThat(parts)
        .allSatisfy(
            part ->
                assertThat(part.rings().get(0))
                    .allSatisfy(at -> assertThat(Math.abs(at.lat())).isLessThan(90)));
  }

  /** The great circle between two corners of a ring must leave no part of the box out. */
  @ParameterizedTest
  @CsvSource({"-180,-80,180,80", "-123,37,-122,38", "0,50,119,60", "0,-60,119,-50", "10,0,20,1"})
  void polygonsCoverTheBox(double west, double south, double east, double north) {
    for (Polygon part : new Box(west, south, east, north).polygons()) {
      List<Position> ring = part.rings().get(0);
      for (int i = 1; i < ring.size(); i++) {
        Position a = ring.get(i - 1);
        Position b = ring.get(i);
        double latitude = middle(a, b);
        boolean isMeridian = a.lon() == b.lon();
        if (!isMeridian) {
          boolean isSouth = Math.abs(a.lat() - south) < Math.abs(a.lat() - north);
          if (isSouth) {
            assertThat(latitude).isLessThanOrEqualTo(south);
          } else {
            assertThat(latitude).isGreaterThanOrEqualTo(north);
          }
          assertThat(latitude).isCloseTo(isSouth ? south : north, within(0.1));
        }
      }
    }
  }

  /** The latitude of the middle of the great circle between two positions of equal latitude. */
  private static double middle(Position a, Position b) {
    double half = Math.toRadians(Math.abs(a.lon() - b.lon()) / 2);
    return Math.toDegrees(Math.atan(Math.tan(Math.toRadians(a.lat())) / Math.cos(half)));
  }
}
