package io.lastfix.parse;

import io.lastfix.model.Fix;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.PositionField;
import io.lastfix.parse.profile.Profile.PositionPaths;
import io.lastfix.parse.profile.Profile.SourceField;
import io.lastfix.parse.reader.PathNode;
import io.lastfix.parse.reader.PathTree;
import io.lastfix.parse.reader.RecordFields;
import io.lastfix.parse.shape.Confidence;
import io.lastfix.parse.shape.CoveringCircle;
import io.lastfix.parse.shape.GeoJson;
import io.lastfix.parse.shape.InvalidShapeException;
import io.lastfix.parse.shape.Numbers;
import io.lastfix.parse.shape.Shape;
import io.lastfix.parse.shape.ShapeReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the position of a record's own from the collected texts.
 *
 * <p>No position: (0, 0) exactly, which receivers send before their first fix; a coordinate that is
 * not a number or out of range; a longitude without a latitude, or the reverse; a negative
 * accuracy; a position that the device marks as invalid, or with a mark that cannot be read; one
 * that the device calls the cell's; a shape that cannot be read. Such a position has a {@link
 * #problem()}. An accuracy of 0, and an accuracy or altitude that cannot be read, are unknown. A
 * source that cannot be read is the network.
 */
final class PositionAssembler {
  private static final String ZERO = "(0, 0) is no position";
  private static final int[] NO_SLOTS = {PathNode.NO_SLOT, PathNode.NO_SLOT, PathNode.NO_SLOT};

  /**
   * The slots of a position's parts; {@link PathNode#NO_SLOT} for parts that the profile does not
   * name.
   *
   * @param arrayAltitude the third of a GeoJSON position's numbers
   */
  private record PositionSlots(
      int lon,
      int lat,
      int arrayAltitude,
      int accuracy,
      int confidence,
      int altitude,
      int source,
      List<Map.Entry<String, PositionSource>> sources,
      @Nullable ConditionSlot invalid,
      PositionField field) {
    IntStream all() {
      int mark = invalid == null ? PathNode.NO_SLOT : invalid.slot();
      return IntStream.of(lon, lat, arrayAltitude, accuracy, confidence, altitude, source, mark);
    }

    @Nullable String shapePath() {
      return field.paths().shape() == null ? null : field.paths().shape().toString();
    }
  }

  private final PositionSlots[] positions;
  private @Nullable String problem;
  private String problemPath = "";

  /** Adds the profile's paths to the tree. */
  PositionAssembler(Profile profile, PathTree tree) {
    positions =
        profile.positions().stream().map(field -> slots(tree, field)).toArray(PositionSlots[]::new);
    tree.join(Arrays.stream(positions).flatMapToInt(PositionSlots::all));
  }

  private static PositionSlots slots(PathTree tree, PositionField field) {
    PositionPaths paths = field.paths();
    SourceField source = field.source();
    int[] array = paths.coordinates() == null ? NO_SLOTS : tree.arraySlots(paths.coordinates(), 3);
    if (paths.shape() != null) {
      tree.node(paths.shape().elements()).markShape();
    }
    for (var path :
        Arrays.asList(
            paths.lon(), paths.lat(), paths.accuracy(), paths.altitude(), paths.confidence())) {
      if (path != null) {
        tree.node(path.elements()).acceptFraction();
      }
    }
    return new PositionSlots(
        paths.coordinates() == null ? tree.lenientSlot(paths.lon()) : array[0],
        paths.coordinates() == null ? tree.lenientSlot(paths.lat()) : array[1],
        array[2],
        tree.lenientSlot(paths.accuracy()),
        tree.lenientSlot(paths.confidence()),
        tree.lenientSlot(paths.altitude()),
        tree.lenientSlot(source.path()),
        List.copyOf(source.names().entrySet()),
        ConditionSlot.of(tree, field.invalid()),
        field);
  }

  /**
   * Returns the first position that the record gives; null if it gives none, or one that has a
   * {@link #problem()}.
   */
  @Nullable Fix fix(RecordFields fields) {
    problem = null;
    for (PositionSlots slots : positions) {
      String shape = slots.shapePath();
      if (shape != null ? fields.shape().isGiven() : isGiven(fields, slots)) {
        return shape != null ? fixOfShape(fields, slots, shape) : fixOfPoint(fields, slots);
      }
    }
    return null;
  }

  /** Returns why the last record's position cannot be used; null if it can, or if there is none. */
  @Nullable String problem() {
    return problem;
  }

  /** Returns the path of the {@link #problem()}. */
  String problemPath() {
    return problemPath;
  }

  private static boolean isGiven(RecordFields fields, PositionSlots slots) {
    return fields.has(slots.lon()) || fields.has(slots.lat());
  }

