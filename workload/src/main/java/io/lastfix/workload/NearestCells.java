package io.lastfix.workload;

import io.lastfix.model.Position;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds the cells nearest to a position, among a million and more: a k-d tree over points of the
 * unit sphere. Towers are dense in cities and rare elsewhere, which suits a tree better than a
 * grid. In three dimensions, neither the poles nor the date line are special cases.
 *
 * <p>Immutable. A position is identified by its index in the list.
 */
final class NearestCells {
  private static final int DIMENSIONS = 3;

  /** x, y, z of each position, by index. */
  private final double[] coordinates;

  /**
   * A range is a subtree: its root is in the middle, lesser points before it, the others after it.
   */
  private final int[] tree;

  /** The dimension that the root at that index of the tree divides. */
  private final byte[] dividedBy;

  /**
   * Builds the tree, in O(n log² n).
   *
   * @throws IllegalArgumentException if there is no position
   */
  NearestCells(List<Position> positions) {
    if (positions.isEmpty()) {
      throw new IllegalArgumentException("cells: expected at least one");
    }
    int size = positions.size();
    coordinates = new double[size * DIMENSIONS];
    dividedBy = new byte[size];
    Integer[] order = new Integer[size];
    for (int i = 0; i < size; i++) {
      unitVector(positions.get(i), coordinates, i * DIMENSIONS);
      order[i] = i;
    }
    divide(order, 0, size);
    tree = Arrays.stream(order).mapToInt(Integer::intValue).toArray();
  }

  /** The index of the nearest position; of several with the same distance, the smallest index. */
  int nearest(Position place) {
    return nearest(place, 1)[0];
  }

  /**
   * The indexes of the {@code count} nearest positions, or of all if there are fewer; nearest
   * first.
   */
  int[] nearest(Position place, int count) {
    Search search = new Search(place, Math.min(count, tree.length));
    search.visit(0, tree.length);
    return search.found;
  }

  static void unitVector(Position position, double[] into, int at) {
    double lon = Math.toRadians(position.lon());
    double lat = Math.toRadians(position.lat());
    into[at] = StrictMath.cos(lat) * StrictMath.cos(lon);
    into[at + 1] = StrictMath.cos(lat) * StrictMath.sin(lon);
    into[at + 2] = StrictMath.sin(lat);
  }

  private void divide(Integer[] order, int from, int to) {
    if (to - from < 2) {
      return;
    }
    int middle = (from + to) >>> 1;
    int dimension = widestDimension(order, from, to);
    Arrays.sort(order, from, to, Comparator.comparingDouble(i -> coordinate(i, dimension)));
    dividedBy[middle] = (byte) dimension;
    divide(order, from, middle);
    divide(order, middle + 1, to);
  }

  private int widestDimension(Integer[] order, int from, int to) {
    return IntStream.range(0, DIMENSIONS)
        .boxed()
        .max(Comparator.comparingDouble(dimension -> width(order, from, to, dimension)))
        .orElseThrow();
  }

  private double width(Integer[] order, int from, int to, int dimension) {
    DoubleSummaryStatistics values =
        Arrays.stream(order, from, to)
            .mapToDouble(i -> coordinate(i, dimension))
            .summaryStatistics();
    return values.getMax() - values.getMin();
  }

  private double coordinate(int index, int dimension) {
    return coordinates[index * DIMENSIONS + dimension];
  }

  /** One search: the best results so far, nearest first. */
  private final class Search {
    private final double[] place = new double[DIMENSIONS];
    private final int[] found;
    private final double[] squaredDistances;

    Search(Position position, int count) {
      unitVector(position, place, 0);
      found = new int[count];
      squaredDistances = new double[count];
      Arrays.fill(found, Integer.MAX_VALUE);
      Arrays.fill(squaredDistances, Double.POSITIVE_INFINITY);
    }

    void visit(int from, int to) {
      if (from >= to) {
        return;
      }
      int middle = (from + to) >>> 1;
      consider(tree[middle]);
      double toPlane = place[dividedBy[middle]] - coordinate(tree[middle], dividedBy[middle]);
      boolean isBefore = toPlane < 0;
      visit(isBefore ? from : middle + 1, isBefore ? middle : to);
      if (toPlane * toPlane <= squaredDistances[squaredDistances.length - 1]) {
        visit(isBefore ? middle + 1 : from, isBefore ? to : middle);
      }
    }

    private void consider(int index) {
      double squared = 0;
      for (int i = 0; i < DIMENSIONS; i++) {
        double difference = place[i] - coordinate(index, i);
        squared += difference * difference;
      }
      int rank = found.length;
      while (rank > 0 && isNearer(squared, index, rank - 1)) {
        rank--;
      }
      if (rank < found.length) {
        int moved = found.length - 1 - rank;
        System.arraycopy(found, rank, found, rank + 1, moved);
        System.arraycopy(squaredDistances, rank, squaredDistances, rank + 1, moved);
        found[rank] = index;
        squaredDistances[rank] = squared;
      }
    }

    private boolean isNearer(double squared, int index, int rank) {
      return squared < squaredDistances[rank]
          || (squared == squaredDistances[rank] && index < found[rank]);
    }
  }
}
