package io.lastfix.parse.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lastfix.model.Position;
import io.lastfix.parse.shape.Shape.Arc;
import io.lastfix.parse.shape.Shape.Circle;
import io.lastfix.parse.shape.Shape.Ellipse;
import io.lastfix.parse.shape.Shape.Points;
import io.lastfix.parse.shape.Shape.Polygon;
import io.lastfix.parse.shape.Shape.Several;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.sf.geographiclib.Geodesic;
import net.sf.geographiclib.GeodesicData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares centre and radius with points sampled all over the shape: the centre with their mean,
 * the radius with the distance of the farthest. Both take GeographicLib's direct problem only.
 */
class CoveringCircleTest {
  private static final List<Position> PLACES =
      List.of(
          new Position(-0.12, 51.5),
          new Position(179.9999, -17),
          new Position(-180, 65),
          new Position(12, 89.9),
          new Position(100, -89.9999),
          new Position(0.001, 0.001));

  static Stream<Arguments> shapes() {
    return PLACES.stream()
        .flatMap(
            place ->
                Stream.of(
                    arguments("circle", new Circle(place, 240)),
                    arguments("ellipse", new Ellipse(place, 3_900, 2_100, 21)),
                    arguments("narrow arc", new Arc(place, 500, 1_000, 350, 30)),
                    arguments("sector", new Arc(place, 0, 5_000, 20, 60)),
                    arguments("wide arc", new Arc(place, 500, 1_000, 100, 250)),
                    arguments("half ring", new Arc(place, 900, 1_000, 0, 180)),
                    arguments("whole ring", new Arc(place, 900, 1_000, 0, 360)),
                    arguments("triangle", polygon(place, 0, 5_000, 100, 3_000, 200, 9_000)),
                    arguments("quadrangle", polygon(place, 10, 50, 80, 90, 190, 40, 260, 70)),
                    arguments("large", polygon(place, 0, 90_000, 70, 60_000, 200, 80_000))));
  }

  private static Polygon polygon(Position place, double... azimuthsAndMeters) {
    List<Position> corners = new ArrayList<>();
    for (int i = 0; i < azimuthsAndMeters.length; i += 2) {
      corners.add(at(place, azimuthsAndMeters[i], azimuthsAndMeters[i + 1]));
    }
    return new Polygon(corners, List.of());
  }

  private static Position at(Position from, double azimuth, double meters) {
    GeodesicData end = Geodesic.WGS84.Direct(from.lat(), from.lon(), azimuth, meters);
    return new Position(end.lon2, end.lat2);
  }

  private static double distance(Position a, Position b) {
    return Geodesic.WGS84.Inverse(a.lat(), a.lon(), b.lat(), b.lon()).s12;
  }

  /** Points on the outline of a shape; the distance from a centre has its maximum there. */
  private static List<Position> outline(Shape shape) {
    List<Position> points = new ArrayList<>();
    for (int i = 0; i <= 2_000; i++) {
      double part = i / 2_000.0;
      if (shape instanceof Circle circle) {
        points.add(at(circle.centre(), 360 * part, circle.radius()));
      } else if (shape instanceof Ellipse ellipse) {
        double direction = Math.toRadians(360 * part);
        double a = ellipse.semiMajor();
        double b = ellipse.semiMinor();
        double radius = a * b / Math.hypot(b * Math.cos(direction), a * Math.sin(direction));
        points.add(at(ellipse.centre(), ellipse.angle() + 360 * part, radius));
      } else if (shape instanceof Arc arc) {
        double azimuth = arc.start() + arc.included() * part;
        points.add(at(arc.centre(), azimuth, arc.innerRadius()));
        points.add(at(arc.centre(), azimuth, arc.outerRadius()));
      } else {
        List<Position> corners = ((Polygon) shape).outer();
        int corner = Math.min((int) (part * corners.size()), corners.size() - 1);
        Position from = corners.get(corner);
        Position to = corners.get((corner + 1) % corners.size());
        GeodesicData edge = Geodesic.WGS84.Inverse(from.lat(), from.lon(), to.lat(), to.lon());
        points.add(at(from, edge.azi1, edge.s12 * (part * corners.size() - corner)));
      }
    }
    return points;
  }

