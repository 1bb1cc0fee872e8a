package io.lastfix.rules.judge;

import static io.lastfix.rules.judge.Standing.NONE;

import io.lastfix.expressions.Outcome;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.rule.Condition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a device is in a sequence, while a step of it is judged.
 *
 * <p>A record completes the sequence exactly if there are records that match the steps in their
 * order, one for each step, of which it is the last, all later than the record that completed the
 * sequence before, and the first one not too old. Of all that have begun, it keeps for each number
 * of steps the one whose first record is the newest: whatever completes an older one completes this
 * one, too.
 */
final class OpenSequence {
  private final BoundRule rule;
  private final List<Condition> steps;
  private final long withinMillis;
  private final Step step;

  /** As of {@link Progress}, but with {@link Standing#NONE} where there is none. */
  private final long[] starts;

  private int inside;

  /** Opens one that has not begun. The caller calls {@link #restore} or {@link #begin}. */
  OpenSequence(BoundRule rule, Condition.Sequence when, Step step) {
    this.rule = rule;
    this.step = step;
    steps = when.steps();
    withinMillis = when.within().toMillis();
    starts = new long[steps.size() - 1];
    Arrays.fill(starts, NONE);
  }

  /**
   * Continues with what was kept.
   *
   * @param kept null: nothing has begun, and the device is outside of all fences
   */
  void restore(@Nullable Progress kept) {
    if (kept != null) {
      inside = kept.inside();
      for (int i = 0; i < kept.starts().size(); i++) {
        starts[i] = kept.starts().get(i);
      }
    }
  }

  /**
   * Begins anew.
   *
   * @param last the device's last record; its first one if it is judged now
   */
  void begin(LocatedRecord last) {
    Arrays.fill(starts, NONE);
    inside = derived(last);
  }

  /** Returns what {@link #inside} is if no earlier record has decided it. */
  private int derived(LocatedRecord last) {
    int derived = 0;
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i) instanceof Condition.InFence fence
          && fence.isChange()
          && side(fence, last) == Side.INSIDE) {
        derived |= bit(i);
      }
    }
    return derived;
  }

  private static int bit(int index) {
    return 1 << index;
  }

  private Side side(Condition.InFence fence, LocatedRecord record) {
    CompiledFence compiled = rule.fence(fence.fence());
    return compiled == null
        ? Side.OUTSIDE
        : step.circle(record).side(compiled.shape(), fence.marginMeters(), fence.certainty());
  }

  /** Takes a record of an active rule, and returns whether it completes the sequence. */
  boolean isCompletedBy(RecordFacts facts) {
    LocatedRecord record = facts.record();
    int before = inside;
    cross(record);
    // From the last step on, so that a record is of one step.
    for (int i = starts.length; i > 0; i--) {
      long start = starts[i - 1];
      if (start != NONE
          && record.timestampMillis() - start <= withinMillis
          && matches(i, facts, before)) {
        if (i == starts.length) {
          Arrays.fill(starts, NONE);
          return true;
        }
        starts[i] = start;
      }
    }
    if (matches(0, facts, before)) {
      starts[0] = record.timestampMillis();
    }
    return false;
  }

  /** Decides of which fences the device counts as inside after a record. */
  private void cross(LocatedRecord record) {
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i) instanceof Condition.InFence fence && fence.isChange()) {
        Side side = side(fence, record);
        if (side == Side.INSIDE) {
          inside |= bit(i);
        } else if (side == Side.OUTSIDE) {
          inside &= ~bit(i);
        }
      }
    }
  }

  /**
   * Returns whether a record matches a step.
   *
   * @param before {@link #inside} before the record
   */
  private boolean matches(int index, RecordFacts facts, int before) {
    if (!(steps.get(index) instanceof Condition.InFence fence)) {
      return steps.get(index).statements().stream()
          .allMatch(statement -> step.evaluate(rule, statement, facts) == Outcome.TRUE);
    }
    boolean wasInside = (before & bit(index)) != 0;
    boolean isInside = (inside & bit(index)) != 0;
    if (fence.isChange()) {
      return wasInside != isInside && isInside == (fence.is() == Alert.Kind.ENTERED);
    }
    Side wanted = fence.is() == Alert.Kind.INSIDE ? Side.INSIDE : Side.OUTSIDE;
    return side(fence, facts.record()) == wanted;
  }

  /** Drops what is too old to be completed after a device's last record. */
  void drop(LocatedRecord last) {
    for (int i = 0; i < starts.length; i++) {
      if (starts[i] != NONE && last.timestampMillis() - starts[i] > withinMillis) {
        starts[i] = NONE;
      }
    }
  }

  /** Returns until when a record can complete what has begun; {@link Standing#NONE} if nothing. */
  long neededMillis() {
    return starts[0] == NONE ? NONE : starts[0] + withinMillis;
  }

  /** Returns whether all follows from the device's last record. */
  boolean isDerived(LocatedRecord last) {
    return inside == 0 && starts[0] == NONE && derived(last) == 0;
  }

  /** Returns what is to be kept; null: nothing has begun, and the device is outside of all. */
  @Nullable Progress progress() {
    if (inside == 0 && starts[0] == NONE) {
      return null;
    }
    List<Long> begun = new ArrayList<>();
    for (int i = 0; i < starts.length && starts[i] != NONE; i++) {
      begun.add(starts[i]);
    }
    return new Progress(inside, begun);
  }
}
