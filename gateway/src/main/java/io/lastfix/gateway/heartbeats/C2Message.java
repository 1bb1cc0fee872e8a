package io.lastfix.gateway.heartbeats;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lastfix.model.device.HeartbeatMessage;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a MiNiFi agent (C++ or Java) says about itself in a heartbeat or an acknowledgement of the
 * C2 protocol. A heartbeat with the agent's manifest has hundreds of kilobytes, so it is read as a
 * stream, and only these members are kept; all others are skipped.
 *
 * @param agent {@code agentInfo.identifier}; null if absent
 * @param agentClass {@code agentInfo.agentClass}; null if absent
 * @param sdk the agent's kind and release, such as {@code minifi-cpp/0.99.1}; null without a
 *     manifest
 * @param manifest {@code agentInfo.agentManifestHash}, if it is a SHA-256 (C++ agents send a
 *     SHA-512); null otherwise
 */
public record C2Message(
    @Nullable String agent,
    @Nullable String agentClass,
    @Nullable String sdk,
    @Nullable String manifest) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");
  private static final String INFO = "/agentInfo";
  private static final String MANIFEST = INFO + "/agentManifest";
  private static final String BUILD = MANIFEST + "/buildInfo";

  /** The objects in which something is kept. */
  private static final Pattern OPENED = Pattern.compile(INFO + "(/agentManifest(/buildInfo)?)?");

  /**
   * Reads a message.
   *
   * @param in the opened body; closed in the end
   * @throws IllegalArgumentException if it is no JSON object; the message holds nothing of it
   */
  public static C2Message parse(InputStream in) {
    Map<String, String> found = new HashMap<>();
    try (in;
        JsonParser parser = JSON.createParser(in)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException(
            "The body is no JSON object: expected a heartbeat or acknowledgement of the C2 protocol");
      }
      read(parser, "", found);
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("The body has something after its JSON object");
      }
    } catch (IOException e) {
      // Its message quotes the body.
      throw new IllegalArgumentException(
          "The body is no valid JSON: expected a heartbeat or acknowledgement of the C2 protocol");
    }
    String hash = found.get(INFO + "/agentManifestHash");
    return new C2Message(
        text(found.get(INFO + "/identifier")),
        text(found.get(INFO + "/agentClass")),
        text(sdk(found)),
        hash != null && SHA_256.matcher(hash).matches() ? hash : null);
  }

  /** Reads the rest of an object, whose members have paths that begin with its own. */
  private static void read(JsonParser parser, String path, Map<String, String> found)
      throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String member = path + "/" + parser.currentName();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.START_OBJECT && OPENED.matcher(member).matches()) {
        read(parser, member, found);
      } else if (value == JsonToken.VALUE_STRING && OPENED.matcher(path).matches()) {
        found.put(member, parser.getText());
      } else {
        parser.skipChildren();
      }
    }
  }

  /** Java agents name their kind {@code minifi-java}, C++ agents {@code cpp}. */
  private static @Nullable String sdk(Map<String, String> found) {
    String version = found.getOrDefault(BUILD + "/version", found.get(MANIFEST + "/version"));
    if (version == null) {
      return null;
    }
    String kind = found.getOrDefault(MANIFEST + "/agentType", "");
    return (kind.startsWith("minifi") ? kind : kind.isEmpty() ? "minifi" : "minifi-" + kind)
        + "/"
        + version;
  }

  private static @Nullable String text(@Nullable String text) {
    return text == null || text.isEmpty() || text.length() > HeartbeatMessage.MAX_TEXT
        ? null
        : text;
  }

  /**
   * The heartbeat that it is. Its bytes do not count for the agent's quota: most of them are a
   * manifest that the agent repeats, and nothing of that is kept.
   *
   * @param interval between two heartbeats of an agent, which the protocol does not say
   */
  public Heartbeat heartbeat(Duration interval) {
    return new Heartbeat(0, 0, (int) interval.toSeconds(), agentClass, sdk, manifest, null);
  }
}
