package io.lastfix.rules.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lastfix.model.Position;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The index against a brute force with a geometry that shares nothing with it: circles by the
 * haversine formula, polygons in the gnomonic projection, in which shortest lines are straight.
 */
class FenceIndexTest {
  private static final double BORDER_METERS = 0.01;

  /** A fence, and its own answer. */
  private interface Drawn {
    Fence fence();

    /** Signed: how far inside in metres, about; negative: outside. */
    double depth(Position position);
  }

  private record DrawnCircle(Fence fence, Fence.Circle circle) implements Drawn {
    @Override
    public double depth(Position position) {
      return circle.radiusMeters() - circle.center().metersTo(position);
    }
  }

  /** A star around a centre; the corners are in the plane of the projection, in radii. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record DrawnStar(Fence fence, Projection projection, double[][] corners)
      implements Drawn {
    @Override
    public double depth(Position position) {
      double[] point = projection.project(position);
      if (point == null) {
        return -1e6;
      }
      boolean isInside = false;
      double nearest = Double.MAX_VALUE;
      for (int i = 0; i < corners.length; i++) {
        double[] a = corners[i];
        double[] b = corners[(i + 1) % corners.length];
        if (a[1] > point[1] != b[1] > point[1]
            && point[0] < (b[0] - a[0]) * (point[1] - a[1]) / (b[1] - a[1]) + a[0]) {
          isInside = !isInside;
        }
        nearest = Math.min(nearest, distance(point, a, b));
      }
      return (isInside ? nearest : -nearest) * Position.EARTH_RADIUS_METERS;
    }

    private static double distance(double[] p, double[] a, double[] b) {
      double dx = b[0] - a[0];
      double dy = b[1] - a[1];
      double share = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy);
      double t = Math.max(0, Math.min(1, share));
      return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
    }
  }

  private record DrawnWithHole(
      Fence fence, DrawnStar outline, DrawnStar hole, Position center, double meters)
      implements Drawn {
    @Override
    public double depth(Position position) {
      return Math.min(outline.depth(position), -hole.depth(position));
    }
  }

  /** The plane that touches the sphere at a position. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Projection(double[] center, double[] east, double[] north) {
    static Projection at(Position position) {
      double lon = Math.toRadians(position.lon());
      double lat = Math.toRadians(position.lat());
      return new Projection(
          vector(position),
          new double[] {-Math.sin(lon), Math.cos(lon), 0},
          new double[] {
            -Math.sin(lat) * Math.cos(lon), -Math.sin(lat) * Math.sin(lon), Math.cos(lat)
          });
    }

    private static double[] vector(Position position) {
      double lon = Math.toRadians(position.lon());
      double lat = Math.toRadians(position.lat());
      return new double[] {
        Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)
      };
    }

    private static double dot(double[] a, double[] b) {
      return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }

    /** Null if the position is on the other half. */
    double @Nullable [] project(Position position) {
      double[] point = vector(position);
      double height = dot(point, center);
      return height <= 0.01
          ? null
          : new double[] {dot(point, east) / height, dot(point, north) / height};
    }

