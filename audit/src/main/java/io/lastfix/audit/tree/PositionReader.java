package io.lastfix.audit.tree;

import io.lastfix.model.PositionSource;
import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile.Condition;
import io.lastfix.parse.profile.Profile.PositionField;
import io.lastfix.parse.profile.Profile.SourceField;
import io.lastfix.parse.shape.CoveringCircle;
import io.lastfix.parse.shape.GeoJson;
import io.lastfix.parse.shape.InvalidShapeException;
import io.lastfix.parse.shape.Shape;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a record's own position from its tree.
 *
 * <p>The centre of a shape, its radius and its outline come from the job's own geometry. The centre
 * is part of the record's identity, bit by bit, and a second computation would round in other ways.
 * What the shape is, {@link MlpShapeReader} reads in its own way.
 */
record PositionReader(List<PositionField> positions, int maxTextLength) {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
  private static final double STORED_PERCENT = 95;
  private static final int ALTITUDE_IN_ARRAY = 2;

  /** No format's name of a source, since names have no blank in front. */
  private static final String UNKNOWN_SOURCE = " ";

  /**
   * The result of reading.
   *
   * @param own null if the record states no position, or one that is none
   * @param problem why a stated position is none; null if there is no such
   */
  record Result(@Nullable OwnPosition own, @Nullable String problem) {
    private static final Result NONE = new Result(null, null);

    private static Result none(String problem) {
      return new Result(null, problem);
    }
  }

  /** The path of an element of a JSON array. */
  static FieldPath inArray(FieldPath array, int index) {
    return new FieldPath(
        Stream.concat(array.elements().stream(), Stream.of("[" + index + "]")).toList(), null);
  }

  /** All paths of a position in JSON, some of them null. */
  static Stream<@Nullable FieldPath> paths(PositionField field) {
    FieldPath array = field.paths().coordinates();
    return Stream.of(
        lon(field),
        lat(field),
        array,
        array == null ? null : inArray(array, ALTITUDE_IN_ARRAY),
        field.paths().accuracy(),
        field.paths().confidence(),
        field.paths().altitude(),
        field.source().path(),
        field.invalid() == null ? null : field.invalid().path());
  }

  /** Reads the first position that is stated. */
  Result read(RecordTree tree) {
    for (PositionField field : positions) {
      if (field.paths().shape() != null) {
        List<TreeValue> shapes = tree.values(field.paths().shape());
        if (!shapes.isEmpty()) {
          return ofShape(tree, field, shapes);
        }
        continue;
      }
      Optional<String> lon = text(tree, lon(field));
      Optional<String> lat = text(tree, lat(field));
      if (lon.isPresent() || lat.isPresent()) {
        return ofPoint(
            tree,
            field,
            lon.map(PositionReader::number).orElse(Double.NaN),
            lat.map(PositionReader::number).orElse(Double.NaN));
      }
    }
    return Result.NONE;
  }

  private static @Nullable FieldPath lon(PositionField field) {
    FieldPath array = field.paths().coordinates();
    return array == null ? field.paths().lon() : inArray(array, 0);
  }

  private static @Nullable FieldPath lat(PositionField field) {
    FieldPath array = field.paths().coordinates();
    return array == null ? field.paths().lat() : inArray(array, 1);
  }

  private Result ofPoint(RecordTree tree, PositionField field, double lon, double lat) {
    if (!(lon >= -180 && lon <= 180 && lat >= -90 && lat <= 90) || (lon == 0 && lat == 0)) {
      return Result.none("position: expected one of WGS 84 other than (0, 0)");
    }
    double accuracy = numberAt(tree, field.paths().accuracy());
    if (accuracy < 0) {
      return Result.none("position: its accuracy is negative");
    }
    if (isInvalid(tree, field)) {
      return Result.none("position: marked as invalid");
    }
    if (isOfCell(tree, field)) {
      return Result.none("position: the cell's");
    }
    return new Result(own(tree, field, lon, lat, accuracy, null), null);
  }

