package io.lastfix.rules.judge;

import io.lastfix.expressions.Facts;
import io.lastfix.expressions.Outcome;
import io.lastfix.expressions.Statement;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.rule.Condition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the results of one step of a device. It creates collections only if one is needed. */
final class Step {
  /** Rules are visited in any order. */
  private static final Comparator<Alert> ORDER =
      Comparator.comparingLong(Alert::atMillis).thenComparing(Alert::rule);

  /** At the end of bounded input the watermark is the greatest number. Times are added to it. */
  private static final long LAST_WATERMARK = Long.MAX_VALUE / 2;

  private final JudgeOptions options;
  private final String user;
  private final @Nullable String group;
  private final long watermark;
  private final Map<String, Standing> before;

  /** Null: as before. */
  private @Nullable Map<String, Standing> after;

  /** The sequences that were visited. */
  private @Nullable Set<String> visited;

  private @Nullable List<Alert> alerts;
  private @Nullable Map<String, Integer> failed;
  private int withheld;
  private int undecided;
  private long neededMillis = Standing.NONE;
  private long dueMillis = Long.MAX_VALUE;

  /**
   * Begins a step.
   *
   * @param group of the user; null if it has none
   * @param before the standings before the step
   */
  Step(
      JudgeOptions options,
      String user,
      @Nullable String group,
      Map<String, Standing> before,
      long watermark) {
    this.options = options;
    this.user = user;
    this.group = group;
    this.before = before;
    this.watermark = Math.min(watermark, LAST_WATERMARK);
  }

  String user() {
    return user;
  }

  @Nullable String group() {
    return group;
  }

  /** Returns false if the rule is about other users, whatever their records are. */
  boolean concerns(BoundRule rule) {
    return rule.concerns(user, group);
  }

  long watermark() {
    return watermark;
  }

  DeviceCircle circle(LocatedRecord record) {
    return DeviceCircle.of(record, options);
  }

  /** Returns the standing of any version of the rule before the step; null if there was none. */
  @Nullable Standing beforeOfAnyVersion(BoundRule rule) {
    return before.get(rule.id());
  }

  /** Returns the standing of this version of the rule before the step; null if there was none. */
  @Nullable Standing before(BoundRule rule) {
    Standing standing = beforeOfAnyVersion(rule);
    return standing != null && standing.version() == rule.version() ? standing : null;
  }

  /** Returns whether this is the first visit of a rule. Only a sequence may have several fences. */
  boolean isFirstVisit(BoundRule rule) {
    if (!(rule.when() instanceof Condition.Sequence)) {
      return true;
    }
    if (visited == null) {
      visited = new HashSet<>();
    }
    return visited.add(rule.id());
  }

  /** Sets what is kept of a rule; null: nothing. */
  void keep(String rule, @Nullable Standing standing) {
    if (Objects.equals(before.get(rule), standing)) {
      return;
    }
    if (after == null) {
      after = new HashMap<>(before);
    }
    if (standing == null) {
      after.remove(rule);
    } else {
      after.put(rule, standing);
    }
  }

  /** Keeps the device from being forgotten before that watermark. */
  void needUntil(long millis) {
    neededMillis = Math.max(neededMillis, millis);
  }

  /** Lets the device's timer fire at that watermark at the latest. */
  void wakeAt(long millis) {
    dueMillis = Math.min(dueMillis, millis);
    needUntil(millis);
  }

  /**
   * Returns the watermark at which a silent device is forgotten. All standings must be closed.
   *
   * @param device after the step; its standings do not count
   */
  private long forgetMillis(DeviceState device) {
    LocatedRecord last = device.last();
    Silence offline = device.offline();
    long forgetMillis = neededMillis;
    if (last != null) {
      forgetMillis = Math.max(forgetMillis, forgetMillis(last.timestampMillis()));
    }
    if (offline != null) {
      forgetMillis = Math.max(forgetMillis, forgetMillis(offline.sinceMillis()));
    }
    return forgetMillis;
  }

  private long forgetMillis(long sinceMillis) {
    return sinceMillis + options.forgetAfter().toMillis();
  }

  void add(Alert alert) {
    if (alerts == null) {
      alerts = new ArrayList<>();
    }
    alerts.add(alert);
  }

  void withhold() {
    withheld++;
  }

  /** Evaluates an expression of a rule, and counts an outcome that is neither true nor false. */
  Outcome evaluate(BoundRule rule, Statement statement, Facts facts) {
    Outcome outcome = statement.evaluate(facts);
    if (outcome == Outcome.UNDECIDED) {
      undecided++;
    } else if (outcome == Outcome.FAILED) {
      if (failed == null) {
        failed = new HashMap<>();
      }
      failed.merge(rule.id(), 1, Integer::sum);
    }
    return outcome;
  }

  /**
   * Returns the step's result, with what is kept of the device.
   *
   * @param device after the step, but for its standings
   */
  Judgement judgement(DeviceState device) {
    Map<String, Standing> standings = after == null ? before : after;
    long wakeMillis = Math.min(dueMillis, forgetMillis(device));
    for (Standing standing : standings.values()) {
      if (standing.began() != null) {
        wakeMillis = Math.min(wakeMillis, standing.dueMillis());
      }
    }
    return result(
        new DeviceState(
            device.user(), device.last(), device.arrivedMillis(), device.offline(), standings),
        wakeMillis);
  }

  /** Returns the step's result likewise, or without a state if the device is forgotten now. */
  Judgement judgementOrForgotten(DeviceState device) {
    return watermark >= forgetMillis(device) ? result(null, Standing.NONE) : judgement(device);
  }

  private Judgement result(@Nullable DeviceState state, long dueMillis) {
    if (alerts != null) {
      alerts.sort(ORDER);
    }
    return new Judgement(
        state,
        dueMillis,
        alerts == null ? List.of() : alerts,
        withheld,
        undecided,
        failed == null ? Map.of() : failed);
  }
}
