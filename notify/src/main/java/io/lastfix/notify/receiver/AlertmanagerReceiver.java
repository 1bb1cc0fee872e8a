package io.lastfix.notify.receiver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.notify.config.AlertmanagerOptions;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Posts alerts to an Alertmanager's API, version 2. Its labels are the alert's identity there, and
 * what its routes match: a user's next alert of the rule renews this one until it is resolved.
 *
 * <p>Alertmanager has alerts in memory only, and its protocol leaves it to the client to repeat
 * them. So what it has taken is posted again each minute until it is resolved.
 */
public final class AlertmanagerReceiver implements Receiver {
  /** As Prometheus repeats its alerts. */
  private static final Executor IN_A_MINUTE =
      CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES);

  /** So that one request has all. Further ones are posted once. */
  private static final int MOST_ACTIVE = 1_000;

  private static final int MOST_CHARACTERS = 4_096;

  private final URI url;
  private final AlertmanagerOptions options;
  private final HttpSender sender;
  private final InstantSource clock;
  private final Map<JsonNode, Active> active = new HashMap<>();
  private boolean isClosed;

  /** An alert that Alertmanager has taken. */
  private record Active(ObjectNode json, Instant end) {}

  /** Posts by that sender. */
  public AlertmanagerReceiver(AlertmanagerOptions options, HttpSender sender, InstantSource clock) {
    this.options = options;
    this.sender = sender;
    this.clock = clock;
    url = URI.create(options.url().toString().replaceFirst("/+$", "") + "/api/v2/alerts");
  }

  @Override
  public String name() {
    return "alertmanager";
  }

  @Override
  public boolean takes(Action action) {
    return action.kind() == Action.Kind.ALERTMANAGER;
  }

  @Override
  public CompletableFuture<Outcome> deliver(Alert alert, Action action) {
    Instant now = clock.instant();
    Instant end = now.plus(options.resolveAfter());
    ObjectNode json = json(alert, action, now, end);
    return post(JsonNodeFactory.instance.arrayNode().add(json))
        .thenApply(
            outcome -> {
              if (outcome instanceof Outcome.Delivered) {
                keep(new Active(json, end));
              }
              return outcome;
            });
  }

  private CompletableFuture<Outcome> post(ArrayNode alerts) {
    return sender.post(url, Map.of(), alerts.toString().getBytes(UTF_8));
  }

  private synchronized void keep(Active one) {
    if (isClosed
        || active.size() >= MOST_ACTIVE
        || one.json().toString().length() > MOST_CHARACTERS) {
      return;
    }
    if (active.isEmpty()) {
      IN_A_MINUTE.execute(this::repeat);
    }
    active.put(one.json().path("labels"), one);
  }

  /** If it fails, it is tried again in a minute. */
  synchronized void repeat() {
    Instant now = clock.instant();
    active.values().removeIf(one -> !one.end().isAfter(now));
    if (!active.isEmpty()) {
      ArrayNode all = JsonNodeFactory.instance.arrayNode();
      active.values().forEach(one -> all.add(one.json()));
      var unused = post(all);
      IN_A_MINUTE.execute(this::repeat);
    }
  }

  static ObjectNode json(Alert alert, Action action, Instant now, Instant end) {
    ObjectNode one = JsonNodeFactory.instance.objectNode();
    ObjectNode labels =
        one.putObject("labels")
            .put("alertname", alert.rule())
            .put("user", alert.user())
            .put("kind", alert.kind().text())
            .put("route", action.target());
    if (alert.fence() != null) {
      labels.put("fence", alert.fence());
    }
    ObjectNode annotations = one.putObject("annotations").put("summary", summary(alert));
    Position position = alert.position();
    if (position != null) {
      annotations
          .put("lon", Double.toString(position.lon()))
          .put("lat", Double.toString(position.lat()));
    }
    Instant confirmed = Instant.ofEpochMilli(alert.confirmedMillis());
    // An alert of a clock that is ahead would start after its end.
    return one.put("startsAt", (confirmed.isBefore(now) ? confirmed : now).toString())
        .put("endsAt", end.toString());
  }

  private static String summary(Alert alert) {
    String what =
        alert.kind().isOfFence()
            ? "%s %s".formatted(alert.kind().text(), alert.fence())
            : "rule %s is true".formatted(alert.rule());
    return "%s: %s, %s".formatted(alert.user(), what, Instant.ofEpochMilli(alert.atMillis()));
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    active.clear();
  }
}
