package io.lastfix.parse.shape;

import io.lastfix.model.Position;
import io.lastfix.parse.shape.Shape.Arc;
import io.lastfix.parse.shape.Shape.Circle;
import io.lastfix.parse.shape.Shape.Ellipse;
import io.lastfix.parse.shape.Shape.Points;
import io.lastfix.parse.shape.Shape.Polygon;
import io.lastfix.parse.shape.Shape.Several;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads a {@link Shape} from the elements of MLP 3.x. {@code X} is the latitude and {@code Y} the
 * longitude. Distances are metres and angles degrees, unless {@code distanceUnit} or {@code
 * angularUnit} says otherwise. {@code stopAngle} is the angle between the first and the second
 * radius of an arc, not a direction.
 */
public final class ShapeReader {
  private static final int NOT_GIVEN = -1;

  private final ShapeElements elements;

  private ShapeReader(ShapeElements elements) {
    this.elements = elements;
  }

  /**
   * Returns the shape.
   *
   * @throws InvalidShapeException if there is none, more than one, or an impossible one
   */
  public static Shape read(ShapeElements elements) throws InvalidShapeException {
    String problem = elements.problem();
    if (problem != null) {
      throw new InvalidShapeException(problem);
    }
    ShapeReader reader = new ShapeReader(elements);
    List<Shape> shapes = reader.shapes(0, elements.size());
    if (shapes.size() != 1) {
      throw new InvalidShapeException("expected one shape, found " + shapes.size());
    }
    return shapes.get(0);
  }

  /** Reads the shapes among the elements in that range. */
  private List<Shape> shapes(int from, int to) throws InvalidShapeException {
    List<Shape> shapes = new ArrayList<>(1);
    int at = from;
    while (at < to) {
      int end = elements.end(at);
      switch (elements.tag(at)) {
        case POINT -> shapes.add(new Points(List.of(onlyCoordinate(at))));
        case LINE_STRING -> shapes.add(new Points(coordinates(at, 2)));
        case POLYGON -> shapes.add(polygon(at));
        case BOX -> shapes.add(box(at));
        case CIRCULAR_AREA ->
            shapes.add(new Circle(onlyCoordinate(at), length(at, ShapeTag.RADIUS)));
        case ELLIPTICAL_AREA -> shapes.add(ellipse(at));
        case CIRCULAR_ARC_AREA -> shapes.add(arc(at));
        case MULTI_POINT, MULTI_LINE_STRING, MULTI_POLYGON -> {
          List<Shape> parts = shapes(at + 1, end);
          if (parts.isEmpty()) {
            throw new InvalidShapeException("expected shapes in it, found none");
          }
          shapes.add(new Several(parts));
        }
        // A wrapper, such as GML's polygonMember.
        case OTHER -> shapes.addAll(shapes(at + 1, end));
        default -> {}
      }
      at = end;
    }
    return shapes;
  }

  private Shape polygon(int polygon) throws InvalidShapeException {
    List<Position> outer = List.of();
    List<List<Position>> inner = new ArrayList<>();
    for (int at = polygon + 1; at < elements.end(polygon); at = elements.end(at)) {
      if (elements.tag(at) == ShapeTag.OUTER_BOUNDARY) {
        if (!outer.isEmpty()) {
          throw new InvalidShapeException("expected one outer boundary, found several");
        }
        outer = ring(at);
      } else if (elements.tag(at) == ShapeTag.INNER_BOUNDARY) {
        inner.add(ring(at));
      }
    }
    if (outer.isEmpty() && inner.size() == 1) {
      // Some servers call the only boundary an inner one.
      outer = inner.remove(0);
    }
    if (outer.isEmpty()) {
      throw new InvalidShapeException("expected an outer boundary, found none");
    }
    return new Polygon(outer, inner);
  }

  private List<Position> ring(int boundary) throws InvalidShapeException {
    List<Position> ring = coordinates(boundary, 3);
    int last = ring.size() - 1;
    if (ring.get(0).equals(ring.get(last))) {
      ring.remove(last);
    }
    if (ring.size() < 3) {
      throw new InvalidShapeException("expected a boundary of at least 3 corners");
    }
    return ring;
  }

  private Shape box(int box) throws InvalidShapeException {
    List<Position> corners = coordinates(box, 2);
    if (corners.size() != 2) {
      throw new InvalidShapeException("expected two corners of a box");
    }
    Position a = corners.get(0);
    Position b = corners.get(1);
    return new Polygon(
        List.of(a, new Position(b.lon(), a.lat()), b, new Position(a.lon(), b.lat())), List.of());
  }

  private Shape ellipse(int ellipse) throws InvalidShapeException {
    double semiMajor = length(ellipse, ShapeTag.SEMI_MAJOR);
    double semiMinor = length(ellipse, ShapeTag.SEMI_MINOR);
    double angle = angleIfReadable(ellipse);
    return semiMajor >= semiMinor
        ? new Ellipse(onlyCoordinate(ellipse), semiMajor, semiMinor, angle)
        : new Ellipse(onlyCoordinate(ellipse), semiMinor, semiMajor, angle + 90);
  }

