package io.lastfix.parse.shape;

import io.lastfix.model.Position;
import java.util.List;

/**
 * An area that a location server states. Lengths are in metres, angles in degrees. Lists are taken
 * over, not copied.
 */
public sealed interface Shape {
  /** A point of unknown accuracy, or a line through several. */
  record Points(List<Position> positions) implements Shape {}

  /** A circle around a position. */
  record Circle(Position centre, double radius) implements Shape {}

  /**
   * An ellipse around a position.
   *
   * @param angle of the major axis, clockwise from north; not a number if unknown
   */
  record Ellipse(Position centre, double semiMajor, double semiMinor, double angle)
      implements Shape {}

  /**
   * The part of a ring around a position that lies between two directions.
   *
   * @param start the first direction, clockwise from north
   * @param included the angle from the first direction to the second, clockwise, more than 0 to 360
   */
  record Arc(Position centre, double innerRadius, double outerRadius, double start, double included)
      implements Shape {}

  /** A polygon with holes; each ring has at least three corners, the first not repeated. */
  record Polygon(List<Position> outer, List<List<Position>> holes) implements Shape {}

  /** Several shapes, at least one. */
  record Several(List<Shape> parts) implements Shape {}
}
