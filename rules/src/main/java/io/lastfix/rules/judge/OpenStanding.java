package io.lastfix.rules.judge;

import static io.lastfix.rules.judge.Standing.NONE;

import io.lastfix.expressions.Outcome;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.rule.Condition;
import io.lastfix.rules.rule.Who;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The standing of a device and a rule during a step. All kinds share one machine: a state that is
 * on or off, and perhaps a record with which the opposite began. They differ in this:
 *
 * <ul>
 *   <li>{@code entered} and {@code left}: on means inside. Both directions take {@code for}, and
 *       the settling into the kind's side is a match.
 *   <li>The others: on means true. Only becoming true takes {@code for}. It is a match, and so is
 *       each record after it for which the condition is true.
 * </ul>
 */
final class OpenStanding {
  private final BoundRule rule;
  private final Step step;
  private final long fenceVersion;
  private boolean isOn;
  private @Nullable LocatedRecord began;
  private long dueMillis = NONE;
  private long alertMillis = NONE;
  private long counted;

  /** Opens one that was kept. */
  OpenStanding(BoundRule rule, Standing kept, Step step) {
    this.rule = rule;
    this.step = step;
    fenceVersion = kept.fenceVersion();
    isOn = kept.isOn();
    began = kept.began();
    dueMillis = kept.dueMillis();
    alertMillis = kept.alertMillis();
    counted = kept.counted();
  }

  /**
   * Derives one that was not kept.
   *
   * @param last the device's last record; its first one if it is judged now
   */
  OpenStanding(BoundRule rule, LocatedRecord last, Step step) {
    this.rule = rule;
    this.step = step;
    fenceVersion = rule.fenceVersion();
    isOn = rule.when().isChange() && side(last) == Side.INSIDE;
  }

  private Side side(LocatedRecord record) {
    CompiledFence fence = rule.fence();
    return fence != null && rule.when() instanceof Condition.InFence when
        ? step.circle(record).side(fence.shape(), when.marginMeters(), when.certainty())
        : Side.OUTSIDE;
  }

  /**
   * Continues with the fence that the set has. A change of a fence never makes a device enter it.
   *
   * <p>An alert about a changed fence has the instant of the change: the device's last record may
   * be another one after a restart, and is the same for two changes. {@code quiet} compares
   * instants of records, so it does not concern such an alert.
   *
   * @param last the device's last record
   */
  void settle(LocatedRecord last) {
    if (rule.isFrozen()) {
      // The next usable version of the fence settles it.
      drop();
      return;
    }
    if (fenceVersion == rule.fenceVersion()) {
      return;
    }
    drop();
    CompiledFence fence = rule.fence();
    boolean isContained =
        fence != null && fence.shape().contains(Objects.requireNonNull(last.position()));
    if (!rule.when().isChange()) {
      isOn = isOn && fence != null;
    } else if (!isOn) {
      isOn = side(last) == Side.INSIDE;
    } else if (!isContained) {
      isOn = false;
      if (rule.kind() == Alert.Kind.LEFT) {
        alert(last, rule.fenceMillis(), rule.fenceMillis(), Alert.Cause.FENCE_CHANGED);
      }
    }
  }

  /** Confirms what began if the watermark has reached its due time. */
  void confirmBySilence() {
    if (began != null && step.watermark() >= dueMillis) {
      confirm(began);
    }
  }

  /** Judges a record, if the rule is about it. */
  void judge(RecordFacts facts) {
    LocatedRecord record = facts.record();
    if (!rule.isActive() || !isAbout(facts)) {
      return;
    }
    Outcome outcome = outcome(facts);
    if (outcome == Outcome.FAILED) {
      return;
    }
    if (began != null && record.timestampMillis() - began.timestampMillis() >= lastingMillis()) {
      confirm(began);
    }
    if (outcome == Outcome.UNDECIDED) {
      return;
    }
    boolean isChange = rule.when().isChange();
    if (isOn == (outcome == Outcome.TRUE)) {
      drop();
      if (isOn && !isChange) {
        match(record, record.timestampMillis());
      }
    } else if (isOn && !isChange) {
      isOn = false;
    } else if (began == null) {
      begin(record);
    }
  }

