package io.lastfix.rules.judge;

import io.lastfix.model.alert.Alert;

/**
 * A rule in numbers, as {@link SimpleJudge} uses it.
 *
 * @param kind of {@link Alert.Kind#EXPR}, the expression is {@link #EXPRESSION}
 * @param isOnlyGnss whether {@code who} is {@link #GNSS}
 * @param isOfGroup whether {@code who} is the group {@link #GROUP}
 */
record SimpleRule(
    String id,
    Alert.Kind kind,
    long seconds,
    int margin,
    double certainty,
    long quietSeconds,
    boolean isOnlyGnss,
    boolean isOfGroup) {
  /** Undecided without an accuracy. */
  static final String EXPRESSION = "accuracy < 30.0";

  static final String GNSS = "source == \"gnss\"";

  static final String GROUP = "vans";

  TestRule build() {
    TestRule rule;
    if (kind == Alert.Kind.EXPR) {
      rule = TestRule.expression(EXPRESSION);
    } else {
      rule = TestRule.of(kind).margin(margin).certainty(certainty);
    }
    rule.id(id).lasting(seconds).quiet(quietSeconds);
    if (isOfGroup) {
      return rule.who("group", GROUP);
    }
    return isOnlyGnss ? rule.who("expr", GNSS) : rule;
  }
}
