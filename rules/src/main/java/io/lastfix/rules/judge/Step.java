package io.lastfix.rules.judge;

import io.lastfix.expressions.Facts;
import io.lastfix.expressions.Outcome;
import io.lastfix.expressions.Statement;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.alert.Alert;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the results of one step of a device. It creates collections only if one is needed. */
final class Step {
  /** Rules are visited in any order. */
  private static final Comparator<Alert> ORDER =
      Comparator.comparingLong(Alert::atMillis).thenComparing(Alert::rule);

  private final JudgeOptions options;
  private final long watermark;
  private final Map<String, Standing> before;

  /** Null: as before. */
  private @Nullable Map<String, Standing> after;

  private @Nullable List<Alert> alerts;
  private @Nullable Map<String, Integer> failed;
  private int withheld;
  private int undecided;
  private long neededMillis = Long.MIN_VALUE;

  Step(JudgeOptions options, Map<String, Standing> before, long watermark) {
    this.options = options;
    this.before = before;
    this.watermark = watermark;
  }

  long watermark() {
    return watermark;
  }

  DeviceCircle circle(LocatedRecord record) {
    return DeviceCircle.of(record, options.cellRadiusMeters());
  }

  /** Returns whether there was a standing of this version of the rule before the step. */
  boolean had(BoundRule rule) {
    Standing standing = before.get(rule.id());
    return standing != null && standing.version() == rule.version();
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

  /** Returns the watermark at which a silent device is forgotten. All standings must be closed. */
  long forgetMillis(LocatedRecord last) {
    return Math.max(last.timestampMillis() + options.forgetAfter().toMillis(), neededMillis);
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

  /** Returns the step's result, with what is kept of the device. */
  Judgement judgement(LocatedRecord last) {
    Map<String, Standing> standings = after == null ? before : after;
    long dueMillis = forgetMillis(last);
    for (Standing standing : standings.values()) {
      if (standing.began() != null) {
        dueMillis = Math.min(dueMillis, standing.dueMillis());
      }
    }
    return result(new DeviceState(last, standings), dueMillis);
  }

  /** Returns the step's result if the device is forgotten. */
  Judgement judgementWithoutState() {
    return result(null, Standing.NONE);
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
