package io.lastfix.rules.topic;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.fence.FenceJson;
import io.lastfix.rules.fence.FenceReader;
import io.lastfix.rules.text.Ids;
import io.lastfix.rules.text.TextException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages of {@code lastfix.rules} as bytes: a text as key, a JSON object as value. Unknown
 * members are skipped. Keys with another prefix belong to other programs.
 */
public final class RuleCodec {
  /** Without a limit, one message of another program could fill the memory. */
  private static final int MAX_BYTES = 1 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private RuleCodec() {}

  /** Returns the key's bytes. */
  public static byte[] key(RuleMessage message) {
    return message.key().getBytes(UTF_8);
  }

  /** Returns the value's bytes. */
  public static byte[] value(RuleMessage message) {
    ObjectNode json =
        JSON.createObjectNode().put("id", message.id()).put("version", message.version());
    if (message instanceof RuleMessage.OfRule of && of.content() != null) {
      json.put("yaml", of.content().yaml())
          .put("by", of.content().by())
          .put("put", of.content().put().toString());
    } else if (message instanceof RuleMessage.OfFence of && of.fence() != null) {
      json.set("geometry", FenceJson.geometry(of.fence().area()));
      if (of.fence().area() instanceof Fence.Circle circle) {
        json.put("radius", circle.radiusMeters());
      }
    } else if (message instanceof RuleMessage.OfPause of) {
      json.put("by", of.by()).put("reason", of.reason());
    } else {
      json.put("deleted", true);
    }
    return json.toString().getBytes(UTF_8);
  }

  /**
   * Reads a message; empty if its key has another prefix.
   *
   * @throws RuleFormatException if it cannot be read; the message says why, without its content
   */
  public static Optional<RuleMessage> read(byte @Nullable [] key, byte @Nullable [] value)
      throws RuleFormatException {
    String text = key == null ? "" : new String(key, UTF_8);
    int slash = text.indexOf('/');
    String prefix = text.substring(0, Math.max(0, slash));
    if (!prefix.equals("rule") && !prefix.equals("fence") && !prefix.equals("pause")) {
      return Optional.empty();
    }
    try {
      String id = Ids.require(text.substring(slash + 1));
      JsonNode json = json(value);
      long version = version(json);
      boolean isDeleted = json.path("deleted").asBoolean(false);
      return Optional.of(
          switch (prefix) {
            case "rule" -> new RuleMessage.OfRule(id, version, isDeleted ? null : content(json));
            case "fence" ->
                new RuleMessage.OfFence(id, version, isDeleted ? null : fence(id, json));
            default -> new RuleMessage.OfPause(id, version, text(json, "by"), text(json, "reason"));
          });
    } catch (TextException | IllegalArgumentException | DateTimeException e) {
      throw new RuleFormatException(String.valueOf(e.getMessage()), e);
    }
  }

  private static JsonNode json(byte @Nullable [] value) throws RuleFormatException {
    if (value == null) {
      throw new RuleFormatException("it has no value", null);
    }
    if (value.length > MAX_BYTES) {
      throw new RuleFormatException("the value has more than %d bytes".formatted(MAX_BYTES), null);
    }
    try {
      return JSON.readTree(value);
    } catch (IOException e) {
      // Its message quotes the value.
      throw new RuleFormatException("the value is no JSON", null);
    }
  }

  private static long version(JsonNode json) throws RuleFormatException {
    JsonNode version = json.path("version");
    if (!version.isIntegralNumber() || !version.canConvertToLong() || version.longValue() < 1) {
      throw new RuleFormatException("version is no whole number of 1 or more", null);
    }
    return version.longValue();
  }

  private static RuleMessage.Content content(JsonNode json) throws RuleFormatException {
    return new RuleMessage.Content(
        text(json, "yaml"), text(json, "by"), Instant.parse(text(json, "put")));
  }

  private static Fence fence(String id, JsonNode json) throws RuleFormatException, TextException {
    JsonNode radius = json.path("radius");
    return FenceReader.read(
        id, json.path("geometry").toString(), radius.isNumber() ? radius.doubleValue() : null);
  }

  private static String text(JsonNode json, String name) throws RuleFormatException {
    JsonNode member = json.path(name);
    if (!member.isTextual()) {
      throw new RuleFormatException("the value has no text " + name, null);
    }
    return member.textValue();
  }
}
