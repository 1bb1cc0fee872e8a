package io.lastfix.rules.rule;

import io.lastfix.expressions.Statement;
import io.lastfix.model.alert.Alert;
import java.time.Duration;
import java.util.Set;

/** What has to be true of a record, or of it and the one before. */
public sealed interface Condition {
  /** Returns the kind of its alerts. */
  Alert.Kind kind();

  /** Returns how long it has to be true before it counts; 0: at once. */
  Duration lasting();

  /** Returns the ids of the fences that it names. */
  Set<String> fences();

  /** Returns the condition in a few words, for a list. */
  String words();

  /** Returns whether it is about a change; others are true for as long as a state lasts. */
  default boolean isChange() {
    return kind() == Alert.Kind.ENTERED || kind() == Alert.Kind.LEFT;
  }

  /**
   * The user's position and a fence.
   *
   * @param fence its id
   * @param is not {@link Alert.Kind#EXPR}
   * @param marginMeters how far outside a user is before it counts as outside, 0 or more
   * @param certainty the share of the position's circle on the new side, from 0.5 to 1
   */
  record InFence(
      String fence, Alert.Kind is, Duration lasting, double marginMeters, double certainty)
      implements Condition {
    /** Checks the kind. */
    public InFence {
      if (is == Alert.Kind.EXPR) {
        throw new IllegalArgumentException("is: expected a kind of a fence, found expr");
      }
    }

    @Override
    public Alert.Kind kind() {
      return is;
    }

    @Override
    public Set<String> fences() {
      return Set.of(fence);
    }

    @Override
    public String words() {
      return is.text() + " " + fence;
    }
  }

  /** An expression. */
  record Expression(Statement statement, Duration lasting) implements Condition {
    @Override
    public Alert.Kind kind() {
      return Alert.Kind.EXPR;
    }

    @Override
    public Set<String> fences() {
      return statement.fences();
    }

    @Override
    public String words() {
      return statement.text().strip().replaceAll("\\s+", " ");
    }
  }
}
