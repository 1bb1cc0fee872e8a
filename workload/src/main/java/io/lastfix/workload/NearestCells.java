package io.lastfix.workload;

import io.lastfix.model.Position;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Finds the cells nearest to a position, among those of a country: it walks from the position's
 * latitude to the north and the south until no cell there can be nearer. On the unit sphere a
 * difference of latitude is never longer than the way, so neither the poles nor the date line are
 * special cases.
 *
 * <p>Immutable. A position is identified by its index in the list.
 */
final class NearestCells {
  private static final Comparator<Found> FARTHEST_FIRST =
      Comparator.comparingDouble(Found::squaredDistance).thenComparingInt(Found::index).reversed();

  private static final Comparator<Point> SOUTH_FIRST = Comparator.comparingDouble(Point::z);

  /** From south to north. */
  private final List<Point> points;

  /** A position as a point of the unit sphere. */
  private record Point(int index, double x, double y, double z) {}

  private record Found(int index, double squaredDistance) {}

  /**
   * Sorts the positions.
   *
   * @throws IllegalArgumentException if there is none
   */
  NearestCells(List<Position> positions) {
    if (positions.isEmpty()) {
      throw new IllegalArgumentException("cells: expected at least one");
    }
    points =
        IntStream.range(0, positions.size())
            .mapToObj(i -> point(i, positions.get(i)))
            .sorted(SOUTH_FIRST)
            .toList();
  }

  /**
   * The indexes of the {@code count} nearest positions, or of all if there are fewer; nearest
   * first, and of several with the same distance, the smallest index.
   */
  int[] nearest(Position place, int count) {
    Point from = point(-1, place);
    PriorityQueue<Found> found = new PriorityQueue<>(FARTHEST_FIRST);
    int atLatitude = Collections.binarySearch(points, from, SOUTH_FIRST);
    int north = atLatitude < 0 ? -atLatitude - 1 : atLatitude;
    int south = north - 1;
    while (north < points.size() || south >= 0) {
      double toNorth =
          north < points.size() ? points.get(north).z() - from.z() : Double.POSITIVE_INFINITY;
      double toSouth = south >= 0 ? from.z() - points.get(south).z() : Double.POSITIVE_INFINITY;
      double least = Math.min(toNorth, toSouth);
      if (found.size() == count && least * least > found.element().squaredDistance()) {
        break;
      }
      Point next = points.get(toNorth < toSouth ? north++ : south--);
      Found candidate = new Found(next.index(), squaredDistance(from, next));
      if (found.size() < count) {
        found.add(candidate);
      } else if (FARTHEST_FIRST.compare(candidate, found.element()) > 0) {
        found.remove();
        found.add(candidate);
      }
    }
    int[] nearest = new int[found.size()];
    for (int i = nearest.length - 1; i >= 0; i--) {
      nearest[i] = found.remove().index();
    }
    return nearest;
  }

  private static Point point(int index, Position position) {
    double lon = Math.toRadians(position.lon());
    double lat = Math.toRadians(position.lat());
    return new Point(
        index,
        StrictMath.cos(lat) * StrictMath.cos(lon),
        StrictMath.cos(lat) * StrictMath.sin(lon),
        StrictMath.sin(lat));
  }

  private static double squaredDistance(Point a, Point b) {
    double x = a.x() - b.x();
    double y = a.y() - b.y();
    double z = a.z() - b.z();
    return x * x + y * y + z * z;
  }
}