  private @Nullable Fix fixOfPoint(RecordFields fields, PositionSlots slots) {
    boolean isArray = slots.arrayAltitude() != PathNode.NO_SLOT;
    double lon = coordinate(fields, slots.lon(), 180, isArray);
    double lat = coordinate(fields, slots.lat(), 90, isArray);
    if (lon == 0 && lat == 0) {
      invalid(fields, slots.lon(), ZERO);
    }
    double accuracy = number(fields, slots.accuracy());
    if (accuracy < 0) {
      invalid(fields, slots.accuracy(), "negative, so there is no position");
    }
    checkValid(fields, slots);
    PositionSource source = source(fields, slots);
    if (problem != null) {
      return null;
    }
    return new Fix(
        new Position(lon, lat),
        source,
        accuracyOf95(fields, slots, accuracy),
        altitude(fields, slots),
        null);
  }

  private @Nullable Fix fixOfShape(RecordFields fields, PositionSlots slots, String path) {
    checkValid(fields, slots);
    PositionSource source = source(fields, slots);
    if (problem != null) {
      return null;
    }
    try {
      Shape shape = ShapeReader.read(fields.shape());
      CoveringCircle circle = CoveringCircle.of(shape);
      if (circle.centre().lon() == 0 && circle.centre().lat() == 0) {
        problem = ZERO;
        problemPath = path;
        return null;
      }
      return new Fix(
          circle.centre(),
          source,
          accuracyOf95(fields, slots, circle.radiusMeters()),
          altitude(fields, slots),
          slots.field().keepsShape() ? GeoJson.of(shape) : null);
    } catch (InvalidShapeException e) {
      // Not swallowed: the record is rejected, or counted and at its cell.
      problem = String.valueOf(e.getMessage());
      problemPath = path;
      return null;
    }
  }

  private void checkValid(RecordFields fields, PositionSlots slots) {
    ConditionSlot condition = slots.invalid();
    if (condition == null) {
      return;
    }
    if (fields.isUnreadable(condition.slot())) {
      invalid(fields, condition.slot(), "the device's mark of its position cannot be read");
    } else if (condition.isMet(fields)) {
      invalid(fields, condition.slot(), "the device marks its position as invalid");
    }
  }

  private double coordinate(RecordFields fields, int slot, int max, boolean isArray) {
    double degrees = number(fields, slot);
    if (!fields.has(slot)) {
      invalid(fields, slot, "missing");
    } else if (isArray && fields.isUnreadable(slot)) {
      invalid(fields, slot, "expected a Point: an array of numbers");
    } else if (!(Math.abs(degrees) <= max)) {
      invalid(fields, slot, "expected -" + max + " to " + max);
    }
    return degrees;
  }

  private void invalid(RecordFields fields, int slot, String what) {
    if (problem == null) {
      problem = what;
      problemPath = fields.path(slot);
    }
  }

  private static @Nullable Double accuracyOf95(
      RecordFields fields, PositionSlots slots, double accuracy) {
    double percent = percent(fields, slots.confidence());
    double radius =
        Confidence.radiusOf95(
            accuracy, Double.isNaN(percent) ? slots.field().accuracyPercent() : percent);
    return radius > 0 && radius < Double.MAX_VALUE ? (Double) radius : null;
  }

  /**
   * Returns the percentage, with or without a percent sign, perhaps after blanks; not a number if
   * it is impossible. A number up to 1 with a decimal point and without the sign is a probability.
   */
  private static double percent(RecordFields fields, int slot) {
    if (!fields.has(slot)) {
      return Double.NaN;
    }
    char[] text = fields.text();
    int start = fields.start(slot);
    int end = fields.end(slot);
    boolean hasSign = end > start && text[end - 1] == '%';
    end -= hasSign ? 1 : 0;
    while (end > start && text[end - 1] <= ' ') {
      end--;
    }
    double percent = Numbers.parse(text, start, end);
    boolean isProbability = !hasSign && percent <= 1 && hasPoint(text, start, end);
    percent *= isProbability ? 100 : 1;
    return percent >= 1 && percent <= 100 ? percent : Double.NaN;
  }

  private static boolean hasPoint(char[] text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (text[i] == '.') {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Double altitude(RecordFields fields, PositionSlots slots) {
    double altitude =
        number(fields, fields.has(slots.altitude()) ? slots.altitude() : slots.arrayAltitude());
    return Double.isFinite(altitude) ? (Double) altitude : null;
  }

  private PositionSource source(RecordFields fields, PositionSlots slots) {
    int slot = slots.source();
    if (!fields.has(slot)) {
      return slots.field().source().otherwise();
    }
    for (Map.Entry<String, PositionSource> source : slots.sources()) {
      if (ConditionSlot.isSame(source.getKey(), fields, slot)) {
        return source.getValue();
      }
    }
    if (ConditionSlot.isSame(PositionSource.CELL.text(), fields, slot)) {
      invalid(fields, slot, "the position of a cell, not of the device");
    }
    // Not the default: a tower's position under an unknown or unreadable name must not count as a
    // satellite fix.
    return PositionSource.NETWORK;
  }

  /** Returns not a number if the slot has none. */
  private static double number(RecordFields fields, int slot) {
    return fields.has(slot)
        ? Numbers.parse(fields.text(), fields.start(slot), fields.end(slot))
        : Double.NaN;
  }
}
