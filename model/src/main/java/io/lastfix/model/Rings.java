package io.lastfix.model;

import java.util.HashSet;
import java.util.List;

/** The rings of a polygon of GeoJSON (RFC 7946). */
public final class Rings {
  private static final int LEAST_POSITIONS = 4;
  private static final int LEAST_CORNERS = 3;

  private Rings() {}

  /**
   * Checks each ring on its own.
   *
   * @param rings the outline, then its holes, if any. Each has four or more positions, at least
   *     three of them different, and the last equals the first
   * @throws IllegalArgumentException if one is invalid; names what was expected and found
   */
  public static void check(List<List<Position>> rings) {
    if (rings.isEmpty()) {
      throw new IllegalArgumentException("expected an outline, found no ring");
    }
    rings.forEach(Rings::checkRing);
  }

  private static void checkRing(List<Position> ring) {
    if (ring.size() < LEAST_POSITIONS) {
      throw new IllegalArgumentException(
          "expected rings of 4 positions or more, found a ring of " + ring.size());
    }
    if (!ring.get(0).equals(ring.get(ring.size() - 1))) {
      throw new IllegalArgumentException(
          "expected each ring to end where it begins, found one that is open");
    }
    int corners = new HashSet<>(ring).size();
    if (corners < LEAST_CORNERS) {
      throw new IllegalArgumentException(
          "expected rings of 3 different positions or more, found a ring of " + corners);
    }
  }
}
