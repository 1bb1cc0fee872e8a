package io.lastfix.rules.fence;

import io.lastfix.model.Position;
import io.lastfix.model.Rings;
import io.lastfix.rules.text.Ids;
import java.util.List;

/**
 * An area with an id.
 *
 * @param id 1 to 64 of a-z, 0-9 and dashes
 */
public record Fence(String id, Area area) {
  /** Checks the id. */
  public Fence {
    var unused = Ids.require(id);
  }

  /** The form of a fence. */
  public sealed interface Area {
    /** Returns how many positions it has: they decide its size in memory. */
    int positions();
  }

  /**
   * All places within a distance.
   *
   * @param radiusMeters {@value #MIN_RADIUS_METERS} to {@value #MAX_RADIUS_METERS}
   */
  public record Circle(Position center, double radiusMeters) implements Area {
    static final double MIN_RADIUS_METERS = 1;
    static final double MAX_RADIUS_METERS = 1_000_000;

    /** Checks the radius. */
    public Circle {
      if (!(radiusMeters >= MIN_RADIUS_METERS && radiusMeters <= MAX_RADIUS_METERS)) {
        throw new IllegalArgumentException(
            "radius: expected 1 m to 1,000 km, found %s m".formatted(radiusMeters));
      }
    }

    @Override
    public int positions() {
      return 1;
    }
  }

  /**
   * Polygons of GeoJSON, one or more. Their edges are the shortest lines between their corners on a
   * sphere, also across the 180th meridian. A ring encloses the smaller of the two parts into which
   * it divides the earth.
   *
   * @param list each an outline and its holes, if any; each ring ends where it begins
   */
  public record Polygons(List<List<List<Position>>> list) implements Area {
    /** The most positions of all rings together. */
    public static final int MAX_POSITIONS = 5_000;

    /**
     * Checks the rings, each on its own.
     *
     * @throws IllegalArgumentException if one is invalid, or they are too large
     */
    public Polygons {
      list = list.stream().map(polygon -> polygon.stream().map(List::copyOf).toList()).toList();
      if (list.isEmpty()) {
        throw new IllegalArgumentException("expected an outline, found no ring");
      }
      list.forEach(Rings::check);
      int positions = count(list);
      if (positions > MAX_POSITIONS) {
        throw new IllegalArgumentException(
            "expected at most %d positions, found %d".formatted(MAX_POSITIONS, positions));
      }
    }

    private static int count(List<List<List<Position>>> polygons) {
      return polygons.stream().flatMap(List::stream).mapToInt(List::size).sum();
    }

    @Override
    public int positions() {
      return count(list);
    }
  }
}
