package io.lastfix.rules.judge;

import io.lastfix.expressions.Name;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.model.Position;
import io.lastfix.model.device.Presence;
import io.lastfix.rules.fence.FenceShape;
import io.lastfix.rules.rule.Condition;
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
 *
 * <p>Each step also visits the rules about silence. A silence counts once it has lasted for its
 * time, by the sign that ends it or by the watermark, and then once. Event time decides and not a
 * clock: after a restart, a clock would count silences before the job has read the signs that have
 * come meanwhile. The watermark of located records follows the clock while they are read to their
 * end, also if none comes. It stands still while this job or the location job is behind, or Kafka
 * does not answer.
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
    DeviceState device = before == null ? unknown(record.user()) : before;
    LocatedRecord last = device.last();
    double speed = last == null ? Double.NaN : speed(last, record);
    List<FenceShape> containing = rules.index().containing(position(record));
    RecordFacts facts = new RecordFacts(record, speed, containing);
    Step step = step(device, rules, watermark);
    forEachStanding(
        device,
        rules,
        step,
        standing -> {
          standing.confirmBySilence();
          standing.judge(facts);
          standing.close(record);
        });
    judgeOthers(last == null ? record : last, facts, rules.index(), step);
    long millis = record.timestampMillis();
    DeviceState after =
        new DeviceState(
            device.user(), record, Math.max(millis, step.watermark()), device.offline(), Map.of());
    judgeSilences(device, after, Condition.Silent.Sign.POSITION, millis, rules, step);
    return step.judgement(after);
  }

  private Step step(DeviceState device, RuleSet rules, long watermark) {
    return new Step(
        options, device.user(), rules.group(device.user()), device.standings(), watermark);
  }

  private static DeviceState unknown(String user) {
    return new DeviceState(user, null, Standing.NONE, null, Map.of());
  }

  /**
   * Returns whether a change of presence is to be judged: it is newer than the one with which the
   * device went offline. The caller drops all others.
   *
   * @param before null if nothing is kept of the device
   */
  public static boolean isNewer(Presence presence, @Nullable DeviceState before) {
    Silence offline = before == null ? null : before.offline();
    if (offline == null) {
      return presence.state() == Presence.State.OFFLINE;
    }
    return presence.state() == Presence.State.FORGOTTEN
        || presence.seenMillis() > offline.atMillis()
        || (presence.seenMillis() == offline.atMillis()
            && presence.sinceMillis() > offline.sinceMillis());
  }

  /**
   * Judges a change of presence for which {@link #isNewer(Presence, DeviceState)} is true.
   *
   * @param before null if nothing is kept of the device
   * @param watermark the operator's, in epoch milliseconds
   */
  public Judgement judge(
      @Nullable DeviceState before, Presence presence, RuleSet rules, long watermark) {
    DeviceState device = before == null ? unknown(presence.device()) : before;
    Step step = step(device, rules, watermark);
    forEachStanding(device, rules, step, standing -> standing.close(last(device)));
    long since = presence.sinceMillis();
    Silence offline =
        presence.state() == Presence.State.OFFLINE
            ? new Silence(presence.seenMillis(), since, Math.max(since, step.watermark()))
            : null;
    DeviceState after =
        new DeviceState(device.user(), device.last(), device.arrivedMillis(), offline, Map.of());
    // Between two silences the device was there, but when is not known.
    long endMillis = presence.state() == Presence.State.ONLINE ? since : Standing.NONE;
    judgeSilences(device, after, Condition.Silent.Sign.PRESENCE, endMillis, rules, step);
    return step.judgementOrForgotten(after);
  }

  private static LocatedRecord last(DeviceState device) {
    return Objects.requireNonNull(device.last());
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

  /**
   * Brings each standing to the set's rules and fences, and then visits it. A device without a
   * record has only those about silence, which {@link #judgeSilences} visits. What a paused rule
   * has reported stays: once the rule is put again, it does not report that again.
   */
  private static void forEachStanding(
      DeviceState before, RuleSet rules, Step step, Consumer<OpenStanding> visitor) {
    before
        .standings()
        .forEach(
            (id, kept) -> {
              if (kept.reported() != null && rules.isPaused(id)) {
                return;
              }
              BoundRule rule = rules.find(id, kept.version());
              boolean isOfSilence = rule != null && rule.when() instanceof Condition.Silent;
              if (rule == null || !step.concerns(rule) || (isOfSilence && !rule.isActive())) {
                step.keep(id, null);
              } else if (!isOfSilence) {
                OpenStanding standing = new OpenStanding(rule, kept, step);
                standing.settle(last(before));
                visitor.accept(standing);
              }
            });
  }

  /**
   * Judges a device by the rules about silence.
   *
   * @param before the step
   * @param after the step
   * @param sign what has come; null: nothing
   * @param millis when; {@link Standing#NONE} if that is not known
   */
  private static void judgeSilences(
      DeviceState before,
      DeviceState after,
      Condition.Silent.@Nullable Sign sign,
      long millis,
      RuleSet rules,
      Step step) {
    rules
        .index()
        .aboutSilence()
        .forEach(
            step.user(),
            step.group(),
            rule -> {
              if (rule.when() instanceof Condition.Silent when && step.concerns(rule)) {
                boolean isOfRecords = when.of() == Condition.Silent.Sign.POSITION;
                boolean hasCome = when.of() == sign;
                Silence silence = isOfRecords ? before.sinceRecord() : before.offline();
                OpenStanding standing = new OpenStanding(rule, when, step);
                if (silence != null) {
                  standing.judgeSilence(
                      when,
                      silence,
                      hasCome,
                      hasCome ? millis : Standing.NONE,
                      before.last(),
                      rules.index());
                }
                if (hasCome) {
                  standing.endSilence();
                }
                standing.closeSilence(isOfRecords ? after.sinceRecord() : after.offline());
              }
            });
  }

  /**
   * Judges a record by the rules without a standing.
   *
   * @param last the record before; of a device's first one, that itself
   */
  private static void judgeOthers(
      LocatedRecord last, RecordFacts facts, RuleIndex index, Step step) {
    index
        .elsewhere()
        .forEach(step.user(), step.group(), rule -> judgeOther(rule, last, facts, step));
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
      judgeOther(rule, last, facts, step);
    }
  }

  private static void judgeOther(BoundRule rule, LocatedRecord last, RecordFacts facts, Step step) {
    if (step.concerns(rule) && step.before(rule) == null && step.isFirstVisit(rule)) {
      OpenStanding standing = new OpenStanding(rule, last, step);
      standing.judge(facts);
      standing.close(facts.record());
    }
  }

  /** Judges a device after its due time has come without a record. */
  public Judgement onTimer(DeviceState before, RuleSet rules, long watermark) {
    Step step = step(before, rules, watermark);
    forEachStanding(
        before,
        rules,
        step,
        standing -> {
          standing.confirmBySilence();
          standing.close(last(before));
        });
    judgeSilences(before, before, null, Standing.NONE, rules, step);
    return step.judgementOrForgotten(before);
  }

  /** Judges a device after fences, or rules about silence, have changed. */
  public Judgement settle(DeviceState before, RuleSet rules, long watermark) {
    Step step = step(before, rules, watermark);
    forEachStanding(before, rules, step, standing -> standing.close(last(before)));
    judgeSilences(before, before, null, Standing.NONE, rules, step);
    return step.judgement(before);
  }
}
