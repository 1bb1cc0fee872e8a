package io.lastfix.rules.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.Presence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs one device as an operator does: its state, and a timer at the due watermark. */
final class DeviceRun {
  /** Cells of unknown range have a circle of 100 m. */
  static final JudgeOptions OPTIONS = new JudgeOptions(100, Duration.ofDays(30));

  private final DeviceJudge judge;
  private final List<Alert> alerts = new ArrayList<>();
  private final Map<String, Integer> failed = new HashMap<>();
  private RuleSet rules;
  private @Nullable DeviceState state;
  private long dueMillis;
  private long watermark = Long.MIN_VALUE;
  private int withheld;
  private int undecided;

  DeviceRun(RuleSet rules) {
    this(rules, OPTIONS);
  }

  DeviceRun(RuleSet rules, JudgeOptions options) {
    this.rules = rules;
    judge = new DeviceJudge(options);
  }

  /** Judges the records that are newer than the last one. */
  DeviceRun arrive(LocatedRecord... records) {
    for (LocatedRecord record : records) {
      if (DeviceJudge.isNewer(record, state == null ? null : state.last())) {
        take(judge.judge(state, record, rules, watermark));
      }
    }
    return this;
  }

  /** Judges the changes of presence that are newer than the last one. */
  DeviceRun arrive(Presence... presences) {
    for (Presence presence : presences) {
      if (DeviceJudge.isNewer(presence, state)) {
        take(judge.judge(state, presence, rules, watermark));
      }
    }
    return this;
  }

  /** Judges records at instants and distances. */
  DeviceRun arrive(TestRecord... records) {
    for (TestRecord record : records) {
      arrive(record.build());
    }
    return this;
  }

  /** Advances the watermark, and fires the timer if it is due. */
  DeviceRun watermark(long millis) {
    watermark = Math.max(watermark, millis);
    if (state != null && watermark >= dueMillis) {
      take(judge.onTimer(state, rules, watermark));
      assertThat(state == null || dueMillis > watermark).as("nothing is due any more").isTrue();
    }
    return this;
  }

  /** Advances the watermark without the timer, as if that were late. */
  DeviceRun watermarkWithoutTimer(long millis) {
    watermark = millis;
    return this;
  }

  /** Continues with other rules. */
  DeviceRun use(RuleSet others) {
    boolean isUnsettled =
        others.hasOtherFences(rules)
            || others.hasOtherSilences(rules)
            || rules.hasOtherSilences(others);
    rules = others;
    if (isUnsettled && state != null) {
      take(judge.settle(state, rules, watermark));
    }
    return this;
  }

  /** Continues with the rules as a job does that was restored. */
  DeviceRun restart(RuleSet others) {
    rules = others;
    take(judge.settle(state(), rules, watermark));
    return this;
  }

  private void take(Judgement judgement) {
    state = judgement.state();
    dueMillis = judgement.dueMillis();
    alerts.addAll(judgement.alerts());
    withheld += judgement.withheld();
    undecided += judgement.undecided();
    judgement.failed().forEach((rule, count) -> failed.merge(rule, count, Integer::sum));
  }

  List<Alert> alerts() {
    return alerts;
  }

  List<Alert> alerts(String rule) {
    return alerts.stream().filter(alert -> alert.rule().equals(rule)).toList();
  }

  /**
   * Returns the alerts as texts such as {@code left 10}, {@code left 10 +2}: kind, second, count.
   */
  List<String> texts() {
    return alerts.stream().map(DeviceRun::text).toList();
  }

  /** Returns those of a rule, likewise. */
  List<String> texts(String rule) {
    return alerts(rule).stream().map(DeviceRun::text).toList();
  }

  private static String text(Alert alert) {
    String counted = alert.counted() == 0 ? "" : " +" + alert.counted();
    return alert.kind().text() + " " + TestRecord.seconds(alert.atMillis()) + counted;
  }

  boolean isForgotten() {
    return state == null;
  }

  DeviceState state() {
    return Objects.requireNonNull(state);
  }

  long watermark() {
    return watermark;
  }

  long dueMillis() {
    return dueMillis;
  }

  int withheld() {
    return withheld;
  }

  int undecided() {
    return undecided;
  }

  Map<String, Integer> failed() {
    return failed;
  }
}
