package io.lastfix.parse.profile;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import io.lastfix.parse.profile.Profile.CellField;
import io.lastfix.parse.profile.Profile.Condition;
import io.lastfix.parse.profile.Profile.Format;
import io.lastfix.parse.profile.Profile.Pairs;
import io.lastfix.parse.profile.Profile.PositionField;
import io.lastfix.parse.profile.Profile.PositionPaths;
import io.lastfix.parse.profile.Profile.SourceField;
import io.lastfix.parse.profile.Profile.TimestampField;
import io.lastfix.parse.profile.Profile.TypeChoice;
import io.lastfix.parse.profile.Profile.UserField;
import io.lastfix.parse.shape.Confidence;
import io.lastfix.parse.shape.Numbers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Converts YAML to a profile. It reads the whole file before it fails, so that one message names
 * every problem.
 */
final class ProfileReader {
  private static final Set<String> POSITION_KEYS =
      Set.of(
          "lon",
          "lat",
          "coordinates",
          "shape",
          "accuracy",
          "accuracy-is",
          "confidence",
          "altitude",
          "source",
          "sources",
          "default-source",
          "invalid",
          "keep-shape");

  private static final List<PositionSource> SOURCES =
      List.of(PositionSource.GNSS, PositionSource.NETWORK, PositionSource.MLP);

  private static final FieldPath UNKNOWN_PATH = new FieldPath(List.of("unknown"), null);

  private final String name;
  private final String source;
  private final List<String> problems = new ArrayList<>();
  private final List<NamedPath> paths = new ArrayList<>();
  private Format format = Format.XML;

  ProfileReader(String name, String source) {
    this.name = name;
    this.source = source;
  }

