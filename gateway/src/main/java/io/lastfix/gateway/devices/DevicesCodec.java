package io.lastfix.gateway.devices;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.lastfix.model.UserPatterns;
import io.lastfix.model.device.DeviceUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The messages of {@code lastfix.devices} as bytes: a text as key, a JSON object as value. Each
 * object has a version, {@code "v": 1}. Members that are unknown are skipped; a higher version is
 * an error, because its meaning may be another one. Keys of other prefixes belong to other
 * programs.
 */
public final class DevicesCodec {
  private static final int VERSION = 1;
  private static final String STATE = "state";
  private static final String SPEAKS_FOR = "speaksFor";
  private static final String SINCE = "since";
  private static final String EARLIER = "earlier";
  private static final String DROPPED = "dropped";
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private DevicesCodec() {}

  /** The value's bytes; null removes the key. */
  public static byte @Nullable [] value(DevicesMessage message) {
    ObjectNode json = JSON.createObjectNode().put("v", VERSION);
    if (message instanceof DevicesMessage.OfGroup of && of.group() != null) {
      Group group = of.group();
      group.keys().forEach(json.putArray("keys")::add);
      group.tokens().forEach(json.putArray("tokens")::add);
      json.put("created", group.created().toString());
      if (!group.speaksFor().isEmpty()) {
        group.speaksFor().list().forEach(json.putArray(SPEAKS_FOR)::add);
      }
      if (!group.dropped().isEmpty()) {
        ObjectNode dropped = json.putObject(DROPPED);
        group.dropped().forEach((key, at) -> dropped.put(key, at.toString()));
      }
    } else if (message instanceof DevicesMessage.OfDevice of && of.device() != null) {
      RegisteredDevice device = of.device();
      json.put("group", device.group())
          .put("uuid", device.uuid().toString())
          .put("class", device.deviceClass())
          .put("manifest", device.manifest())
          .put("registered", device.registered().toString());
    } else if (message instanceof DevicesMessage.OfState of && of.state() != null) {
      put(json, new DeviceDecision(of.since(), of.state()));
      if (!of.earlier().isEmpty()) {
        ArrayNode earlier = json.putArray(EARLIER);
        of.earlier().forEach(decision -> put(earlier.addObject(), decision));
      }
    } else if (message instanceof DevicesMessage.OfUsage of && of.usage() != null) {
      return of.usage().json().getBytes(StandardCharsets.UTF_8);
    } else if (message instanceof DevicesMessage.OfManifest of && of.json() != null) {
      json.putRawValue("manifest", new RawValue(of.json())).put("group", of.group());
    } else {
      return null;
    }
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void put(ObjectNode json, DeviceDecision decision) {
    json.put("generation", decision.state().generation())
        .put("disabled", decision.state().disabled());
    if (decision.since() != null) {
      json.put(SINCE, decision.since().toString());
    }
  }

  /**
   * Reads a message; empty if its key has another prefix.
   *
   * @throws DevicesFormatException if it cannot be read; the message says why, without its content
   */
  public static Optional<DevicesMessage> read(byte @Nullable [] key, byte @Nullable [] value)
      throws DevicesFormatException {
    String text = key == null ? "" : new String(key, StandardCharsets.UTF_8);
    int slash = text.indexOf('/');
    String name = text.substring(slash + 1);
    try {
      return Optional.ofNullable(
          switch (text.substring(0, Math.max(0, slash))) {
            case "group" ->
                new DevicesMessage.OfGroup(
                    Names.requireGroup(name), value == null ? null : group(name, json(value)));
            case "device" ->
                new DevicesMessage.OfDevice(
                    DeviceId.parse(name), value == null ? null : device(json(value)));
            case STATE ->
                value == null
                    ? new DevicesMessage.OfState(DeviceId.parse(name), null)
                    : decision(DeviceId.parse(name), json(value));
            case "usage" ->
                new DevicesMessage.OfUsage(name, value == null ? null : usage(name, json(value)));
            case "manifest" ->
                manifest(Names.requireHash(name), value == null ? null : json(value));
            default -> null;
          });
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      throw new DevicesFormatException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * What counts in place of a message that cannot be read: a decision about a device counts as
   * "disabled", because it may be one. Other messages count as if they had not been written.
   */
  static Optional<DevicesMessage> insteadOfUnreadable(byte @Nullable [] key) {
    String text = key == null ? "" : new String(key, StandardCharsets.UTF_8);
    if (!text.startsWith(STATE + "/")) {
      return Optional.empty();
    }
    try {
      DeviceId id = DeviceId.parse(text.substring(STATE.length() + 1));
      return Optional.of(new DevicesMessage.OfState(id, DeviceState.INITIAL.withDisabled(true)));
    } catch (IllegalArgumentException e) {
      // Of no device, so it decides about none.
      return Optional.empty();
    }
  }

  private static JsonNode json(byte[] value) throws DevicesFormatException {
    JsonNode json;
    try {
      json = JSON.readTree(value);
    } catch (IOException e) {
      // Its message quotes the value.
      throw new DevicesFormatException("the value is no JSON", null);
    }
    int version = json.path("v").asInt(0);
    if (version != VERSION) {
      throw new DevicesFormatException(
          "the value has version %d, and this release reads version %d: upgrade it"
              .formatted(version, VERSION),
          null);
    }
    return json;
  }

  private static Group group(String name, JsonNode json) throws DevicesFormatException {
    return new Group(
        name,
        texts(json, "keys"),
        texts(json, "tokens"),
        Instant.parse(member(json, "created").asText()),
        new UserPatterns(json.has(SPEAKS_FOR) ? texts(json, SPEAKS_FOR) : List.of()),
        dropped(json));
  }

  private static RegisteredDevice device(JsonNode json) throws DevicesFormatException {
    JsonNode manifest = json.path("manifest");
    return new RegisteredDevice(
        member(json, "group").asText(),
        UUID.fromString(member(json, "uuid").asText()),
        member(json, "class").asText(),
        manifest.isTextual() ? manifest.asText() : null,
        Instant.parse(member(json, "registered").asText()));
  }

  private static DevicesMessage manifest(String hash, @Nullable JsonNode json)
      throws DevicesFormatException {
    if (json == null) {
      return DevicesMessage.OfManifest.removed(hash);
    }
    return new DevicesMessage.OfManifest(
        hash, member(json, "manifest").toString(), member(json, "group").asText());
  }

  private static DevicesMessage decision(DeviceId id, JsonNode json) throws DevicesFormatException {
    List<DeviceDecision> earlier = new ArrayList<>();
    for (JsonNode decision : json.path(EARLIER)) {
      earlier.add(new DeviceDecision(since(decision), state(decision)));
    }
    return new DevicesMessage.OfState(id, state(json), since(json), earlier);
  }

  private static @Nullable Instant since(JsonNode json) {
    return json.has(SINCE) ? Instant.parse(json.path(SINCE).asText()) : null;
  }

  private static Map<String, Instant> dropped(JsonNode json) {
    Map<String, Instant> dropped = new TreeMap<>();
    json.path(DROPPED)
        .properties()
        .forEach(key -> dropped.put(key.getKey(), Instant.parse(key.getValue().asText())));
    return dropped;
  }

  private static DeviceState state(JsonNode json) throws DevicesFormatException {
    // Jackson would convert: "yes" to false, and a number beyond an int to another one.
    JsonNode generation = member(json, "generation");
    JsonNode disabled = member(json, "disabled");
    if (!generation.isIntegralNumber() || !generation.canConvertToInt()) {
      throw new DevicesFormatException("generation is no whole number of 32 bits", null);
    }
    if (!disabled.isBoolean()) {
      throw new DevicesFormatException("disabled is neither true nor false", null);
    }
    return new DeviceState(generation.intValue(), disabled.booleanValue());
  }

  private static DeviceUsage usage(String device, JsonNode json) throws DevicesFormatException {
    return new DeviceUsage(
        device,
        LocalDate.parse(member(json, "day").asText()),
        number(json, "bytes"),
        Math.toIntExact(number(json, "partition")),
        number(json, "offset"));
  }

  private static long number(JsonNode json, String name) throws DevicesFormatException {
    JsonNode number = member(json, name);
    if (!number.isIntegralNumber() || !number.canConvertToLong()) {
      throw new DevicesFormatException(name + " is no whole number of 64 bits", null);
    }
    return number.longValue();
  }

  private static List<String> texts(JsonNode json, String name) throws DevicesFormatException {
    List<String> texts = new ArrayList<>();
    member(json, name).forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static JsonNode member(JsonNode json, String name) throws DevicesFormatException {
    JsonNode member = json.path(name);
    if (member.isMissingNode() || member.isNull()) {
      throw new DevicesFormatException("the value has no member " + name, null);
    }
    return member;
  }
}
