package io.lastfix.rules.rule;

import io.lastfix.expressions.Statement;
import io.lastfix.model.alert.Alert;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What has to be true of a record, or of it and those before. */
public sealed interface Condition {
  /** Returns the kind of its alerts. */
  Alert.Kind kind();

  /** Returns how long it has to be true before it counts; 0: at once. */
  Duration lasting();

  /** Returns the ids of the fences that it names. */
  Set<String> fences();

  /** Returns its expressions. */
  default List<Statement> statements() {
    return List.of();
  }

  /** Returns its parts about a position and a fence. */
  default List<InFence> inFences() {
    return List.of();
  }

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
   * @param is a kind {@link Alert.Kind#isOfFence of a fence}
   * @param marginMeters how far outside a user is before it counts as outside, 0 or more
   * @param certainty the share of the position's circle on the new side, from 0.5 to 1
   */
  record InFence(
      String fence, Alert.Kind is, Duration lasting, double marginMeters, double certainty)
      implements Condition {
    /** Checks the kind. */
    public InFence {
      if (!is.isOfFence()) {
        throw new IllegalArgumentException("is: expected a kind of a fence, found " + is.text());
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
    public List<InFence> inFences() {
      return List.of(this);
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
    public List<Statement> statements() {
      return List.of(statement);
    }

    @Override
    public String words() {
      return statement.text().strip().replaceAll("\\s+", " ");
    }
  }

  /**
   * The silence of a device.
   *
   * @param of what does not come
   * @param lasting more than 0
   */
  record Silent(Sign of, Duration lasting) implements Condition {
    /** What a device gives. The {@link #text()} is part of rules. */
    public enum Sign {
      /** A record with a position. */
      POSITION,
      /** A sign of life: without one for a time, the device is offline. */
      PRESENCE;

      /** Returns the name in rules. */
      public String text() {
        return name().toLowerCase(Locale.ROOT);
      }

      /** Returns the sign of that name. */
      public static Optional<Sign> find(String text) {
        return Arrays.stream(values()).filter(sign -> sign.text().equals(text)).findFirst();
      }
    }

    @Override
    public Alert.Kind kind() {
      return Alert.Kind.SILENT;
    }

    @Override
    public Set<String> fences() {
      return Set.of();
    }

    @Override
    public String words() {
      return "silent " + of.text();
    }
  }

  /**
   * Steps that come one after the other, each with a record of its own.
   *
   * @param steps fences and expressions without {@code for}, {@link #MIN_STEPS} to {@link
   *     #MAX_STEPS}
   * @param within the most time from the first step's record to the last step's
   */
  record Sequence(List<Condition> steps, Duration within) implements Condition {
    /** The fewest steps. */
    public static final int MIN_STEPS = 2;

    /** The most steps. */
    public static final int MAX_STEPS = 5;

    /** Copies the list, and checks its size. */
    public Sequence {
      steps = List.copyOf(steps);
      if (steps.size() < MIN_STEPS || steps.size() > MAX_STEPS) {
        throw new IllegalArgumentException(
            "steps: expected %d to %d, found %d".formatted(MIN_STEPS, MAX_STEPS, steps.size()));
      }
    }

    /** Returns the step that completes it. */
    public Condition last() {
      return steps.get(steps.size() - 1);
    }

    @Override
    public Alert.Kind kind() {
      return Alert.Kind.SEQUENCE;
    }

    @Override
    public Duration lasting() {
      return Duration.ZERO;
    }

    @Override
    public Set<String> fences() {
      return steps.stream()
          .flatMap(step -> step.fences().stream())
          .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public List<Statement> statements() {
      return steps.stream().flatMap(step -> step.statements().stream()).toList();
    }

    @Override
    public List<InFence> inFences() {
      return steps.stream().flatMap(step -> step.inFences().stream()).toList();
    }

    @Override
    public String words() {
      return steps.stream().map(Condition::words).collect(Collectors.joining(", then "));
    }
  }
}
