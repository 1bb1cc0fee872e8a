package io.lastfix.notify.receiver;

import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import java.util.concurrent.CompletableFuture;

/** One receiver of alerts. A repeated alert has the same id. */
public interface Receiver extends AutoCloseable {
  /** Returns the name of an action's receiver: of webhooks, each has its own. */
  static String nameOf(Action action) {
    String kind = action.kind().text();
    return action.kind() == Action.Kind.WEBHOOK ? kind + "-" + action.target() : kind;
  }

  /** Returns its name in consumer groups, metrics and logs. */
  String name();

  /** Returns whether it is the receiver of an action. */
  boolean takes(Action action);

  /** Returns whether what notify cannot read is given up in its name, which one receiver's is. */
  default boolean takesUnreadable() {
    return false;
  }

  /**
   * Makes an attempt, which ends within a time limit. Returns at once.
   *
   * @param action one that it takes
   */
  CompletableFuture<Outcome> deliver(Alert alert, Action action);

  /** Ends its connections. */
  @Override
  default void close() {}
}
