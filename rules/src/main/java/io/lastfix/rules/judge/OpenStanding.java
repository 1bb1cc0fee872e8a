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
 *
 * <p>A sequence has an {@link OpenSequence} instead. The record that completes it is a match.
 *
 * <p>Of a rule about silence, on means that this silence has counted. A changed rule does not
 * repeat an alert: the silences that a former version has reported count as reported.
 */
final class OpenStanding {
  private final BoundRule rule;
  private final Step step;
  private final long fenceVersion;
  private final @Nullable OpenSequence sequence;
  private boolean isOn;
  private @Nullable LocatedRecord began;
  private long dueMillis = NONE;
  private long alertMillis = NONE;
  private long counted;
  private @Nullable ReportedSilence reported;

  /** Whether {@link #reported} is that of a former version of the rule. */
  private boolean isOfFormerVersion;

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
    sequence = sequence(rule, step);
    if (sequence != null) {
      sequence.restore(kept.progress());
    }
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
    sequence = sequence(rule, step);
    if (sequence != null) {
      sequence.begin(last);
    }
  }

  /** Opens one of a rule about silence, which may have been kept, also by a former version. */
  OpenStanding(BoundRule rule, Condition.Silent when, Step step) {
    this.rule = rule;
    this.step = step;
    fenceVersion = rule.fenceVersion();
    sequence = null;
    Standing kept = step.beforeOfAnyVersion(rule);
    if (kept == null) {
      return;
    }
    ReportedSilence before = kept.reported();
    isOfFormerVersion = kept.version() != rule.version();
    if (!isOfFormerVersion || (before != null && before.of() == when.of())) {
      isOn = kept.isOn() && !isOfFormerVersion;
      alertMillis = kept.alertMillis();
      counted = kept.counted();
      reported = before;
    }
  }

  private static @Nullable OpenSequence sequence(BoundRule rule, Step step) {
    return rule.when() instanceof Condition.Sequence when
        ? new OpenSequence(rule, when, step)
        : null;
  }

  private Side side(LocatedRecord record) {
    CompiledFence fence = rule.fence();
    return fence != null && rule.when() instanceof Condition.InFence when
        ? step.circle(record).side(fence.shape(), when.marginMeters(), when.certainty())
        : Side.OUTSIDE;
  }

  /**
   * Continues with the fence that the set has. A change of a fence never makes a device enter it. A
   * sequence begins anew.
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
    if (sequence != null) {
      sequence.begin(last);
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
    if (sequence != null) {
      if (sequence.isCompletedBy(facts)) {
        match(record, record.timestampMillis());
      }
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
    if (isQuiet(atMillis)) {
      withhold();
      return;
    }
    alert(record, atMillis, confirmedMillis, Alert.Cause.RECORD);
    alertMillis = atMillis;
  }

  private boolean isQuiet(long atMillis) {
    return alertMillis != NONE && atMillis - alertMillis < quietMillis();
  }

  private void withhold() {
    counted++;
    step.withhold();
  }

  private void alert(
      @Nullable LocatedRecord record, long atMillis, long confirmedMillis, Alert.Cause cause) {
    Fix fix = record == null ? null : record.fix();
    Condition.InFence decided = decided();
    step.add(
        new Alert(
            step.user(),
            atMillis,
            rule.id(),
            rule.version(),
            rule.kind(),
            confirmedMillis,
            decided == null ? null : decided.fence(),
            cause,
            record == null ? null : record.position(),
            record == null ? null : record.cell(),
            record == null ? null : record.source(),
            fix == null ? null : fix.accuracyMeters(),
            record == null || decided == null ? 1 : certainty(record, decided),
            counted,
            rule.rule().then()));
    counted = 0;
  }

  /** Returns what the alert's record has decided about a fence; null if that was an expression. */
  private Condition.@Nullable InFence decided() {
    Condition decided = rule.when() instanceof Condition.Sequence when ? when.last() : rule.when();
    return decided instanceof Condition.InFence inFence ? inFence : null;
  }

  private long quietMillis() {
    return rule.rule().quiet().toMillis();
  }

  private double certainty(LocatedRecord record, Condition.InFence decided) {
    CompiledFence fence = rule.fence(decided.fence());
    double inside = fence == null ? 0 : step.circle(record).share(fence.shape());
    boolean isAboutInside = decided.is() == Alert.Kind.ENTERED || decided.is() == Alert.Kind.INSIDE;
    return isAboutInside ? inside : 1 - inside;
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
    if (sequence != null) {
      sequence.drop(last);
      step.needUntil(sequence.neededMillis());
    }
    if (alertMillis != NONE) {
      step.needUntil(alertMillis + quietMillis());
    }
    boolean isNeeded =
        isOn || began != null || alertMillis != NONE || counted > 0 || isOtherThanDerived(last);
    step.keep(rule.id(), isNeeded ? standing() : null);
  }

  /**
   * Counts a silence that has lasted long enough, unless it has counted. Within {@code quiet} it
   * waits for the end of that, and is only counted if a sign comes before: one that does not end
   * must become an alert. If {@code who} is a condition, the last record decides, whose speed is
   * not known any more.
   *
   * @param when the rule's condition
   * @param hasEnded whether a sign has come
   * @param endMillis when it came; {@link Standing#NONE} if that is not known, or if none has come
   * @param last the device's last record; null if it has had none
   */
  void judgeSilence(
      Condition.Silent when,
      Silence silence,
      boolean hasEnded,
      long endMillis,
      @Nullable LocatedRecord last,
      RuleIndex index) {
    long lastedMillis = silence.sinceMillis() + lastingMillis();
    boolean hasLasted =
        endMillis >= lastedMillis || step.watermark() >= silence.arrivedMillis() + lastingMillis();
    long freeMillis = freeMillis(silence.atMillis());
    boolean isFree = Math.max(endMillis, step.watermark()) >= freeMillis;
    if (isOfFormerVersion && !hasLasted) {
      // The rule has got a longer time, which is not over yet.
      reported = null;
    }
    if (isOn || !hasLasted || !(isFree || hasEnded)) {
      return;
    }
    isOn = true;
    boolean isReported = reported != null && reported.is(silence);
    if (isReported || !isAbout(last, index)) {
      return;
    }
    if (!isFree) {
      withhold();
      return;
    }
    alert(last, silence.atMillis(), Math.max(lastedMillis, freeMillis), Alert.Cause.SILENCE);
    // The time of quiet begins with the alert, which may be much later than the silence.
    alertMillis = Math.max(silence.atMillis(), freeMillis);
    reported = new ReportedSilence(when.of(), silence.atMillis());
  }

  /** Returns when {@code quiet} allows an alert; {@link Standing#NONE} if it allows any. */
  private long freeMillis(long atMillis) {
    return isQuiet(atMillis) ? alertMillis + quietMillis() : NONE;
  }

  /** Returns whether the rule is about a user whose last record is that one. */
  private boolean isAbout(@Nullable LocatedRecord last, RuleIndex index) {
    if (!(rule.rule().who() instanceof Who.Matching)) {
      return true;
    }
    return last != null
        && isAbout(
            new RecordFacts(
                last, Double.NaN, index.containing(Objects.requireNonNull(last.position()))));
  }

  /** A sign has come. */
  void endSilence() {
    isOn = false;
  }

  /**
   * Hands over what is kept of a rule about silence.
   *
   * @param silence after the step; null if there is none
   */
  void closeSilence(@Nullable Silence silence) {
    if (silence != null && !isOn) {
      step.wakeAt(
          Math.max(silence.arrivedMillis() + lastingMillis(), freeMillis(silence.atMillis())));
    }
    long nextMillis = silence == null ? alertMillis : silence.atMillis();
    if (alertMillis != NONE && nextMillis - alertMillis >= quietMillis()) {
      alertMillis = NONE;
    }
    if (alertMillis != NONE) {
      step.needUntil(alertMillis + quietMillis());
    }
    if (silence == null || (reported != null && !reported.is(silence))) {
      reported = null;
    }
    boolean isNeeded = isOn || alertMillis != NONE || counted > 0 || reported != null;
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
        counted,
        sequence == null ? null : sequence.progress(),
        reported);
  }

  /** A device that counts as outside can be inside only by a record that the rule is not about. */
  private boolean isOtherThanDerived(LocatedRecord last) {
    if (sequence != null) {
      return !sequence.isDerived(last);
    }
    return rule.when().isChange()
        && rule.rule().who() instanceof Who.Matching
        && side(last) == Side.INSIDE;
  }
}
