package io.lastfix.notify.undelivered;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.kit.kafka.UnreadableMessageException;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.rules.alert.AlertFormatException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of {@code lastfix.alerts.undelivered} as bytes: a JSON object as value, and for
 * alerts the user as key. Unknown members are skipped.
 */
public final class UndeliveredCodec {
  private static final ObjectMapper JSON = new ObjectMapper();

  private UndeliveredCodec() {}

  /** Returns the key's bytes. */
  public static byte[] key(UndeliveredAlert undelivered) {
    return AlertCodec.key(undelivered.alert());
  }

  /** Returns the value's bytes. */
  public static byte[] value(UndeliveredAlert undelivered) {
    return json(undelivered).toString().getBytes(UTF_8);
  }

  /** Returns the value's bytes. */
  public static byte[] value(UndeliveredMessage undelivered) {
    ObjectNode json = JSON.createObjectNode();
    if (undelivered.value() != null) {
      json.put("message", undelivered.value());
    }
    return json.put("partition", undelivered.partition())
        .put("offset", undelivered.offset())
        .put("reason", undelivered.reason())
        .put("at", undelivered.at().toString())
        .toString()
        .getBytes(UTF_8);
  }

  /** Returns the value. */
  public static ObjectNode json(UndeliveredAlert undelivered) {
    Action receiver = undelivered.receiver();
    ObjectNode json = JSON.createObjectNode();
    json.set("alert", AlertCodec.json(undelivered.alert()));
    json.putObject("receiver").put(receiver.kind().text(), receiver.target());
    return json.put("reason", undelivered.reason())
        .put("attempts", undelivered.attempts())
        .put("at", undelivered.at().toString());
  }

  /**
   * Reads a value: an alert, or one for each receiver of a message that was not read before.
   *
   * @throws UnreadableMessageException if it cannot be read; the message says why, without the user
   */
  public static List<UndeliveredAlert> read(byte @Nullable [] value)
      throws UnreadableMessageException {
    if (value == null) {
      throw new UnreadableMessageException("it has no value", null);
    }
    try {
      JsonNode json = JSON.readTree(value);
      boolean isMessage = json.has("message");
      Alert alert =
          AlertCodec.read(
              isMessage
                  ? json.path("message").binaryValue()
                  : JSON.writeValueAsBytes(json.path("alert")));
      List<Action> receivers =
          isMessage ? alert.then().stream().distinct().toList() : receiver(json.path("receiver"));
      if (receivers.isEmpty()) {
        throw new UnreadableMessageException("it has no receiver of a known kind", null);
      }
      String reason = json.path("reason").asText("");
      int attempts = json.path("attempts").asInt(0);
      Instant at = Instant.parse(json.path("at").asText(""));
      return receivers.stream()
          .map(receiver -> new UndeliveredAlert(alert, receiver, reason, attempts, at))
          .toList();
    } catch (AlertFormatException e) {
      throw new UnreadableMessageException("its alert: " + e.getMessage(), e);
    } catch (IOException e) {
      // Its message quotes the value.
      throw new UnreadableMessageException("the value is no JSON", null);
    } catch (DateTimeException e) {
      throw new UnreadableMessageException("at is no instant", null);
    }
  }

  private static List<Action> receiver(JsonNode json) {
    return Arrays.stream(Action.Kind.values())
        .filter(kind -> json.path(kind.text()).isTextual())
        .map(kind -> new Action(kind, json.path(kind.text()).textValue()))
        .limit(1)
        .toList();
  }
}
