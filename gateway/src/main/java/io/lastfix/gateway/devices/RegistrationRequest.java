package io.lastfix.gateway.devices;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /v1/devices}.
 *
 * @param uuid what the device calls itself; null: it is given one, and cannot register again as the
 *     same device
 * @param deviceClass the kind of device
 * @param manifest what it can do; null if it does not say
 */
public record RegistrationRequest(
    @Nullable UUID uuid, String deviceClass, @Nullable Manifest manifest) {
  /** More than any agent sends; Kafka's own limit for a message is 1 MiB. */
  public static final int MAX_MANIFEST_BYTES = 512 * 1024;

  private static final int MAX_DEPTH = 100;

  /** UUID.fromString also takes shorter texts. */
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION)
          .build();

  /** Checks the class. */
  public RegistrationRequest {
    Names.requireClass(deviceClass);
  }

  /**
   * Reads the body. Unknown members are skipped.
   *
   * @throws IllegalArgumentException if it is wrong; says which member, and what is expected
   */
  public static RegistrationRequest parse(byte[] body) {
    JsonNode json;
    try {
      json = JSON.readTree(body);
    } catch (IOException e) {
      // Its message quotes the body.
      throw new IllegalArgumentException(
          "The body is no valid JSON: send an object such as {\"uuid\": \"…\", \"class\": \"phone\"}");
    }
    if (!json.isObject()) {
      throw new IllegalArgumentException(
          "The body is no JSON object: send one such as {\"uuid\": \"…\", \"class\": \"phone\"}");
    }
    JsonNode deviceClass = json.path("class");
    if (!deviceClass.isTextual()) {
      throw new IllegalArgumentException(
          "class: expected a text that names the kind of device, such as \"phone\"");
    }
    return new RegistrationRequest(
        uuid(json.path("uuid")), deviceClass.asText(), manifest(json.path("manifest")));
  }

  private static @Nullable UUID uuid(JsonNode json) {
    if (json.isMissingNode() || json.isNull()) {
      return null;
    }
    if (!json.isTextual() || !UUID_FORM.matcher(json.asText()).matches()) {
      throw new IllegalArgumentException(
          "uuid: expected the form 01234567-89ab-4def-8123-456789abcdef of RFC 9562");
    }
    return UUID.fromString(json.asText().toLowerCase(Locale.ROOT));
  }

  private static @Nullable Manifest manifest(JsonNode json) {
    if (json.isMissingNode() || json.isNull()) {
      return null;
    }
    if (!(json instanceof ObjectNode object)) {
      throw new IllegalArgumentException("manifest: expected an object");
    }
    Manifest manifest = Manifest.of(object);
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(manifest.json())) {
      throw new IllegalArgumentException(
          "manifest: expected texts of Unicode, found half of a surrogate pair (\\ud800 to \\udfff)");
    }
    if (manifest.bytes() > MAX_MANIFEST_BYTES) {
      throw new IllegalArgumentException(
          "manifest: expected at most %d bytes, found %d"
              .formatted(MAX_MANIFEST_BYTES, manifest.bytes()));
    }
    return manifest;
  }
}
