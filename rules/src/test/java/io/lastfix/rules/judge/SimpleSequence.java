package io.lastfix.rules.judge;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.fence.Fence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A sequence over all that happens to one device: what {@link OpenSequence} has to agree with. It
 * keeps all records since the last match, and for each new one tries all choices of earlier ones.
 */
final class SimpleSequence {
  /**
   * A sequence in numbers.
   *
   * @param isOnlyGnss whether {@code who} is {@link SimpleRule#GNSS}
   */
  record Rule(
      String id, List<SimpleStep> steps, long seconds, long quietSeconds, boolean isOnlyGnss) {
    TestRule build() {
      TestRule rule =
          TestRule.sequence(steps.stream().map(SimpleStep::yaml).toArray(String[]::new))
              .id(id)
              .within(seconds)
              .quiet(quietSeconds);
      return isOnlyGnss ? rule.who("expr", SimpleRule.GNSS) : rule;
    }

    private boolean isAbout(String fence) {
      return steps.stream().anyMatch(step -> fence.equals(step.fence()));
    }
  }

  /**
   * One of its steps.
   *
   * @param fence null: it is {@link SimpleRule#EXPRESSION}
   */
  record SimpleStep(@Nullable String fence, Alert.Kind kind, int margin, double certainty) {
    private String yaml() {
      return fence == null
          ? TestRule.step(SimpleRule.EXPRESSION)
          : "{fence: %s, is: %s, margin: %d m, certainty: %s}"
              .formatted(fence, kind.text(), margin, certainty);
    }

    private boolean isChange() {
      return kind == Alert.Kind.ENTERED || kind == Alert.Kind.LEFT;
    }
  }

  private final Rule rule;

  /** By id; a deleted one is absent. */
  private final Map<String, Fence.Circle> circles;

  /** The records since the last match, and which steps each of them matches. */
  private final List<LocatedRecord> records = new ArrayList<>();

  private final List<boolean[]> matches = new ArrayList<>();
  private final List<String> alerts = new ArrayList<>();
  private final boolean[] inside;
  private @Nullable LocatedRecord last;
  private @Nullable Long alertMillis;
  private long counted;

  SimpleSequence(Rule rule, List<SimpleJudge.Event> events, Map<String, Fence.Circle> circles) {
    this.rule = rule;
    this.circles = new HashMap<>(circles);
    inside = new boolean[rule.steps().size()];
    for (SimpleJudge.Event event : SimpleJudge.ascending(events)) {
      if (event instanceof SimpleJudge.FenceChange change && rule.isAbout(TestBook.DEPOT)) {
        change(change.circle());
      } else if (event instanceof SimpleJudge.Arrival arrival) {
        judge(arrival.record());
        last = arrival.record();
      }
    }
  }

  /** Returns the alerts as {@link DeviceRun#texts} does. */
  List<String> alerts() {
    return alerts;
  }

  private void change(Fence.@Nullable Circle circle) {
    if (circle == null) {
      circles.remove(TestBook.DEPOT);
    } else {
      circles.put(TestBook.DEPOT, circle);
    }
    begin(last);
  }

  private void begin(@Nullable LocatedRecord from) {
    records.clear();
    matches.clear();
    Arrays.fill(inside, false);
    for (int i = 0; i < inside.length; i++) {
      inside[i] = from != null && step(i).isChange() && Boolean.TRUE.equals(isInside(from, i));
    }
  }

  private SimpleStep step(int index) {
    return rule.steps().get(index);
  }

  private @Nullable Boolean isInside(LocatedRecord record, int index) {
    SimpleStep step = step(index);
    Fence.Circle circle = circles.get(Objects.requireNonNull(step.fence()));
    return circle == null
        ? Boolean.FALSE
        : SimpleJudge.isInside(record, circle, step.margin(), step.certainty());
  }

  private void judge(LocatedRecord record) {
    if (rule.steps().stream().anyMatch(step -> !hasFence(step))) {
      // The rule is not there while one of its fences is deleted.
      alertMillis = null;
      counted = 0;
      return;
    }
    if (last == null) {
      begin(record);
    }
    if (rule.isOnlyGnss() && record.source() != PositionSource.GNSS) {
      return;
    }
    records.add(record);
    matches.add(matches(record));
    if (isCompleted()) {
      records.clear();
      matches.clear();
      match(record.timestampMillis());
    }
  }

  private boolean hasFence(SimpleStep step) {
    return step.fence() == null || circles.containsKey(step.fence());
  }

  private boolean[] matches(LocatedRecord record) {
    boolean[] before = inside.clone();
    boolean[] found = new boolean[inside.length];
    for (int i = 0; i < found.length; i++) {
      if (step(i).fence() == null) {
        found[i] = Boolean.TRUE.equals(SimpleJudge.isAccurate(record));
        continue;
      }
      Boolean isInside = isInside(record, i);
      if (step(i).isChange()) {
        inside[i] = isInside == null ? inside[i] : isInside;
        found[i] = inside[i] != before[i] && inside[i] == (step(i).kind() == Alert.Kind.ENTERED);
      } else {
        found[i] = isInside != null && isInside == (step(i).kind() == Alert.Kind.INSIDE);
      }
    }
    return found;
  }

  private boolean isCompleted() {
    int end = records.size() - 1;
    if (!matches.get(end)[inside.length - 1]) {
      return false;
    }
    for (int first = 0; first < end; first++) {
      long millis = records.get(end).timestampMillis() - records.get(first).timestampMillis();
      if (matches.get(first)[0] && millis <= 1_000 * rule.seconds() && isChain(1, first, end)) {
        return true;
      }
    }
    return false;
  }

  /** Whether records between these two match the steps from that one to the last but one. */
  private boolean isChain(int index, int after, int end) {
    if (index == inside.length - 1) {
      return true;
    }
    for (int i = after + 1; i < end; i++) {
      if (matches.get(i)[index] && isChain(index + 1, i, end)) {
        return true;
      }
    }
    return false;
  }

  private void match(long at) {
    if (alertMillis != null && at - alertMillis < 1_000 * rule.quietSeconds()) {
      counted++;
      return;
    }
    alerts.add("sequence " + TestRecord.seconds(at) + (counted == 0 ? "" : " +" + counted));
    alertMillis = at;
    counted = 0;
  }
}