  private boolean isAbout(RecordFacts facts) {
    return !(rule.rule().who() instanceof Who.Matching who)
        || step.evaluate(rule, who.statement(), facts) == Outcome.TRUE;
  }

  /** Of {@code entered} and {@code left}, true means inside. */
  private Outcome outcome(RecordFacts facts) {
    if (rule.when() instanceof Condition.Expression when) {
      return step.evaluate(rule, when.statement(), facts);
    }
    Side side = side(facts.record());
    if (side == Side.BETWEEN) {
      return Outcome.UNDECIDED;
    }
    boolean isAboutOutside = rule.kind() == Alert.Kind.OUTSIDE;
    return isAboutOutside == (side == Side.OUTSIDE) ? Outcome.TRUE : Outcome.FALSE;
  }

  private long lastingMillis() {
    return rule.when().lasting().toMillis();
  }

  private void begin(LocatedRecord record) {
    long lastingMillis = lastingMillis();
    if (lastingMillis == 0) {
      confirm(record);
    } else {
      began = record;
      // Records that come late as one batch do not confirm themselves by the watermark.
      dueMillis = Math.max(record.timestampMillis(), step.watermark()) + lastingMillis;
    }
  }

  private void drop() {
    began = null;
    dueMillis = NONE;
  }

  private void confirm(LocatedRecord record) {
    drop();
    isOn = !isOn;
    boolean isMatch = !rule.when().isChange() || isOn == (rule.kind() == Alert.Kind.ENTERED);
    if (isMatch) {
      match(record, record.timestampMillis() + lastingMillis());
    }
  }

  /**
   * Makes an alert, unless the last one was just before.
   *
   * @param confirmedMillis neither a watermark nor a later record: a repeat has to be equal
   */
  private void match(LocatedRecord record, long confirmedMillis) {
    long atMillis = record.timestampMillis();
    if (alertMillis != NONE && atMillis - alertMillis < quietMillis()) {
      counted++;
      step.withhold();
      return;
    }
    alert(record, atMillis, confirmedMillis, Alert.Cause.RECORD);
    alertMillis = atMillis;
  }

  private void alert(LocatedRecord record, long atMillis, long confirmedMillis, Alert.Cause cause) {
    Fix fix = record.fix();
    step.add(
        new Alert(
            record.user(),
            atMillis,
            rule.id(),
            rule.version(),
            rule.kind(),
            confirmedMillis,
            rule.when() instanceof Condition.InFence when ? when.fence() : null,
            cause,
            Objects.requireNonNull(record.position()),
            record.cell(),
            Objects.requireNonNull(record.source()),
            fix == null ? null : fix.accuracyMeters(),
            certainty(record),
            counted,
            rule.rule().then()));
    counted = 0;
  }

  private long quietMillis() {
    return rule.rule().quiet().toMillis();
  }

  private double certainty(LocatedRecord record) {
    CompiledFence fence = rule.fence();
    double inside = fence == null ? 0 : step.circle(record).share(fence.shape());
    return switch (rule.kind()) {
      case ENTERED, INSIDE -> inside;
      case LEFT, OUTSIDE -> 1 - inside;
      case EXPR -> 1;
    };
  }

  /**
   * Hands over what is kept.
   *
   * @param last the device's last record
   */
  void close(LocatedRecord last) {
    long nextMillis = began == null ? last.timestampMillis() : began.timestampMillis();
    if (alertMillis != NONE && nextMillis - alertMillis >= quietMillis()) {
      alertMillis = NONE;
    }
    if (began != null) {
      step.needUntil(dueMillis);
    }
    if (alertMillis != NONE) {
      step.needUntil(alertMillis + quietMillis());
    }
    boolean isNeeded =
        isOn || began != null || alertMillis != NONE || counted > 0 || isOtherThanDerived(last);
    step.keep(rule.id(), isNeeded ? standing() : null);
  }

  private Standing standing() {
    return new Standing(
        rule.version(),
        rule.isFrozen() ? fenceVersion : rule.fenceVersion(),
        isOn,
        began,
        dueMillis,
        alertMillis,
        counted);
  }

  /** A device that counts as outside can be inside only by a record that the rule is not about. */
  private boolean isOtherThanDerived(LocatedRecord last) {
    return rule.when().isChange()
        && rule.rule().who() instanceof Who.Matching
        && side(last) == Side.INSIDE;
  }
}
