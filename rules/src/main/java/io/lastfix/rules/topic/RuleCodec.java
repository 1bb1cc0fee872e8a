package io.lastfix.rules.topic;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
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

  /** Jackson's messages quote the value. */
  private static final String NO_JSON = "the value is no JSON";

  private static final String DELETED = "deleted";

  private static final Instant PUT_END = Instant.parse("9999-12-31T00:00:00Z");

  private static final ObjectMapper JSON = new ObjectMapper();

  private RuleCodec() {}

  /** Returns the key's bytes. */
  public static byte[] key(RuleMessage message) {
    return message.key().getBytes(UTF_8);
  }

  /**
   * Returns the value's bytes.
   *
   * @throws IllegalArgumentException if the message is unreadable
   */
  public static byte[] value(RuleMessage message) {
    if (message instanceof RuleMessage.Unreadable unreadable) {
      throw new IllegalArgumentException(unreadable.words());
    }
    ObjectNode json =
        JSON.createObjectNode().put("id", message.id()).put("version", message.version());
    if (message instanceof RuleMessage.OfRule of && of.content() != null) {
      json.put("yaml", of.content().yaml())
          .put("by", of.content().by())
          .put("put", of.content().put().toString());
    } else if (message instanceof RuleMessage.OfFence of) {
      putFence(of.fence(), json);
      json.put("put", of.put().toString());
    } else if (message instanceof RuleMessage.OfPause of) {
      json.put("by", of.by()).put("reason", of.reason());
    } else {
      json.put(DELETED, true);
    }
    return json.toString().getBytes(UTF_8);
  }

  private static void putFence(@Nullable Fence fence, ObjectNode json) {
    if (fence == null) {
      json.put(DELETED, true);
      return;
    }
    json.set("geometry", FenceJson.geometry(fence.area()));
    if (fence.area() instanceof Fence.Circle circle) {
      json.put("radius", circle.radiusMeters());
    }
  }

  /**
   * Reads a message; empty if its key has another prefix. A message with a key of this release that
   * cannot be read is {@link RuleMessage.Unreadable}: its version counts all the same.
   *
   * @throws RuleFormatException if the key names no rule or fence, or there is no value; says why,
   *     without the content
   */
  public static Optional<RuleMessage> read(byte @Nullable [] key, byte @Nullable [] value)
      throws RuleFormatException {
    String text = key == null ? "" : new String(key, UTF_8);
    int slash = text.indexOf('/');
    String prefix = text.substring(0, Math.max(0, slash));
    if (!prefix.equals("rule") && !prefix.equals("fence") && !prefix.equals("pause")) {
      return Optional.empty();
    }
    String id = text.substring(slash + 1);
    if (!Ids.isValid(id)) {
      throw new RuleFormatException(Ids.EXPECTED);
    }
    if (value == null) {
      throw new RuleFormatException("it has no value");
    }
    long version = 0;
    try {
      version = version(value);
      return Optional.of(message(prefix, id, version, value));
    } catch (RuleFormatException e) {
      return Optional.of(new RuleMessage.Unreadable(text, version, String.valueOf(e.getMessage())));
    } catch (RuntimeException | StackOverflowError e) {
      // Without its message, which may quote the content.
      return Optional.of(new RuleMessage.Unreadable(text, version, e.getClass().getSimpleName()));
    }
  }

  /** Reads the version alone, which counts even if this release cannot read the rest. */
  private static long version(byte[] value) throws RuleFormatException {
    try (JsonParser parser = JSON.createParser(value)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          boolean isVersion = parser.currentName().equals("version");
          boolean isWhole =
              parser.nextToken() == JsonToken.VALUE_NUMBER_INT
                  && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
          if (isVersion && isWhole) {
            long version = parser.getLongValue();
            if (version >= 1 && version <= RuleMessage.MAX_VERSION) {
              return version;
            }
          }
          parser.skipChildren();
        }
      }
    } catch (IOException e) {
      throw new RuleFormatException(NO_JSON);
    }
    throw new RuleFormatException("version is no whole number from 1 to 2^53 - 1");
  }

  private static RuleMessage message(String prefix, String id, long version, byte[] value)
      throws RuleFormatException {
    if (value.length > MAX_BYTES) {
      throw new RuleFormatException("the value has more than %d bytes".formatted(MAX_BYTES));
    }
    JsonNode json;
    try {
      json = JSON.readTree(value);
    } catch (IOException e) {
      throw new RuleFormatException(NO_JSON);
    }
    boolean isDeleted = json.path(DELETED).asBoolean(false);
    return switch (prefix) {
      case "rule" -> new RuleMessage.OfRule(id, version, isDeleted ? null : content(json));
      case "fence" ->
          new RuleMessage.OfFence(
              id,
              version,
              // The first builds of 1.0.0 wrote none.
              json.has("put") ? put(json) : Instant.EPOCH,
              isDeleted ? null : fence(id, json));
      default -> new RuleMessage.OfPause(id, version, text(json, "by"), text(json, "reason"));
    };
  }

  private static RuleMessage.Content content(JsonNode json) throws RuleFormatException {
    return new RuleMessage.Content(text(json, "yaml"), text(json, "by"), put(json));
  }

  private static Instant put(JsonNode json) throws RuleFormatException {
    try {
      Instant put = Instant.parse(text(json, "put"));
      // Years that names of collections, and milliseconds, can have.
      if (!put.isBefore(Instant.EPOCH) && put.isBefore(PUT_END)) {
        return put;
      }
    } catch (DateTimeException e) {
      throw new RuleFormatException("put is no timestamp");
    }
    throw new RuleFormatException("put is no timestamp from 1970 to 9999");
  }

  private static Fence fence(String id, JsonNode json) throws RuleFormatException {
    JsonNode radius = json.path("radius");
    try {
      return FenceReader.readStored(
          id, json.path("geometry").toString(), radius.isNumber() ? radius.doubleValue() : null);
    } catch (TextException e) {
      throw new RuleFormatException("geometry and radius are no fence");
    }
  }

  private static String text(JsonNode json, String name) throws RuleFormatException {
    JsonNode member = json.path(name);
    if (!member.isTextual()) {
      throw new RuleFormatException("the value has no text " + name);
    }
    return member.textValue();
  }
}
