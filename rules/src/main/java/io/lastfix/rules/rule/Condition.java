package io.lastfix.rules.rule;

import io.lastfix.expressions.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What has to be true of a record, or of it and the one before. */
public sealed interface Condition {
  /** Returns how long it has to be true before it counts; 0: at once. */
  Duration lasting();

  /** Returns the ids of the fences that it names. */
  Set<String> fences();

  /** Returns the condition in a few words, for a list. */
  String words();

  /** What a fence is compared with. */
  enum Kind {
    /** The user came from outside. */
    ENTERED,
    /** The user was inside before. */
    LEFT,
    /** The user is inside. */
    INSIDE,
    /** The user is outside. */
    OUTSIDE;

    /** Returns the name in rules and alerts. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Kind> find(String text) {
      return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }

    /** Whether it is about a change; the others are true for as long as a state lasts. */
    boolean isChange() {
      return this == ENTERED || this == LEFT;
    }
  }

  /**
   * The user's position and a fence.
   *
   * @param fence its id
   * @param marginMeters how far outside a user is before it counts as outside, 0 or more
   * @param certainty the share of the position's circle on the new side, from 0.5 to 1
   */
  record InFence(String fence, Kind is, Duration lasting, double marginMeters, double certainty)
      implements Condition {
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
    public Set<String> fences() {
      return statement.fences();
    }

    @Override
    public String words() {
      return statement.text().strip().replaceAll("\\s+", " ");
    }
  }
}
