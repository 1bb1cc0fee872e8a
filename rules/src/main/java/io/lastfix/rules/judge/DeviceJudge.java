package io.lastfix.rules.judge;

import io.lastfix.expressions.Name;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.model.Position;
import io.lastfix.rules.fence.FenceShape;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Judges one device's records, in the order of {@code LocatedRecordOrder}. It keeps nothing: all
 * that it needs is in its arguments, so a repeat has the same result.
 *
 * <p>A step visits the rules that have a standing, those of the fences that contain the device now
 * or contained it before, those that require one of the record's texts, such as its network, and
 * those that any record may concern. Of a rule without a standing, the standing follows from the
 * device's last record.
 */
public final class DeviceJudge {
  private static final double MILLIS_PER_SECOND = 1_000;

  private final JudgeOptions options;

  /** Judges by these options. */
  public DeviceJudge(JudgeOptions options) {
    this.options = options;
  }

  /**
   * Returns whether a record is to be judged: it has a position, and is newer than the last one.
   * The caller counts and drops all others.
   *
   * @param last the device's last judged record; null if there is none
   */
  public static boolean isNewer(LocatedRecord record, @Nullable LocatedRecord last) {
    return record.isLocated()
        && (last == null || LocatedRecordOrder.INSTANCE.compare(record, last) > 0);
  }

  /**
   * Judges a record for which {@link #isNewer} is true.
   *
   * @param before null for a device's first record
   * @param watermark the operator's, in epoch milliseconds
   */
  public Judgement judge(
      @Nullable DeviceState before, LocatedRecord record, RuleSet rules, long watermark) {
    double speed = before == null ? Double.NaN : speed(before.last(), record);
    List<FenceShape> containing = rules.index().containing(position(record));
    RecordFacts facts = new RecordFacts(record, speed, containing);
    Step step = new Step(options, before == null ? Map.of() : before.standings(), watermark);
    if (before == null) {
      judgeOthers(record, facts, rules.index(), step);
      return step.judgement(record);
    }
    forEachStanding(
        before,
        rules,
        step,
        standing -> {
          standing.confirmBySilence();
          standing.judge(facts);
          standing.close(record);
        });
    judgeOthers(before.last(), facts, rules.index(), step);
    return step.judgement(record);
  }

  private static Position position(LocatedRecord record) {
    return Objects.requireNonNull(record.position());
  }

  /** Returns the speed between two records, in metres a second; NaN at one instant. */
  private static double speed(LocatedRecord last, LocatedRecord record) {
    long millis = record.timestampMillis() - last.timestampMillis();
    if (millis == 0) {
      return Double.NaN;
    }
    return position(last).metersTo(position(record)) / millis * MILLIS_PER_SECOND;
  }

  /** Brings each standing to the set's rules and fences, and then visits it. */
  private static void forEachStanding(
      DeviceState before, RuleSet rules, Step step, Consumer<OpenStanding> visitor) {
    before
        .standings()
        .forEach(
            (id, kept) -> {
              BoundRule rule = rules.find(id, kept.version());
              if (rule == null) {
                step.keep(id, null);
                return;
              }
              OpenStanding standing = new OpenStanding(rule, kept, step);
              standing.settle(before.last());
              visitor.accept(standing);
            });
  }

  /**
   * Judges a record by the rules without a standing.
   *
   * @param last the record before; of a device's first one, that itself
   */
  private static void judgeOthers(
      LocatedRecord last, RecordFacts facts, RuleIndex index, Step step) {
    judgeOthers(index.others(), last, facts, step);
    for (Name name : index.names()) {
      judgeOthers(index.ofText(name, facts.text(name)), last, facts, step);
    }
    for (FenceShape fence : facts.containing()) {
      judgeOthers(index.ofFence(fence), last, facts, step);
    }
    if (position(last).equals(position(facts.record()))) {
      return;
    }
    for (FenceShape fence : index.containing(position(last))) {
      if (!facts.containing().contains(fence)) {
        judgeOthers(index.ofFence(fence), last, facts, step);
      }
    }
  }

  private static void judgeOthers(
      List<BoundRule> rules, LocatedRecord last, RecordFacts facts, Step step) {
    for (BoundRule rule : rules) {
      if (rule.concerns(last.user()) && !step.had(rule)) {
        OpenStanding standing = new OpenStanding(rule, last, step);
        standing.judge(facts);
        standing.close(facts.record());
      }
    }
  }

  /** Judges a device after its due time has come without a record. */
  public Judgement onTimer(DeviceState before, RuleSet rules, long watermark) {
    Step step = new Step(options, before.standings(), watermark);
    forEachStanding(
        before,
        rules,
        step,
        standing -> {
          standing.confirmBySilence();
          standing.close(before.last());
        });
    return watermark >= step.forgetMillis(before.last())
        ? step.judgementWithoutState()
        : step.judgement(before.last());
  }

  /** Judges a device after fences have changed. */
  public Judgement settle(DeviceState before, RuleSet rules, long watermark) {
    Step step = new Step(options, before.standings(), watermark);
    forEachStanding(before, rules, step, standing -> standing.close(before.last()));
    return step.judgement(before.last());
  }
}
