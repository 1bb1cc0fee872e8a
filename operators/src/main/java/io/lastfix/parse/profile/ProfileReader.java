package io.lastfix.parse.profile;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.model.Radio;
import io.lastfix.parse.profile.Profile.CellField;
import io.lastfix.parse.profile.Profile.Format;
import io.lastfix.parse.profile.Profile.TimestampField;
import io.lastfix.parse.profile.Profile.TypeChoice;
import io.lastfix.parse.profile.Profile.UserField;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Converts YAML to a profile. It reads the whole file before it fails, so that one message names
 * every problem.
 */
final class ProfileReader {
  private static final FieldPath UNKNOWN_PATH = new FieldPath(List.of("unknown"), null);

  private final String name;
  private final String source;
  private final List<String> problems = new ArrayList<>();
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
    checkKeys("", root, Set.of("format", "record", "error", "user", "cell", "timestamp"));
    format = format(root);
    List<String> record = record(root);
    FieldPath error = elementPath("", root, "error");
    List<UserField> users = alternatives(root, "user", this::user);
    List<CellField> cells = alternatives(root, "cell", this::cell);
    List<TimestampField> timestamps = alternatives(root, "timestamp", this::timestamp);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "Profile " + source + " cannot be used:\n  " + String.join("\n  ", problems));
    }
    return new Profile(name, format, record, error, users, cells, timestamps);
  }

  private Format format(JsonNode root) {
    String text = requiredText("", root, "format");
    if (text != null && !text.equals("xml") && !text.equals("json")) {
      problem("format", "expected xml or json, found '" + text + "'");
    }
    return "json".equals(text) ? Format.JSON : Format.XML;
  }

  private List<String> record(JsonNode root) {
    if (format == Format.JSON) {
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
    } else if (format == Format.JSON || path.attribute() != null) {
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

  private FieldPath path(String key, JsonNode value) {
    if (!value.isTextual()) {
      problem(key, "expected a path such as cell/mcc");
      return UNKNOWN_PATH;
    }
    try {
      FieldPath path = FieldPath.parse(value.textValue());
      if (path.attribute() != null && format == Format.JSON) {
        problem(key, "expected no @attribute in JSON, found '" + path + "'");
      }
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
      if (element.isTextual()) {
        all.add(element.textValue());
      } else {
        problem(join(parent, key), "expected a list of texts");
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
