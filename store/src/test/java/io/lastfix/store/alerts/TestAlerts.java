package io.lastfix.store.alerts;

import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import java.time.Instant;
import java.util.List;

/** Alerts for tests; a test changes only what it needs. */
public final class TestAlerts {
  /** When {@link #LEFT} began. */
  public static final Instant AT = Instant.parse("2026-11-20T12:00:00Z");

  /** An alert in which everything is known. */
  public static final Alert LEFT =
      new Alert(
          "ashgati",
          AT.toEpochMilli(),
          "left-airport",
          4,
          Alert.Kind.LEFT,
          AT.plusSeconds(60).toEpochMilli(),
          "sfo",
          Alert.Cause.RECORD,
          new Position(-122.4, 37.7),
          new CellId(310, 260, 7, 1),
          PositionSource.GNSS,
          12.0,
          0.75,
          3,
          List.of(
              new Action(Action.Kind.WEBHOOK, "dispatch"),
              new Action(Action.Kind.MQTT, "lastfix/v1/alerts")));

  /** An alert without what may be absent. */
  public static final Alert FAST =
      new Alert(
          "anna",
          AT.plusMillis(1).toEpochMilli(),
          "fast",
          1,
          Alert.Kind.EXPR,
          AT.plusMillis(1).toEpochMilli(),
          null,
          Alert.Cause.RECORD,
          new Position(0, 0),
          null,
          PositionSource.CELL,
          null,
          1,
          0,
          List.of());

  private TestAlerts() {}

  /** Returns {@link #LEFT} of another user, rule and instant. */
  public static Alert of(String user, String rule, Instant at) {
    return of(user, rule, at, LEFT.cause());
  }

  /** Returns such an alert, about a fence that was changed. */
  public static Alert ofChangedFence(String user, String rule, Instant at) {
    return of(user, rule, at, Alert.Cause.FENCE_CHANGED);
  }

  private static Alert of(String user, String rule, Instant at, Alert.Cause cause) {
    return new Alert(
        user,
        at.toEpochMilli(),
        rule,
        LEFT.version(),
        LEFT.kind(),
        at.toEpochMilli(),
        LEFT.fence(),
        cause,
        LEFT.position(),
        LEFT.cell(),
        LEFT.source(),
        LEFT.accuracyMeters(),
        LEFT.certainty(),
        LEFT.counted(),
        LEFT.then());
  }
}