    Position position(double x, double y) {
      double[] point = new double[3];
      for (int i = 0; i < point.length; i++) {
        point[i] = center[i] + x * east[i] + y * north[i];
      }
      double length = Math.sqrt(dot(point, point));
      return new Position(
          Math.toDegrees(Math.atan2(point[1], point[0])),
          Math.toDegrees(Math.asin(point[2] / length)));
    }
  }

  /** Also near the 180th meridian and the poles, and many at one place. */
  private static Position center(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Position(random.nextDouble() < 0.5 ? 179.99 : -179.99, random.nextInt(60));
      case 1 -> new Position(random.nextInt(360) - 180, random.nextDouble() < 0.5 ? 85 : -85);
      case 2 -> new Position(-122.4 + random.nextDouble() / 10, 37.7 + random.nextDouble() / 10);
      default -> new Position(random.nextDouble() * 360 - 180, random.nextDouble() * 160 - 80);
    };
  }

  /** From 10 m to 300 km. */
  private static double size(Random random) {
    return 10 * Math.pow(30_000, random.nextDouble());
  }

  private static Drawn draw(String id, Random random) {
    Position center = center(random);
    double meters = size(random);
    if (random.nextBoolean()) {
      Fence.Circle circle = new Fence.Circle(center, meters);
      return new DrawnCircle(new Fence(id, circle), circle);
    }
    return star(id, center, meters, 3 + random.nextInt(10), random);
  }

  private static DrawnStar star(
      String id, Position center, double meters, int count, Random random) {
    Projection projection = Projection.at(center);
    double[][] corners = new double[count][];
    for (int i = 0; i < count; i++) {
      // Of three corners, none may be more than half a turn away from the next.
      double direction = 2 * Math.PI * (i + 0.4 * random.nextDouble()) / count;
      double distance =
          Math.tan(meters / Position.EARTH_RADIUS_METERS) * (0.2 + 0.8 * random.nextDouble());
      corners[i] = new double[] {distance * Math.cos(direction), distance * Math.sin(direction)};
    }
    List<Position> ring = ring(projection, corners, random.nextBoolean());
    return new DrawnStar(
        new Fence(id, new Fence.Polygons(List.of(List.of(ring)))), projection, corners);
  }

  /** GeoJSON of others goes round either way. */
  private static List<Position> ring(
      Projection projection, double[][] corners, boolean isReversed) {
    List<Position> ring = new ArrayList<>();
    for (double[] corner : corners) {
      ring.add(projection.position(corner[0], corner[1]));
    }
    if (isReversed) {
      Collections.reverse(ring);
    }
    ring.add(ring.get(0));
    return ring;
  }

  /**
   * Draws an outline of 33 corners or more, for which S2 has an index, and a hole of half its size.
   */
  private static DrawnWithHole drawWithHole(String id, Random random) {
    Position center = center(random);
    double meters = 100 * Math.pow(3_000, random.nextDouble());
    DrawnStar outline = star(id, center, meters, 33 + random.nextInt(468), random);
    double[][] corners =
        Arrays.stream(outline.corners())
            .map(corner -> new double[] {corner[0] / 2, corner[1] / 2})
            .toArray(double[][]::new);
    List<Position> hole = ring(outline.projection(), corners, random.nextBoolean());
    List<Position> ring = ((Fence.Polygons) outline.fence().area()).list().get(0).get(0);
    Fence fence = new Fence(id, new Fence.Polygons(List.of(List.of(ring, hole))));
    return new DrawnWithHole(
        fence, outline, new DrawnStar(fence, outline.projection(), corners), center, meters);
  }

  private static Position near(Position center, double meters, Random random) {
    double reach = Math.tan(Math.min(1, 1.5 * meters / Position.EARTH_RADIUS_METERS));
    return Projection.at(center)
        .position(reach * (2 * random.nextDouble() - 1), reach * (2 * random.nextDouble() - 1));
  }

  @Property(tries = 300)
  void findsWhatABruteForceFinds(@ForAll long seed) {
    Random random = new Random(seed);
    List<Drawn> drawn = new ArrayList<>();
    int count = random.nextInt(60);
    for (int i = 0; i < count; i++) {
      drawn.add(draw("fence-" + i, random));
    }
    FenceIndex index =
        new FenceIndex(drawn.stream().map(it -> new FenceShape(it.fence())).toList());

    for (int i = 0; i < 200; i++) {
      assertFound(index, drawn, near(center(random), size(random), random), seed);
    }
  }

  private static void assertFound(
      FenceIndex index, List<? extends Drawn> drawn, Position position, long seed) {
    List<String> sure =
        drawn.stream()
            .filter(it -> it.depth(position) > BORDER_METERS)
            .map(it -> it.fence().id())
            .toList();
    List<String> possible =
        drawn.stream()
            .filter(it -> it.depth(position) > -BORDER_METERS)
            .map(it -> it.fence().id())
            .toList();

    assertThat(index.containing(position))
        .as("%s of seed %d", position, seed)
        .extracting(shape -> shape.fence().id())
        .doesNotHaveDuplicates()
        .containsAll(sure)
        .isSubsetOf(possible);
  }

  @Property(tries = 20)
  void findsRingsOfManyCornersWithHolesLikewise(@ForAll long seed) {
    Random random = new Random(seed);
    List<DrawnWithHole> drawn = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      drawn.add(drawWithHole("fence-" + i, random));
    }
    FenceIndex index =
        new FenceIndex(drawn.stream().map(it -> new FenceShape(it.fence())).toList());

    for (DrawnWithHole fence : drawn) {
      for (int i = 0; i < 60; i++) {
        assertFound(index, drawn, near(fence.center(), fence.meters(), random), seed);
      }
    }
  }

  /** Among them the first look-ups, after which S2 may use an index. */
  @Test
  void oneShapeServesSeveralThreads() throws Exception {
    Random random = new Random(1);
    int threads = 4;
    CyclicBarrier together = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (int round = 0; round < 20; round++) {
        DrawnWithHole drawn = drawWithHole("a", random);
        List<Position> positions = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
          positions.add(near(drawn.center(), drawn.meters(), random));
        }
        FenceShape shared = new FenceShape(drawn.fence());
        Callable<List<Double>> task =
            () -> {
              together.await(1, TimeUnit.MINUTES);
              return measured(shared, positions);
            };
        List<Double> expected = measured(new FenceShape(drawn.fence()), positions);
        for (Future<List<Double>> found : pool.invokeAll(Collections.nCopies(threads, task))) {
          assertThat(found.get()).isEqualTo(expected);
        }
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private static List<Double> measured(FenceShape shape, List<Position> positions) {
    return positions.stream()
        .map(position -> shape.contains(position) ? -1 : shape.metersTo(position))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 1_000_000})
  void theSmallestAndTheLargestCircleAreFound(double radius) {
    Position center = new Position(-122.388, 37.6155);
    FenceIndex index =
        new FenceIndex(List.of(new FenceShape(new Fence("a", new Fence.Circle(center, radius)))));

    assertThat(index.containing(center)).hasSize(1);
    assertThat(index.containing(north(center, 0.99 * radius))).hasSize(1);
    assertThat(index.containing(north(center, 1.01 * radius))).isEmpty();
  }

  private static Position north(Position from, double meters) {
    return new Position(
        from.lon(), from.lat() + Math.toDegrees(meters / Position.EARTH_RADIUS_METERS));
  }

  @Test
  void eachPolygonOfAFenceIsFound() {
    FenceIndex index =
        new FenceIndex(
            List.of(
                new FenceShape(
                    new Fence(
                        "a",
                        new Fence.Polygons(
                            List.of(List.of(square(10, 10, 1)), List.of(square(30, 10, 1))))))));

    assertThat(index.containing(new Position(10.5, 10.5))).hasSize(1);
    assertThat(index.containing(new Position(20.5, 10.5))).isEmpty();
    assertThat(index.containing(new Position(30.5, 10.5))).hasSize(1);
  }

  @Test
  void anIndexWithoutFencesFindsNone() {
    assertThat(new FenceIndex(List.of()).containing(new Position(0, 0))).isEmpty();
  }

  @Test
  void manyFencesAtOnePlaceAreAllFound() {
    List<FenceShape> shapes = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      shapes.add(
          new FenceShape(new Fence("f" + i, new Fence.Circle(new Position(179.9999, 10), 50))));
    }
    FenceIndex index = new FenceIndex(shapes);

    assertThat(index.containing(new Position(-179.9999, 10))).hasSize(2_000);
    assertThat(index.containing(new Position(-179.99, 10))).isEmpty();
  }

  @Test
  void aHoleIsOutside() {
    List<Position> outline = square(0, 0, 4);
    FenceShape shape =
        new FenceShape(
            new Fence("a", new Fence.Polygons(List.of(List.of(outline, square(1, 1, 2))))));

    assertThat(shape.contains(new Position(0.5, 0.5))).isTrue();
    assertThat(shape.contains(new Position(2, 2))).isFalse();
    assertThat(shape.metersTo(new Position(0.5, 0.5))).isZero();
    assertThat(shape.metersTo(new Position(1.1, 2))).isCloseTo(11_119, within(20.0));
    assertThat(shape.metersTo(new Position(-0.1, 2))).isCloseTo(11_112, within(20.0));
  }

  private static List<Position> square(double lon, double lat, double size) {
    return List.of(
        new Position(lon, lat),
        new Position(lon + size, lat),
        new Position(lon + size, lat + size),
        new Position(lon, lat + size),
        new Position(lon, lat));
  }

  @Test
  void theShareOfACircleIsThatOfItsArea() {
    Position center = new Position(-122.388, 37.6155);
    FenceShape circle = new FenceShape(new Fence("a", new Fence.Circle(center, 500)));

    assertThat(circle.share(center, 100)).isEqualTo(1);
    assertThat(circle.share(center, 1_000)).isCloseTo(0.25, within(0.02));
    assertThat(circle.share(new Position(-122, 38), 1_000)).isZero();
    assertThat(circle.share(center, 0)).isEqualTo(1);
    assertThat(circle.share(new Position(-122, 38), 0)).isZero();
    // Half of a small circle on the border of a large one.
    FenceShape square =
        new FenceShape(new Fence("b", new Fence.Polygons(List.of(List.of(square(10, 10, 1))))));
    assertThat(square.share(new Position(10, 10.5), 300)).isCloseTo(0.5, within(0.05));
    assertThat(circle.metersTo(new Position(-122.388, 37.6255)))
        .isCloseTo(1_112 - 500, within(1.0));
  }

  @Test
  void theRadiusOfAShareIsThatOfACircleWithSoManyTimesTheArea() {
    FenceShape circle =
        new FenceShape(new Fence("a", new Fence.Circle(new Position(-122.388, 37.6155), 500)));
    FenceShape square =
        new FenceShape(new Fence("b", new Fence.Polygons(List.of(List.of(square(10, 0, 1))))));

    assertThat(circle.radiusMeters(1)).isCloseTo(500, within(0.1));
    assertThat(circle.radiusMeters(0.25)).isCloseTo(1_000, within(0.1));
    // A square of 111.19 km.
    assertThat(square.radiusMeters(1)).isCloseTo(111_190 / Math.sqrt(Math.PI), within(50.0));
  }
}