  private Result ofShape(RecordTree tree, PositionField field, List<TreeValue> shapes) {
    if (isInvalid(tree, field)) {
      return Result.none("position: marked as invalid");
    }
    if (isOfCell(tree, field)) {
      return Result.none("position: the cell's");
    }
    try {
      Shape shape = MlpShapeReader.read(shapes);
      CoveringCircle circle = CoveringCircle.of(shape);
      if (circle.centre().lon() == 0 && circle.centre().lat() == 0) {
        return Result.none("position: expected another than (0, 0)");
      }
      return new Result(
          own(
              tree,
              field,
              circle.centre().lon(),
              circle.centre().lat(),
              circle.radiusMeters(),
              field.keepsShape() ? GeoJson.of(shape) : null),
          null);
    } catch (UnreadableException | InvalidShapeException e) {
      return Result.none("position: " + e.getMessage());
    }
  }

  private OwnPosition own(
      RecordTree tree,
      PositionField field,
      double lon,
      double lat,
      double accuracy,
      @Nullable String shape) {
    // Adding zero turns -0.0 into 0.0, which the collections hold.
    return new OwnPosition(
        lon + 0.0,
        lat + 0.0,
        source(tree, field.source()).text(),
        accuracyOf95(tree, field, accuracy),
        altitude(tree, field),
        shape);
  }

  private boolean isInvalid(RecordTree tree, PositionField field) {
    Condition invalid = field.invalid();
    return invalid != null
        && (isDamaged(tree, invalid.path()) || RecordReader.isMet(tree, invalid));
  }

  /** Whether the field is stated in a way that the job cannot read. */
  private boolean isDamaged(RecordTree tree, FieldPath path) {
    return tree.isRepeated(path) || tree.isUnreadable(path, maxTextLength, false);
  }

  /** The source in the format's own name, in lower case; empty if the record names none. */
  private String sourceName(RecordTree tree, SourceField field) {
    if (field.path() == null) {
      return "";
    }
    return isDamaged(tree, field.path())
        ? UNKNOWN_SOURCE
        : tree.onlyTextOrFlag(field.path()).orElse("").toLowerCase(Locale.ROOT);
  }

  private boolean isOfCell(RecordTree tree, PositionField field) {
    String name = sourceName(tree, field.source());
    return name.equals(PositionSource.CELL.text()) && !field.source().names().containsKey(name);
  }

  /** A source under an unknown name might be a tower's, so it is never one of satellites. */
  private PositionSource source(RecordTree tree, SourceField field) {
    String name = sourceName(tree, field);
    return name.isEmpty()
        ? field.otherwise()
        : field.names().getOrDefault(name, PositionSource.NETWORK);
  }

  /** By a normal distribution in both directions, rounded up to the millimetre. */
  private @Nullable Double accuracyOf95(RecordTree tree, PositionField field, double accuracy) {
    String stated = text(tree, field.paths().confidence()).orElse("");
    boolean isPercent = stated.endsWith("%");
    double confidence =
        number(isPercent ? stated.substring(0, stated.length() - 1).trim() : stated);
    if (!isPercent && confidence <= 1 && stated.contains(".")) {
      confidence *= 100;
    }
    double percent = confidence >= 1 && confidence <= 100 ? confidence : field.accuracyPercent();
    double radius = accuracy;
    if (percent != STORED_PERCENT && percent < 100) {
      double factor = Math.sqrt(Math.log(1 - STORED_PERCENT / 100) / Math.log1p(-percent / 100));
      radius = Math.ceil(accuracy * factor * 1e3) / 1e3;
    }
    return radius > 0 && radius < Double.MAX_VALUE ? (Double) radius : null;
  }

  private @Nullable Double altitude(RecordTree tree, PositionField field) {
    FieldPath array = field.paths().coordinates();
    FieldPath path = field.paths().altitude();
    double altitude =
        array == null || text(tree, path).isPresent()
            ? numberAt(tree, path)
            : numberAt(tree, inArray(array, ALTITUDE_IN_ARRAY));
    return Double.isFinite(altitude) ? (Double) (altitude + 0.0) : null;
  }

  /** The text of a field; an empty one, which is no number, if the job cannot read it. */
  private Optional<String> text(RecordTree tree, @Nullable FieldPath path) {
    return path != null && tree.isUnreadable(path, maxTextLength, true)
        ? Optional.of("")
        : tree.onlyText(path);
  }

  private double numberAt(RecordTree tree, @Nullable FieldPath path) {
    return text(tree, path).map(PositionReader::number).orElse(Double.NaN);
  }

  /** Returns the number; not a number if the text is none. */
  static double number(String text) {
    return NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
  }
}