  /** The centroid of a shape around a place, as the mean of what small areas of it there are. */
  private static Position centroid(Shape shape) {
    double east = 0;
    double north = 0;
    double weights = 0;
    Position origin = shape instanceof Arc arc ? arc.centre() : ((Polygon) shape).outer().get(0);
    List<double[]> triangles = new ArrayList<>();
    if (shape instanceof Arc arc) {
      for (int i = 0; i < 500; i++) {
        for (int j = 0; j < 500; j++) {
          double angle = Math.toRadians(arc.start() + arc.included() * (i + 0.5) / 500);
          double r = arc.innerRadius() + (arc.outerRadius() - arc.innerRadius()) * (j + 0.5) / 500;
          triangles.add(new double[] {r, r * Math.sin(angle), r * Math.cos(angle)});
        }
      }
    } else {
      // Triangles from the first corner, each with its own centroid.
      List<double[]> corners = new ArrayList<>();
      for (Position corner : ((Polygon) shape).outer()) {
        GeodesicData line =
            Geodesic.WGS84.Inverse(origin.lat(), origin.lon(), corner.lat(), corner.lon());
        double azimuth = Math.toRadians(line.azi1);
        corners.add(new double[] {line.s12 * Math.sin(azimuth), line.s12 * Math.cos(azimuth)});
      }
      for (int i = 1; i + 1 < corners.size(); i++) {
        double[] a = corners.get(i);
        double[] b = corners.get(i + 1);
        double area = a[0] * b[1] - b[0] * a[1];
        triangles.add(new double[] {area, (a[0] + b[0]) / 3, (a[1] + b[1]) / 3});
      }
    }
    for (double[] triangle : triangles) {
      weights += triangle[0];
      east += triangle[0] * triangle[1];
      north += triangle[0] * triangle[2];
    }
    double azimuth = Math.toDegrees(Math.atan2(east / weights, north / weights));
    return at(origin, azimuth, Math.hypot(east, north) / Math.abs(weights));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("shapes")
  void theRadiusIsThatOfSampledPointsWithinAThousandth(String name, Shape shape)
      throws InvalidShapeException {
    CoveringCircle circle = CoveringCircle.of(shape);
    double farthest =
        outline(shape).stream()
            .mapToDouble(point -> distance(circle.centre(), point))
            .max()
            .orElseThrow();
    assertThat(circle.radiusMeters()).isCloseTo(farthest, within(farthest / 1_000));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("shapes")
  void theCentreIsTheCentroid(String name, Shape shape) throws InvalidShapeException {
    CoveringCircle circle = CoveringCircle.of(shape);
    Position centre =
        shape instanceof Circle c
            ? c.centre()
            : shape instanceof Ellipse e ? e.centre() : centroid(shape);
    assertThat(distance(circle.centre(), centre)).isLessThan(0.02 + circle.radiusMeters() / 1_000);
  }

  @Test
  void severalShapesAreCoveredAllTogether() throws InvalidShapeException {
    Position place = new Position(179.99, 10);
    Shape near = new Circle(place, 100);
    Shape far = new Circle(at(place, 90, 5_000), 200);
    CoveringCircle circle = CoveringCircle.of(new Several(List.of(near, far)));
    // Weighted by area: 1 to 4.
    assertThat(distance(circle.centre(), at(place, 90, 4_000))).isLessThan(0.02);
    assertThat(circle.radiusMeters()).isCloseTo(4_100, within(0.1));

    CoveringCircle points =
        CoveringCircle.of(
            new Several(
                List.of(new Points(List.of(place)), new Points(List.of(at(place, 90, 1_000))))));
    assertThat(points.radiusMeters()).isCloseTo(500, within(0.1));
  }

  @Test
  void aHoleMovesTheCentreButNotTheCorners() throws InvalidShapeException {
    Position place = new Position(7, 47);
    Polygon outer = polygon(place, 45, 1_000, 135, 1_000, 225, 1_000, 315, 1_000);
    List<Position> hole = polygon(at(place, 90, 400), 0, 200, 120, 200, 240, 200).outer();
    CoveringCircle circle = CoveringCircle.of(new Polygon(outer.outer(), List.of(hole)));
    assertThat(circle.centre().lon()).isLessThan(7);
    assertThat(circle.radiusMeters()).isGreaterThan(1_000);
  }

  @Test
  void aPolygonWithoutAreaHasItsCornersMean() throws InvalidShapeException {
    Position place = new Position(7, 47);
    Polygon bowTie = polygon(place, 45, 1_000, 225, 1_000, 135, 1_000, 315, 1_000);
    CoveringCircle circle = CoveringCircle.of(bowTie);
    assertThat(distance(circle.centre(), place)).isLessThan(1);
    assertThat(circle.radiusMeters()).isCloseTo(1_000, within(1.0));
    Polygon point = new Polygon(List.of(place, place, place), List.of());
    assertThat(CoveringCircle.of(point)).isEqualTo(new CoveringCircle(place, 0));
  }

  @Test
  void aRingAlongOneLineHasItsCornersMean() throws InvalidShapeException {
    Polygon line =
        new Polygon(
            List.of(
                new Position(13.4, 51.50), new Position(13.4, 51.51), new Position(13.4, 51.53)),
            List.of());
    CoveringCircle circle = CoveringCircle.of(line);
    assertThat(circle.centre().lat()).isCloseTo(51.5133333, within(2e-6));
    assertThat(circle.centre().lon()).isEqualTo(13.4);
    // Nor does the noise weigh anything beside a point.
    CoveringCircle both =
        CoveringCircle.of(
            new Several(List.of(line, new Points(List.of(new Position(13.4, 51.5))))));
    assertThat(both.centre().lat()).isCloseTo(51.5066667, within(2e-6));
  }

  @Test
  void aComputedCentreHasOneNameOnTheAntimeridianAndAtAPole() throws InvalidShapeException {
    Position dateline = new Position(-180, 10);
    Points pair = new Points(List.of(new Position(179.99, 10), new Position(-179.99, 10)));
    assertThat(CoveringCircle.of(pair).centre().lon()).isEqualTo(180);
    assertThat(CoveringCircle.of(new Points(List.of(dateline, dateline))).centre().lon())
        .isEqualTo(180);
    Points pole = new Points(List.of(new Position(50, 90), new Position(70, 90)));
    assertThat(CoveringCircle.of(pole).centre()).isEqualTo(new Position(0, 90));
  }

  @Test
  void aShapeThatReachesTooFarIsRefused() {
    Position place = new Position(7, 47);
    for (Shape shape :
        List.of(
            polygon(place, 0, 2_000_000, 120, 2_000_000, 240, 2_000_000),
            polygon(place, 0, 9_000_000, 120, 9_000_000, 240, 9_000_000),
            new Points(List.of(new Position(0, 0), new Position(180, 0))),
            new Points(List.of(new Position(0, 90), new Position(0, -90))),
            new Several(
                List.of(new Circle(place, 900_000), new Circle(at(place, 0, 500_000), 900_000))))) {
      assertThatThrownBy(() -> CoveringCircle.of(shape))
          .isInstanceOf(InvalidShapeException.class)
          .hasMessage("expected a shape within 1000 km of its centre");
    }
  }

  @Test
  void anAccuracyFor68PercentIs162HundredthsOfItFor95() {
    assertThat(Confidence.radiusOf95(100, 68)).isCloseTo(162, within(0.2));
    assertThat(Confidence.radiusOf95(100, 39.347)).isCloseTo(244.8, within(0.1));
    assertThat(Confidence.radiusOf95(4.6, 95)).isEqualTo(4.6);
    assertThat(Confidence.radiusOf95(100, 99)).isCloseTo(80.7, within(0.1));
    assertThat(Confidence.radiusOf95(100, 99.9999)).isCloseTo(46.6, within(0.1));
    assertThat(Confidence.radiusOf95(4.6, 100)).isEqualTo(4.6);
  }
}
