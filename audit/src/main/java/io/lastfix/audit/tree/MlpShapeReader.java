package io.lastfix.audit.tree;

import io.lastfix.model.Position;
import io.lastfix.parse.shape.CoveringCircle;
import io.lastfix.parse.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the shape of MLP from its elements, by the DTD of MLP and {@code config/profiles}: {@code
 * X} is the latitude, {@code Y} the longitude, {@code stopAngle} the angle between both radii of an
 * arc.
 */
final class MlpShapeReader {
  /** The elements whose text is a value. */
  private static final Set<String> VALUES =
      Set.of(
          "X",
          "Y",
          "radius",
          "inRadius",
          "outRadius",
          "startAngle",
          "stopAngle",
          "angle",
          "semiMajor",
          "semiMinor",
          "angularUnit",
          "distanceUnit");

  /** What MLP has no shapes in. An element that it does not know at all may be a wrapper. */
  private static final Set<String> PARTS =
      Set.of("coord", "outerBoundaryIs", "innerBoundaryIs", "LinearRing");

  private static final int MAX_POINTS = 1_000;
  private static final int MAX_VALUE_LENGTH = 64;

  /** The only coordinate system that is read, perhaps with something in front. */
  private static final Pattern WGS84 = Pattern.compile("(.*[^\\p{L}\\p{Nd}])?4326", Pattern.DOTALL);

  private static final Pattern SEPARATOR =
      Pattern.compile(String.valueOf(XmlElement.SEPARATOR), Pattern.LITERAL);

  private MlpShapeReader() {}

  /** The only shape of a record. */
  static Shape read(List<TreeValue> found) throws UnreadableException {
    if (found.size() != 1 || !(found.get(0) instanceof XmlElement element)) {
      throw new UnreadableException("shape: given twice");
    }
    requireWithinLimits(element);
    List<Shape> shapes = shapes(element);
    if (shapes.size() != 1) {
      throw new UnreadableException("shape: expected one");
    }
    return shapes.get(0);
  }

  private static void requireWithinLimits(XmlElement shape) throws UnreadableException {
    List<XmlElement> elements = inside(shape).toList();
    long points = elements.stream().filter(it -> it.name().equals("coord")).count();
    if (shape.isCut() || points > MAX_POINTS) {
      throw new UnreadableException("shape: too many points, or elements in each other");
    }
    for (XmlElement element : elements) {
      String system = element.attribute(Expected.COORDINATE_SYSTEM);
      if (system != null && !SEPARATOR.splitAsStream(system).allMatch(MlpShapeReader::isWgs84)) {
        throw new UnreadableException("shape: another coordinate system than EPSG 4326");
      }
      boolean isValue = VALUES.contains(element.name());
      if (isValue && !element.children().isEmpty()) {
        throw new UnreadableException("shape: an element inside a value");
      }
      if (isValue && text(element).length() > MAX_VALUE_LENGTH) {
        throw new UnreadableException(
            "shape: a value of more than " + MAX_VALUE_LENGTH + " characters");
      }
    }
  }

  private static boolean isWgs84(String system) {
    return WGS84.matcher(system.strip()).matches();
  }

  private static String text(XmlElement value) {
    return value.content(null).trim();
  }

  /** The shapes inside an element, with those inside elements that MLP does not know. */
  private static List<Shape> shapes(XmlElement parent) throws UnreadableException {
    List<Shape> shapes = new ArrayList<>();
    for (XmlElement element : parent.children()) {
      switch (element.name()) {
        case "Point" -> shapes.add(new Shape.Points(List.of(centre(element))));
        case "LineString" -> shapes.add(new Shape.Points(positions(element, 2)));
        case "Polygon" -> shapes.add(polygon(element));
        case "Box" -> shapes.add(box(element));
        case "CircularArea" ->
            shapes.add(new Shape.Circle(centre(element), meters(element, "radius")));
        case "EllipticalArea" -> shapes.add(ellipse(element));
        case "CircularArcArea" -> shapes.add(arc(element));
        case "MultiPoint", "MultiLineString", "MultiPolygon" -> {
          List<Shape> parts = shapes(element);
          if (parts.isEmpty()) {
            throw new UnreadableException("shape: expected some in it");
          }
          shapes.add(new Shape.Several(parts));
        }
        default -> {
          if (!PARTS.contains(element.name())) {
            shapes.addAll(shapes(element));
          }
        }
      }
    }
    return shapes;
  }

  private static Shape polygon(XmlElement polygon) throws UnreadableException {
    List<List<Position>> outer = rings(polygon, "outerBoundaryIs");
    List<List<Position>> inner = rings(polygon, "innerBoundaryIs");
    if (outer.isEmpty() && inner.size() == 1) {
      // Some servers call the only ring an inner one.
      return new Shape.Polygon(inner.get(0), List.of());
    }
    if (outer.size() != 1) {
      throw new UnreadableException("shape: expected one outer boundary");
    }
    return new Shape.Polygon(outer.get(0), inner);
  }

