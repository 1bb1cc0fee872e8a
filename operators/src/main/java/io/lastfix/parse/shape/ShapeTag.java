package io.lastfix.parse.shape;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The elements inside MLP's {@code shape}. */
enum ShapeTag {
  POINT("Point"),
  LINE_STRING("LineString"),
  POLYGON("Polygon"),
  BOX("Box"),
  CIRCULAR_AREA("CircularArea"),
  CIRCULAR_ARC_AREA("CircularArcArea"),
  ELLIPTICAL_AREA("EllipticalArea"),
  MULTI_POINT("MultiPoint"),
  MULTI_LINE_STRING("MultiLineString"),
  MULTI_POLYGON("MultiPolygon"),
  OUTER_BOUNDARY("outerBoundaryIs"),
  INNER_BOUNDARY("innerBoundaryIs"),
  LINEAR_RING("LinearRing"),
  COORD("coord"),
  X("X", true),
  Y("Y", true),
  RADIUS("radius", true),
  INNER_RADIUS("inRadius", true),
  OUTER_RADIUS("outRadius", true),
  START_ANGLE("startAngle", true),
  STOP_ANGLE("stopAngle", true),
  ANGLE("angle", true),
  SEMI_MAJOR("semiMajor", true),
  SEMI_MINOR("semiMinor", true),
  ANGULAR_UNIT("angularUnit", true),
  DISTANCE_UNIT("distanceUnit", true),
  /** Any other element; its content counts as its parent's. */
  OTHER("");

  private static final Map<String, ShapeTag> BY_NAME =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(tag -> tag.name, tag -> tag));

  private final String name;
  private final boolean text;

  ShapeTag(String name) {
    this(name, false);
  }

  ShapeTag(String name, boolean text) {
    this.name = name;
    this.text = text;
  }

  static ShapeTag of(String name) {
    return BY_NAME.getOrDefault(name, OTHER);
  }

  /** Returns the element's name. */
  @Override
  public String toString() {
    return name;
  }

  /** Returns true if the element's text is a value. */
  boolean hasText() {
    return text;
  }
}
