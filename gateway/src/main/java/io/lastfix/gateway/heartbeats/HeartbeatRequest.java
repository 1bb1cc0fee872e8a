package io.lastfix.gateway.heartbeats;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A device's heartbeat, over HTTP and MQTT: {@code {seq, interval, class?, sdk?, manifest?,
 * status?}}. Unknown members are skipped.
 */
public final class HeartbeatRequest {
  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION)
          .build();

  /** The longest body; a heartbeat has about 200 bytes. */
  public static final int MAX_BYTES = 4 * 1024;

  private static final String EXAMPLE = "{\"seq\": 1, \"interval\": 60}";

  private HeartbeatRequest() {}

  /**
   * Reads the body.
   *
   * @param sdkHeader what the client calls itself in the request's head; the body overrides it
   * @throws IllegalArgumentException if it is wrong; says which member, and what is expected
   */
  public static Heartbeat parse(byte[] body, @Nullable String sdkHeader) {
    JsonNode json;
    try {
      json = JSON.readTree(body);
    } catch (IOException e) {
      // Its message quotes the body.
      throw new IllegalArgumentException(
          "The body is no valid JSON: send an object such as " + EXAMPLE);
    }
    if (!json.isObject()) {
      throw new IllegalArgumentException("The body is no JSON object: send one such as " + EXAMPLE);
    }
    String sdk = text(json, "sdk");
    return new Heartbeat(
        body.length,
        number(json, "seq"),
        (int) Math.min(Integer.MAX_VALUE, number(json, "interval")),
        text(json, "class"),
        sdk == null ? sdkHeader : sdk,
        text(json, "manifest"),
        text(json, "status"));
  }

  private static long number(JsonNode json, String name) {
    JsonNode member = json.path(name);
    if (!member.isIntegralNumber() || !member.canConvertToLong() || member.asLong() < 0) {
      throw new IllegalArgumentException(name + ": expected a whole number, 0 or more");
    }
    return member.asLong();
  }

  private static @Nullable String text(JsonNode json, String name) {
    JsonNode member = json.path(name);
    if (member.isMissingNode() || member.isNull()) {
      return null;
    }
    if (!member.isTextual()) {
      throw new IllegalArgumentException(name + ": expected a text");
    }
    return member.asText();
  }
}