  private Shape arc(int arc) throws InvalidShapeException {
    double inner = length(arc, ShapeTag.INNER_RADIUS);
    double outer = length(arc, ShapeTag.OUTER_RADIUS);
    double start = angle(arc, ShapeTag.START_ANGLE);
    double included = angle(arc, ShapeTag.STOP_ANGLE);
    if (outer < inner) {
      throw new InvalidShapeException("expected an outRadius not less than the inRadius");
    }
    if (!(included > 0 && included <= 360)) {
      throw new InvalidShapeException("expected a stopAngle of more than 0 to 360 degrees");
    }
    return new Arc(onlyCoordinate(arc), inner, outer, start, included);
  }

  private Position onlyCoordinate(int shape) throws InvalidShapeException {
    List<Position> coordinates = coordinates(shape, 1);
    Position only = coordinates.get(0);
    if (coordinates.size() > 1) {
      throw new InvalidShapeException("expected one coord, found several");
    }
    if (only.lon() == 0 && only.lat() == 0) {
      throw new InvalidShapeException("(0, 0) is no position");
    }
    return only;
  }

  /** Returns the coordinates at any depth inside an element. */
  private List<Position> coordinates(int parent, int min) throws InvalidShapeException {
    List<Position> positions = new ArrayList<>();
    for (int at = parent + 1; at < elements.end(parent); at++) {
      if (elements.tag(at) == ShapeTag.COORD) {
        double lat = degrees(at, ShapeTag.X, 90);
        double lon = degrees(at, ShapeTag.Y, 180);
        positions.add(new Position(lon, lat));
      }
    }
    if (positions.size() < min) {
      throw new InvalidShapeException(
          "expected at least " + min + " coord, found " + positions.size());
    }
    return positions;
  }

  private double degrees(int coord, ShapeTag tag, int max) throws InvalidShapeException {
    int element = required(coord, tag);
    double degrees =
        MlpAngle.parse(
            elements.texts(),
            elements.textStart(element),
            elements.textEnd(element),
            tag == ShapeTag.X);
    if (!(Math.abs(degrees) <= max)) {
      throw new InvalidShapeException(
          tag + ": expected degrees of WGS 84 from -" + max + " to " + max);
    }
    return degrees;
  }

  private double length(int shape, ShapeTag tag) throws InvalidShapeException {
    double value = number(required(shape, tag)) * metersOfUnit(shape);
    if (!(value >= 0 && value <= CoveringCircle.MAX_RADIUS)) {
      throw new InvalidShapeException(
          "expected lengths from 0 to " + (long) CoveringCircle.MAX_RADIUS + " metres");
    }
    return value;
  }

  private double angle(int shape, ShapeTag tag) throws InvalidShapeException {
    double value = number(required(shape, tag)) * degreesOfUnit(shape);
    if (!(Math.abs(value) <= 360)) {
      throw new InvalidShapeException("expected angles of at most 360 degrees");
    }
    return value;
  }

  /**
   * Returns the direction of an ellipse, which only its outline needs; not a number if it cannot be
   * read.
   */
  private double angleIfReadable(int ellipse) {
    try {
      return angle(ellipse, ShapeTag.ANGLE);
    } catch (InvalidShapeException e) {
      return Double.NaN;
    }
  }

  private double metersOfUnit(int shape) throws InvalidShapeException {
    int unit = child(shape, ShapeTag.DISTANCE_UNIT);
    String name = unit == NOT_GIVEN ? "" : text(unit);
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "", "m", "meter", "meters", "metre", "metres" -> 1;
      case "km", "kilometer", "kilometers", "kilometre", "kilometres" -> 1_000;
      default -> throw new InvalidShapeException("expected the distanceUnit meter or kilometer");
    };
  }

  private double degreesOfUnit(int shape) throws InvalidShapeException {
    int unit = child(shape, ShapeTag.ANGULAR_UNIT);
    String name = unit == NOT_GIVEN ? "" : text(unit);
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "", "deg", "degree", "degrees" -> 1;
      case "rad", "radian", "radians" -> 180 / Math.PI;
      default -> throw new InvalidShapeException("expected the angularUnit degrees or radians");
    };
  }

  private double number(int element) {
    return Numbers.parse(elements.texts(), elements.textStart(element), elements.textEnd(element));
  }

  private String text(int element) {
    int start = elements.textStart(element);
    return String.valueOf(elements.texts(), start, elements.textEnd(element) - start);
  }

  private int required(int parent, ShapeTag tag) throws InvalidShapeException {
    int child = child(parent, tag);
    if (child == NOT_GIVEN) {
      throw new InvalidShapeException("expected " + tag + ", which is missing");
    }
    return child;
  }

  private int child(int parent, ShapeTag tag) throws InvalidShapeException {
    int found = NOT_GIVEN;
    for (int at = parent + 1; at < elements.end(parent); at = elements.end(at)) {
      if (elements.tag(at) == tag) {
        if (found != NOT_GIVEN) {
          throw new InvalidShapeException("expected " + tag + " once, found again");
        }
        found = at;
      }
    }
    return found;
  }
}
