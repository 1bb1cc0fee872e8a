package io.lastfix.notify.receiver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.notify.config.WebhookOptions;
import io.lastfix.rules.alert.AlertCodec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Posts alerts to a URL, signed as the Standard Webhooks specification says. The message's id is
 * the alert's, the same for each receiver and attempt.
 *
 * @param target its name in rules
 */
public record WebhookReceiver(
    String target, WebhookOptions options, HttpSender sender, InstantSource clock)
    implements Receiver {
  static final String TYPE = "lastfix.alert";

  @Override
  public String name() {
    return Receiver.nameOf(new Action(Action.Kind.WEBHOOK, target));
  }

  @Override
  public boolean takes(Action action) {
    return action.kind() == Action.Kind.WEBHOOK && action.target().equals(target);
  }

  @Override
  public CompletableFuture<Outcome> deliver(Alert alert, Action action) {
    byte[] body = body(alert);
    String id = AlertCodec.id(alert);
    long seconds = clock.instant().getEpochSecond();
    return sender.post(
        options.url(),
        Map.of(
            "webhook-id", id,
            "webhook-timestamp", Long.toString(seconds),
            "webhook-signature", WebhookSignature.of(options.secrets(), id, seconds, body)),
        body);
  }

  /** Returns the same bytes for each attempt. */
  static byte[] body(Alert alert) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", TYPE)
            .put("timestamp", Instant.ofEpochMilli(alert.confirmedMillis()).toString());
    json.set("data", AlertCodec.json(alert));
    return json.toString().getBytes(UTF_8);
  }
}