  private static List<List<Position>> rings(XmlElement polygon, String name)
      throws UnreadableException {
    List<List<Position>> rings = new ArrayList<>();
    for (XmlElement boundary : polygon.named(name)) {
      List<Position> corners = positions(boundary, 3);
      int last = corners.size() - 1;
      List<Position> ring =
          corners.get(0).equals(corners.get(last)) ? corners.subList(0, last) : corners;
      if (ring.size() < 3) {
        throw new UnreadableException("shape: expected three corners");
      }
      rings.add(ring);
    }
    return rings;
  }

  private static Shape box(XmlElement box) throws UnreadableException {
    List<Position> corners = positions(box, 2);
    if (corners.size() > 2) {
      throw new UnreadableException("shape: expected two corners");
    }
    Position one = corners.get(0);
    Position other = corners.get(1);
    return new Shape.Polygon(
        List.of(
            one, new Position(other.lon(), one.lat()), other, new Position(one.lon(), other.lat())),
        List.of());
  }

  /** The longer axis counts as the major one, whatever its name. */
  private static Shape ellipse(XmlElement ellipse) throws UnreadableException {
    Position centre = centre(ellipse);
    double major = meters(ellipse, "semiMajor");
    double minor = meters(ellipse, "semiMinor");
    double angle = angleOrNone(ellipse);
    return major < minor
        ? new Shape.Ellipse(centre, minor, major, angle + 90)
        : new Shape.Ellipse(centre, major, minor, angle);
  }

  /** The angle of an ellipse says nothing of centre and radius, so it may be missing. */
  private static double angleOrNone(XmlElement ellipse) {
    try {
      return degrees(ellipse, "angle");
    } catch (UnreadableException e) {
      return Double.NaN;
    }
  }

  private static Shape arc(XmlElement arc) throws UnreadableException {
    double inner = meters(arc, "inRadius");
    double outer = meters(arc, "outRadius");
    double included = degrees(arc, "stopAngle");
    if (inner > outer || included <= 0) {
      throw new UnreadableException("shape: expected a part of a ring");
    }
    return new Shape.Arc(centre(arc), inner, outer, degrees(arc, "startAngle"), included);
  }

  /** The only position of a shape; (0, 0) is none. */
  private static Position centre(XmlElement shape) throws UnreadableException {
    List<Position> positions = positions(shape, 1);
    if (positions.size() > 1 || (positions.get(0).lon() == 0 && positions.get(0).lat() == 0)) {
      throw new UnreadableException("shape: expected one coord, not (0, 0)");
    }
    return positions.get(0);
  }

  /** The positions at any depth inside an element. */
  private static List<Position> positions(XmlElement shape, int min) throws UnreadableException {
    List<Position> positions = new ArrayList<>();
    for (XmlElement coord : inside(shape).filter(it -> it.name().equals("coord")).toList()) {
      double lat = MlpAngles.latitude(text(only(coord, "X")));
      double lon = MlpAngles.longitude(text(only(coord, "Y")));
      if (Double.isNaN(lat) || Double.isNaN(lon)) {
        throw new UnreadableException("shape: expected degrees of WGS 84");
      }
      positions.add(new Position(lon, lat));
    }
    if (positions.size() < min) {
      throw new UnreadableException("shape: expected more coord");
    }
    return positions;
  }

  private static Stream<XmlElement> inside(XmlElement parent) {
    return parent.children().stream()
        .flatMap(child -> Stream.concat(Stream.of(child), inside(child)));
  }

  private static double meters(XmlElement shape, String name) throws UnreadableException {
    int unit =
        switch (unit(shape, "distanceUnit")) {
          case "", "m", "meter", "meters", "metre", "metres" -> 1;
          case "km", "kilometer", "kilometers", "kilometre", "kilometres" -> 1_000;
          default -> throw new UnreadableException("shape: expected metres or kilometres");
        };
    double meters = number(shape, name) * unit;
    if (!(meters >= 0 && meters <= CoveringCircle.MAX_RADIUS)) {
      throw new UnreadableException("shape: expected a length");
    }
    return meters;
  }

  private static double degrees(XmlElement shape, String name) throws UnreadableException {
    double unit =
        switch (unit(shape, "angularUnit")) {
          case "", "deg", "degree", "degrees" -> 1;
          case "rad", "radian", "radians" -> 180 / Math.PI;
          default -> throw new UnreadableException("shape: expected degrees or radians");
        };
    double degrees = number(shape, name) * unit;
    if (!(degrees >= -360 && degrees <= 360)) {
      throw new UnreadableException("shape: expected an angle");
    }
    return degrees;
  }

  private static String unit(XmlElement shape, String name) throws UnreadableException {
    return shape.named(name).isEmpty() ? "" : text(only(shape, name)).toLowerCase(Locale.ROOT);
  }

  private static double number(XmlElement shape, String name) throws UnreadableException {
    return PositionReader.number(text(only(shape, name)));
  }

  private static XmlElement only(XmlElement parent, String name) throws UnreadableException {
    List<XmlElement> named = parent.named(name);
    if (named.size() != 1) {
      throw new UnreadableException("shape: expected one " + name);
    }
    return named.get(0);
  }
}