  /**
   * Reads the tree of a file.
   *
   * @throws IllegalArgumentException if the profile is invalid; names every problem
   */
  Profile read(JsonNode root) {
    if (!root.isObject()) {
      throw new IllegalArgumentException(source + ": expected keys such as format, record, user");
    }
    checkKeys(
        "",
        root,
        Set.of(
            "format",
            "record",
            "error",
            "only",
            "batch",
            "pairs",
            "user",
            "cell",
            "position",
            "timestamp"));
    format = format(root);
    List<String> record = record(root);
    FieldPath error = elementPath("", root, "error");
    Condition only =
        root.hasNonNull("only")
            ? condition("only", root.get("only"), Set.of("path", "values", "place"))
            : null;
    boolean needsPlace = only != null && isTrue("only", root.get("only"), "place");
    List<String> batch = batch(root);
    Pairs pairs = root.hasNonNull("pairs") ? pairs(root.get("pairs")) : null;
    List<UserField> users = required(root, "user", this::user);
    List<CellField> cells = alternatives(root, "cell", this::cell);
    List<PositionField> positions = alternatives(root, "position", this::position);
    if (cells.isEmpty() && positions.isEmpty()) {
      problem("cell", "missing; expected cell, position or both");
    }
    if (positions.stream().filter(field -> field.paths().shape() != null).count() > 1) {
      problem("position", "expected at most one shape");
    }
    List<TimestampField> timestamps = required(root, "timestamp", this::timestamp);
    checkWholeElements(positions);
    checkPairs(pairs, positions);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "Profile " + source + " cannot be used:\n  " + String.join("\n  ", problems));
    }
    return new Profile(
        name,
        format,
        record,
        error,
        only,
        needsPlace,
        batch,
        pairs,
        users,
        cells,
        positions,
        timestamps);
  }

  private Format format(JsonNode root) {
    String text = requiredText("", root, "format");
    for (Format known : Format.values()) {
      if (known.name().toLowerCase(Locale.ROOT).equals(text)) {
        return known;
      }
    }
    if (text != null) {
      problem("format", "expected xml, json or form, found '" + text + "'");
    }
    return Format.XML;
  }

  private List<String> record(JsonNode root) {
    if (format != Format.XML) {
      FieldPath path = elementPath("", root, "record");
      return path == null ? List.of() : path.elements();
    }
    List<String> names = texts("", root, "record");
    if (names.isEmpty()) {
      problem("record", "missing: expected the name of an element, or a list of names");
    }
    for (String element : names) {
      if (!FieldPath.isName(element)) {
        problem(
            "record", "expected the name of an element, without prefix, found '" + element + "'");
      }
    }
    return names;
  }

  private boolean isTrue(String parent, JsonNode node, String key) {
    JsonNode value = node.path(key);
    if (!value.isMissingNode() && !value.isBoolean()) {
      problem(join(parent, key), "expected true or false");
    }
    return value.booleanValue();
  }

  private List<String> batch(JsonNode root) {
    List<String> names = texts("", root, "batch");
    if (format == Format.XML && !names.isEmpty()) {
      problem("batch", "expected only in JSON");
    } else if (root.hasNonNull("record") && !names.isEmpty()) {
      problem("batch", "expected only without record");
    }
    for (String member : names) {
      if (!FieldPath.isName(member)) {
        problem(
            "batch", "expected the name of a member, or a list of names, found '" + member + "'");
      }
    }
    return names;
  }

  private <T> List<T> alternatives(
      JsonNode root, String key, BiFunction<String, JsonNode, T> read) {
    JsonNode node = root.path(key);
    List<T> all = new ArrayList<>();
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        all.add(read.apply(key + "[" + i + "]", node.get(i)));
      }
    } else if (!node.isMissingNode() && !node.isNull()) {
      all.add(read.apply(key, node));
    }
    return all;
  }

  private <T> List<T> required(JsonNode root, String key, BiFunction<String, JsonNode, T> read) {
    List<T> all = alternatives(root, key, read);
    if (all.isEmpty()) {
      problem(key, "missing");
    }
    return all;
  }

  private UserField user(String key, JsonNode node) {
    if (!node.isObject()) {
      return new UserField(path(key, node), null);
    }
    checkKeys(key, node, Set.of("path", "type", "default-type", "prefer"));
    FieldPath path = requiredPath(key, node, "path");
    if (!node.has("type") && !node.has("prefer") && !node.has("default-type")) {
      return new UserField(path, null);
    }
    String type = requiredText(key, node, "type");
    if (type != null && !(type.startsWith("@") && FieldPath.isName(type.substring(1)))) {
      problem(key + ".type", "expected an @attribute of the path's element, found '" + type + "'");
    } else if (format != Format.XML || path.attribute() != null) {
      problem(key + ".type", "expected only beside the path of an XML element");
    }
    List<String> preferred = texts(key, node, "prefer");
    if (preferred.isEmpty()) {
      problem(key + ".prefer", "missing: expected a list of types, the best first");
    }
    String attribute = type == null ? "" : type.replace("@", "");
    return new UserField(
        path, new TypeChoice(attribute, optionalText(key, node, "default-type"), preferred));
  }

  private CellField cell(String key, JsonNode node) {
    if (!node.isObject()) {
      problem(key, "expected mcc, mnc, area and cid, or text");
      return new CellField(null, null, null, null, null, null, null);
    }
    checkKeys(key, node, Set.of("mcc", "mnc", "area", "cid", "text", "radio", "constant-radio"));
    boolean byText = node.has("text");
    if (byText) {
      for (String part : List.of("mcc", "mnc", "area", "cid")) {
        if (node.has(part)) {
          problem(key + "." + part, "expected text or parts, found both");
        }
      }
    }
    return new CellField(
        byText ? null : requiredPath(key, node, "mcc"),
        byText ? null : requiredPath(key, node, "mnc"),
        byText ? null : optionalPath(key, node, "area"),
        byText ? null : requiredPath(key, node, "cid"),
        optionalPath(key, node, "text"),
        optionalPath(key, node, "radio"),
        constantRadio(key, node));
  }

  private @Nullable Radio constantRadio(String key, JsonNode node) {
    String text = optionalText(key, node, "constant-radio");
    Radio radio = text == null ? null : Radio.parse(text).orElse(null);
    if (text != null && radio == null) {
      problem(
          key + ".constant-radio",
          "expected one of " + List.of(Radio.values()) + ", found '" + text + "'");
    }
    return radio;
  }

  private PositionField position(String key, JsonNode node) {
    if (!node.isObject()) {
      problem(key, "expected lon and lat, coordinates, or shape");
    }
    checkKeys(key, node, POSITION_KEYS);
    PositionPaths paths = positionPaths(key, node);
    return new PositionField(
        paths,
        percent(key, node),
        sourceField(key, node),
        node.hasNonNull("invalid")
            ? condition(key + ".invalid", node.get("invalid"), Set.of("path", "values"))
            : null,
        keepsShape(key, node, paths));
  }

  private PositionPaths positionPaths(String key, JsonNode node) {
    FieldPath lon = optionalPath(key, node, "lon");
    FieldPath lat = optionalPath(key, node, "lat");
    FieldPath coordinates = elementPath(key, node, "coordinates");
    FieldPath shape = elementPath(key, node, "shape");
    if ((lon == null) != (lat == null)) {
      problem(join(key, lon == null ? "lon" : "lat"), "missing");
    }
    int ways = (lon == null && lat == null ? 0 : 1) + (coordinates == null ? 0 : 1);
    ways += shape == null ? 0 : 1;
    if (ways != 1) {
      problem(
          key,
          "expected lon and lat, coordinates, or shape, "
              + (ways == 0 ? "found none" : "found several"));
    }
    if (coordinates != null && format == Format.XML) {
      problem(join(key, "coordinates"), "expected only in JSON");
    }
    if (shape != null && format != Format.XML) {
      problem(join(key, "shape"), "expected only in XML");
    }
    if (lon != null && lon.equals(lat)) {
      problem(join(key, "lat"), "expected another path than that of lon");
    }
    FieldPath accuracy = optionalPath(key, node, "accuracy");
    if (accuracy == null && shape == null) {
      for (String unused : List.of("accuracy-is", "confidence")) {
        if (node.has(unused)) {
          problem(join(key, unused), "expected only beside accuracy or shape");
        }
      }
    }
    if (accuracy != null && shape != null) {
      problem(join(key, "accuracy"), "expected none beside shape, which has a radius");
    }
    return new PositionPaths(
        lon,
        lat,
        coordinates,
        shape,
        accuracy,
        optionalPath(key, node, "confidence"),
        optionalPath(key, node, "altitude"));
  }

  private double percent(String key, JsonNode node) {
    String text = optionalText(key, node, "accuracy-is");
    if (text == null) {
      return Confidence.STORED_PERCENT;
    }
    char[] chars = text.toCharArray();
    double percent = text.endsWith("%") ? Numbers.parse(chars, 0, chars.length - 1) : Double.NaN;
    if (!(percent >= 1 && percent <= 100)) {
      problem(
          join(key, "accuracy-is"),
          "expected the probability that the position is within the accuracy, 1% to 100%, found '"
              + text
              + "'");
      return Confidence.STORED_PERCENT;
    }
    return percent;
  }

  private SourceField sourceField(String key, JsonNode node) {
    FieldPath path = optionalPath(key, node, "source");
    Map<String, PositionSource> names = new HashMap<>();
    JsonNode sources = node.path("sources");
    if (sources.isObject()) {
      sources
          .properties()
          .forEach(
              entry ->
                  names.put(
                      entry.getKey().toLowerCase(Locale.ROOT),
                      source(key + ".sources." + entry.getKey(), entry.getValue().asText())));
    } else if (!sources.isMissingNode()) {
      problem(
          key + ".sources", "expected the format's names and what they mean, such as gps: gnss");
    } else {
      SOURCES.forEach(source -> names.put(source.text(), source));
    }
    if (path == null && !sources.isMissingNode()) {
      problem(key + ".source", "missing beside sources");
    }
    String otherwise = requiredText(key, node, "default-source");
    return new SourceField(
        path,
        names,
        otherwise == null ? PositionSource.GNSS : source(key + ".default-source", otherwise));
  }

  private PositionSource source(String key, String text) {
    for (PositionSource source : SOURCES) {
      if (source.text().equals(text)) {
        return source;
      }
    }
    problem(key, "expected gnss, network or mlp, found '" + text + "'");
    return PositionSource.GNSS;
  }

  private boolean keepsShape(String key, JsonNode node, PositionPaths paths) {
    boolean keepsShape = isTrue(key, node, "keep-shape");
    if (keepsShape && paths.shape() == null) {
      problem(key + ".keep-shape", "expected only beside shape");
    }
    return keepsShape;
  }

  private Condition condition(String key, JsonNode node, Set<String> keys) {
    if (!node.isObject()) {
      problem(key, "expected path and values");
      return new Condition(UNKNOWN_PATH, List.of());
    }
    checkKeys(key, node, keys);
    FieldPath path = requiredPath(key, node, "path");
    List<String> values = texts(key, node, "values");
    if (values.isEmpty()) {
      problem(key + ".values", "missing: expected a list of texts");
    }
    return new Condition(path, values);
  }

  private Pairs pairs(JsonNode node) {
    if (!node.isObject()) {
      problem("pairs", "expected path, name and value");
      return new Pairs(UNKNOWN_PATH, "", "");
    }
    checkKeys("pairs", node, Set.of("path", "name", "value"));
    if (format == Format.XML) {
      problem("pairs", "expected only in JSON");
    }
    FieldPath path = elementPath("pairs", node, "path");
    if (path == null && !node.hasNonNull("path")) {
      problem("pairs.path", "missing");
    }
    String member = requiredText("pairs", node, "name");
    String value = requiredText("pairs", node, "value");
    if (member != null && member.equals(value)) {
      problem("pairs.value", "expected another member than that of name");
    }
    return new Pairs(
        path == null ? UNKNOWN_PATH : path,
        member == null ? "" : member,
        value == null ? "" : value);
  }

  /** A pair has one text or number, so a path ends one step inside the list. */
  private void checkPairs(@Nullable Pairs pairs, List<PositionField> positions) {
    if (pairs == null) {
      return;
    }
    int length = pairs.path().elements().size() + 1;
    for (NamedPath named : paths) {
      if (!named.key().equals("pairs.path")
          && startsWith(named.path(), pairs.path())
          && named.path().elements().size() != length) {
        problem(
            named.key(),
            "expected the name of one pair after "
                + pairs.path()
                + ", found '"
                + named.path()
                + "'");
      }
    }
    for (PositionField position : positions) {
      FieldPath coordinates = position.paths().coordinates();
      if (coordinates != null && startsWith(coordinates, pairs.path())) {
        problem("position.coordinates", "expected a path outside of " + pairs.path());
      }
    }
  }

  private TimestampField timestamp(String key, JsonNode node) {
    if (!node.isObject()) {
      problem(key, "expected path and format");
      return new TimestampField(UNKNOWN_PATH, "auto", null);
    }
    checkKeys(key, node, Set.of("path", "format", "offset"));
    String timeFormat = requiredText(key, node, "format");
    if (timeFormat != null) {
      try {
        TimestampParser.of(timeFormat);
      } catch (IllegalArgumentException e) {
        problem(key + ".format", String.valueOf(e.getMessage()));
      }
    }
    return new TimestampField(
        requiredPath(key, node, "path"),
        timeFormat == null ? "auto" : timeFormat,
        optionalPath(key, node, "offset"));
  }

  private FieldPath requiredPath(String parent, JsonNode node, String key) {
    FieldPath path = optionalPath(parent, node, key);
    if (path == null) {
      problem(join(parent, key), "missing");
      return UNKNOWN_PATH;
    }
    return path;
  }

  private @Nullable FieldPath optionalPath(String parent, JsonNode node, String key) {
    JsonNode value = node.path(key);
    return value.isMissingNode() || value.isNull() ? null : path(join(parent, key), value);
  }

  /** Reads a path that may not end in an attribute. */
  private @Nullable FieldPath elementPath(String parent, JsonNode node, String key) {
    FieldPath path = optionalPath(parent, node, key);
    if (path != null && path.attribute() != null) {
      problem(join(parent, key), "expected no @attribute, found '" + path + "'");
    }
    return path;
  }

  /** A path that a profile names, and where it does so. */
  private record NamedPath(String key, FieldPath path) {}

  /** A shape and an array of coordinates are read whole, so no other field may be in them. */
  private void checkWholeElements(List<PositionField> positions) {
    for (PositionField position : positions) {
      checkNothingInside("shape", position.paths().shape());
      checkNothingInside("coordinates", position.paths().coordinates());
    }
  }

  private void checkNothingInside(String what, @Nullable FieldPath whole) {
    if (whole == null) {
      return;
    }
    for (NamedPath named : paths) {
      boolean isItself = named.key().endsWith("." + what) && named.path().equals(whole);
      if (!isItself && startsWith(named.path(), whole)) {
        problem(named.key(), "expected a path outside of the " + what + " at " + whole);
      }
    }
  }

  private static boolean startsWith(FieldPath path, FieldPath start) {
    int length = start.elements().size();
    return path.elements().size() >= length
        && path.elements().subList(0, length).equals(start.elements());
  }

  private FieldPath path(String key, JsonNode value) {
    if (!value.isTextual()) {
      problem(key, "expected a path such as cell/mcc");
      return UNKNOWN_PATH;
    }
    try {
      FieldPath path = FieldPath.parse(value.textValue());
      if (path.attribute() != null && format != Format.XML) {
        problem(key, "expected no @attribute in JSON, found '" + path + "'");
      }
      paths.add(new NamedPath(key, path));
      return path;
    } catch (IllegalArgumentException e) {
      problem(key, String.valueOf(e.getMessage()));
      return UNKNOWN_PATH;
    }
  }

  private @Nullable String requiredText(String parent, JsonNode node, String key) {
    String text = optionalText(parent, node, key);
    if (text == null && !node.hasNonNull(key)) {
      problem(join(parent, key), "missing");
    }
    return text;
  }

  private @Nullable String optionalText(String parent, JsonNode node, String key) {
    JsonNode value = node.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isTextual() || value.textValue().isBlank()) {
      problem(join(parent, key), "expected a text");
      return null;
    }
    return value.textValue();
  }

  private List<String> texts(String parent, JsonNode node, String key) {
    JsonNode value = node.path(key);
    if (!value.isArray()) {
      String text = optionalText(parent, node, key);
      return text == null ? List.of() : List.of(text);
    }
    List<String> all = new ArrayList<>();
    for (JsonNode element : value) {
      if (element.isTextual() && !element.textValue().isBlank()) {
        all.add(element.textValue());
      } else {
        problem(join(parent, key), "expected a list of texts, none of them empty");
      }
    }
    return all;
  }

  private void checkKeys(String parent, JsonNode node, Set<String> known) {
    for (Iterator<String> keys = node.fieldNames(); keys.hasNext(); ) {
      String key = keys.next();
      if (!known.contains(key)) {
        problem(
            join(parent, key), "unknown key; expected one of " + known.stream().sorted().toList());
      }
    }
  }

  private static String join(String parent, String key) {
    return parent.isEmpty() ? key : parent + "." + key;
  }

  private void problem(String key, String what) {
    problems.add(key + ": " + what);
  }
}
