package io.lastfix.rules.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.kit.digest.Sha256;
import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The messages of {@code lastfix.alerts} as bytes: the user as key, a JSON object as value. What is
 * not known is absent. Unknown members are skipped.
 */
public final class AlertCodec {
  /** Without a limit, one message of another program could fill the memory. */
  private static final int MAX_BYTES = 1 << 20;

  /** Each becomes a delivery of notify. A rule may have eight; a later release may allow more. */
  private static final int MAX_ACTIONS = 64;

  private static final int DIGITS_OF_ID = 32;
  private static final ObjectMapper JSON = new ObjectMapper();

  private AlertCodec() {}

  /**
   * Returns the id, by which a receiver recognises a repeat: the first 32 hexadecimal digits of the
   * SHA-256 of rule, version, kind, instant and user as in the message, with a blank between each.
   */
  public static String id(Alert alert) {
    // The user comes last, since no other part can have a blank. Not formatted: some locales have
    // other digits.
    return Sha256.hex(
            String.join(
                " ",
                alert.rule(),
                Long.toString(alert.version()),
                alert.kind().text(),
                instant(alert.atMillis()),
                alert.user()))
        .substring(0, DIGITS_OF_ID);
  }

  /** Returns the key's bytes. */
  public static byte[] key(Alert alert) {
    return alert.user().getBytes(UTF_8);
  }

  /** Returns the value's bytes. */
  public static byte[] value(Alert alert) {
    return json(alert).toString().getBytes(UTF_8);
  }

  /** Returns the value. */
  public static ObjectNode json(Alert alert) {
    ObjectNode json =
        JSON.createObjectNode()
            .put("id", id(alert))
            .put("user", alert.user())
            .put("rule", alert.rule())
            .put("v", alert.version())
            .put("kind", alert.kind().text())
            .put("at", instant(alert.atMillis()))
            .put("confirmed", instant(alert.confirmedMillis()));
    if (alert.fence() != null) {
      json.put("fence", alert.fence());
    }
    json.put("cause", alert.cause().text());
    Position position = alert.position();
    if (position != null) {
      json.putObject("loc").put("lon", position.lon()).put("lat", position.lat());
    }
    if (alert.cell() != null) {
      json.put("cell", alert.cell().toString());
    }
    if (alert.source() != null) {
      json.put("src", alert.source().text());
    }
    if (alert.accuracyMeters() != null) {
      json.put("acc", alert.accuracyMeters());
    }
    json.put("certainty", alert.certainty()).put("counted", alert.counted());
    ArrayNode then = json.putArray("then");
    alert.then().forEach(action -> then.addObject().put(action.kind().text(), action.target()));
    return json;
  }

  private static String instant(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  /**
   * Reads a value.
   *
   * @throws AlertFormatException if it cannot be read; the message says why, without the user
   */
  public static Alert read(byte @Nullable [] value) throws AlertFormatException {
    JsonNode json = tree(value);
    JsonNode loc = json.path("loc");
    JsonNode cell = json.path("cell");
    JsonNode accuracy = json.path("acc");
    try {
      return new Alert(
          text(json, "user"),
          millis(json, "at"),
          text(json, "rule"),
          whole(json, "v"),
          constant(json, "kind", Alert.Kind::find),
          millis(json, "confirmed"),
          json.has("fence") ? text(json, "fence") : null,
          constant(json, "cause", Alert.Cause::find),
          loc.isMissingNode() ? null : new Position(number(loc, "lon"), number(loc, "lat")),
          cell.isTextual() ? CellId.parse(cell.textValue()) : null,
          json.has("src") ? PositionSource.ofText(text(json, "src")) : null,
          accuracy.isNumber() ? accuracy.doubleValue() : null,
          number(json, "certainty"),
          whole(json, "counted"),
          actions(json.path("then")));
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      // Some of these messages quote the value.
      throw new AlertFormatException("one of its values is not possible", e);
    }
  }

  /**
   * Returns the value with those actions only that {@link #read} skips; null if it skips none.
   *
   * @param value one that can be read, so it is an object
   */
  public static byte @Nullable [] ofUnknownActions(byte @Nullable [] value)
      throws AlertFormatException {
    ObjectNode json = (ObjectNode) tree(value);
    ArrayNode unknown = JSON.createArrayNode();
    for (JsonNode action : json.path("then")) {
      if (known(action).isEmpty()) {
        unknown.add(action);
      }
    }
    json.set("then", unknown);
    return unknown.isEmpty() ? null : json.toString().getBytes(UTF_8);
  }

  private static JsonNode tree(byte @Nullable [] value) throws AlertFormatException {
    if (value == null) {
      throw new AlertFormatException("it has no value", null);
    }
    if (value.length > MAX_BYTES) {
      throw new AlertFormatException("the value has more than %d bytes".formatted(MAX_BYTES), null);
    }
    try {
      return JSON.readTree(value);
    } catch (IOException e) {
      // Its message quotes the value.
      throw new AlertFormatException("the value is no JSON", null);
    }
  }

  /** Skips kinds of a later release. */
  private static List<Action> actions(JsonNode json) throws AlertFormatException {
    if (!json.isArray() && !json.isMissingNode()) {
      throw new AlertFormatException("then is no array", null);
    }
    if (json.size() > MAX_ACTIONS) {
      throw new AlertFormatException("then has more than %d actions".formatted(MAX_ACTIONS), null);
    }
    List<Action> actions = new ArrayList<>();
    json.forEach(action -> actions.addAll(known(action)));
    return actions;
  }

  private static List<Action> known(JsonNode action) {
    List<Action> known = new ArrayList<>();
    for (Action.Kind kind : Action.Kind.values()) {
      JsonNode target = action.path(kind.text());
      if (target.isTextual()) {
        known.add(new Action(kind, target.textValue()));
      }
    }
    return known;
  }

  private static String text(JsonNode json, String name) throws AlertFormatException {
    JsonNode member = json.path(name);
    if (!member.isTextual()) {
      throw new AlertFormatException("the value has no text " + name, null);
    }
    return member.textValue();
  }

  private static long millis(JsonNode json, String name) throws AlertFormatException {
    return Instant.parse(text(json, name)).toEpochMilli();
  }

  private static <T> T constant(JsonNode json, String name, Function<String, Optional<T>> find)
      throws AlertFormatException {
    return find.apply(text(json, name))
        .orElseThrow(() -> new AlertFormatException(name + " has an unknown text", null));
  }

  private static long whole(JsonNode json, String name) throws AlertFormatException {
    JsonNode member = json.path(name);
    if (!member.isIntegralNumber() || !member.canConvertToLong()) {
      throw new AlertFormatException(name + " is no whole number", null);
    }
    return member.longValue();
  }

  private static double number(JsonNode json, String name) throws AlertFormatException {
    JsonNode member = json.path(name);
    if (!member.isNumber()) {
      throw new AlertFormatException(name + " is no number", null);
    }
    return member.doubleValue();
  }
}
