package io.lastfix.gateway.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.lastfix.gateway.http.JsonText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Writes the topic into a payload of OwnTracks. Over MQTT the app leaves it out, and so do old
 * releases over HTTP; the profile {@code owntracks} reads the user from it. A payload that names
 * another topic is refused: otherwise a client that may publish to one topic could write in
 * another's name.
 */
public final class OwnTracksPayload {
  private static final String TOPIC = "topic";
  private static final JsonFactory JSON = new JsonFactory();

  /** Characters of a member's name that an error repeats: the sender chose them. */
  private static final int SHOWN = 40;

  private OwnTracksPayload() {}

  /**
   * Returns the payload with its topic; null if it is not one JSON object, or names another topic.
   */
  public static byte @Nullable [] withTopic(byte[] payload, String topic) {
    try {
      String named = topic(new ByteArrayInputStream(payload));
      if (named == null) {
        return insert(payload, topic);
      }
      return named.equals(topic) ? payload : null;
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Returns the topic that a payload names; null if it names none.
   *
   * @throws IOException if it is not one JSON object, or does not name one topic; the message says
   *     why, and names the last member before a fault
   */
  public static @Nullable String topic(InputStream payload) throws IOException {
    String topic = null;
    // A text, so that no other encoding of Unicode is guessed, here or in the job.
    try (JsonParser parser = JSON.createParser(new InputStreamReader(payload, UTF_8))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("it is no JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isTopic = parser.currentName().equals(TOPIC);
        JsonToken value = parser.nextToken();
        if (isTopic) {
          String next = value == JsonToken.VALUE_STRING ? parser.getText() : "";
          if (next.isEmpty() || !(topic == null || topic.equals(next))) {
            throw new IOException("its topic is not one text");
          }
          topic = next;
        }
        parser.skipChildren();
      }
      // The job reads several objects from one message.
      if (parser.nextToken() != null) {
        throw new IOException("it is more than one JSON object");
      }
    } catch (JsonParseException e) {
      throw new IOException(fault(e), e);
    }
    return topic;
  }

  private static String fault(JsonParseException e) {
    JsonLocation place = e.getLocation();
    String member = e.getProcessor().getParsingContext().getCurrentName();
    return "it is cut short or wrong at line %d, column %d%s"
        .formatted(
            place.getLineNr(),
            place.getColumnNr(),
            member == null
                ? ""
                : ", in or after its member "
                    + member.substring(0, Math.min(member.length(), SHOWN)));
  }

  /** Whether the payload is the Will that the app leaves with the broker. */
  public static boolean isWill(byte[] payload) {
    return "lwt".equals(JsonText.find(payload, "/_type"));
  }

  private static byte[] insert(byte[] payload, String topic) {
    int brace = 0;
    while (payload[brace] != '{') {
      brace++;
    }
    boolean isEmpty =
        new String(payload, brace + 1, payload.length - brace - 1, UTF_8).strip().equals("}");
    ByteArrayOutputStream out = new ByteArrayOutputStream(payload.length + topic.length() + 16);
    out.write(payload, 0, brace + 1);
    out.writeBytes("\"topic\":\"".getBytes(UTF_8));
    out.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(topic));
    out.writeBytes((isEmpty ? "\"" : "\",").getBytes(UTF_8));
    out.write(payload, brace + 1, payload.length - brace - 1);
    return out.toByteArray();
  }
}
