package io.lastfix.notify;

import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An alert of a test. */
public record TestAlert(
    String user, Instant at, Instant confirmed, @Nullable String fence, List<Action> then) {
  /** When all of them begin. */
  public static final Instant AT = Instant.parse("2026-11-20T12:00:00Z");

  public static final Action DISPATCH = new Action(Action.Kind.WEBHOOK, "dispatch");
  public static final Action CRITICAL = new Action(Action.Kind.ALERTMANAGER, "critical");

  /** The user left a fence, and the webhook "dispatch" is to get it. */
  public static TestAlert of(String user) {
    return new TestAlert(user, AT, AT, "sfo", List.of(DISPATCH));
  }

  public TestAlert at(Instant instant) {
    return new TestAlert(user, instant, instant, fence, then);
  }

  public TestAlert confirmed(Instant instant) {
    return new TestAlert(user, at, instant, fence, then);
  }

  public TestAlert withoutFence() {
    return new TestAlert(user, at, confirmed, null, then);
  }

  public TestAlert then(Action... actions) {
    return new TestAlert(user, at, confirmed, fence, List.of(actions));
  }

  public Alert alert() {
    return new Alert(
        user,
        at.toEpochMilli(),
        "left-airport",
        1,
        fence == null ? Alert.Kind.EXPR : Alert.Kind.LEFT,
        confirmed.toEpochMilli(),
        fence,
        Alert.Cause.RECORD,
        new Position(-122.4, 37.7),
        null,
        PositionSource.CELL,
        null,
        0.9,
        0,
        then);
  }
}
