package io.lastfix.notify.delivery;

import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An alert on its way to one action of a receiver. For one thread at a time. */
final class Delivery {
  private final Window.Part part;
  private final long offset;
  private final long number;
  private final Instant since;
  private final int bytes;
  private final Alert alert;
  private final Action action;
  private Instant dueAt = Instant.EPOCH;
  private int attempts;
  private int failures;
  private @Nullable String givenUp;

  /**
   * One that is due at once.
   *
   * @param number in the order of reading
   * @param since when Kafka took the alert
   * @param bytes of its message
   */
  Delivery(
      Window.Part part,
      long offset,
      long number,
      Instant since,
      int bytes,
      Alert alert,
      Action action) {
    this.part = part;
    this.offset = offset;
    this.number = number;
    this.since = since;
    this.bytes = bytes;
    this.alert = alert;
    this.action = action;
  }

  /** Alerts of a line are delivered one after the other. */
  record Line(String user, Action action) {}

  Line line() {
    return new Line(alert.user(), action);
  }

  Window.Part part() {
    return part;
  }

  long offset() {
    return offset;
  }

  long number() {
    return number;
  }

  Instant since() {
    return since;
  }

  int bytes() {
    return bytes;
  }

  Alert alert() {
    return alert;
  }

  Action action() {
    return action;
  }

  Instant dueAt() {
    return dueAt;
  }

  void dueAt(Instant at) {
    dueAt = at;
  }

  /** Counts an attempt, and returns how many there were with it. */
  int begin() {
    return ++attempts;
  }

  int attempts() {
    return attempts;
  }

  /** Counts a failed attempt that was made while no other line failed. */
  void fail() {
    failures++;
  }

  int failures() {
    return failures;
  }

  /** Returns why there are no further attempts; null if there are. */
  @Nullable String givenUp() {
    return givenUp;
  }

  void giveUp(String reason) {
    givenUp = reason;
  }
}
