package io.lastfix.notify.receiver;

import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.text.Ids;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Refuses alerts for receivers that the configuration does not have. It is a receiver like others,
 * so one group of consumers gives each such alert up.
 *
 * @param others all that the configuration has
 */
public record UnconfiguredReceiver(List<Receiver> others) implements Receiver {
  @Override
  public String name() {
    return "unconfigured";
  }

  @Override
  public boolean takes(Action action) {
    return others.stream().noneMatch(other -> other.takes(action));
  }

  @Override
  public boolean takesUnreadable() {
    return true;
  }

  @Override
  public CompletableFuture<Outcome> deliver(Alert alert, Action action) {
    String key =
        switch (action.kind()) {
          // Of another program's message, the text may be of any length and have lines of a log.
          case WEBHOOK ->
              "webhooks.%s.url".formatted(Ids.isValid(action.target()) ? action.target() : "NAME");
          case MQTT -> "mqtt.broker";
          case ALERTMANAGER -> "alertmanager.url";
        };
    return CompletableFuture.completedFuture(
        new Outcome.Refused("the configuration of notify has no " + key));
  }
}
