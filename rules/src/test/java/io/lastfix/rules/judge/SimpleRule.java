package io.lastfix.rules.judge;

import io.lastfix.model.alert.Alert;

/**
 * A rule in numbers, as {@link SimpleJudge} uses it.
 *
 * @param kind of {@link Alert.Kind#EXPR}, the expression is {@link #EXPRESSION}
 * @param isOnlyGnss whether {@code who} is {@link #GNSS}
 */
record SimpleRule(
    String id,
    Alert.Kind kind,
    long seconds,
    int margin,
    double certainty,
    long quietSeconds,
    boolean isOnlyGnss) {
  /** Undecided without an accuracy. */
  static final String EXPRESSION = "accuracy < 30.0";

  static final String GNSS = "source == \"gnss\"";

  TestRule build() {
    TestRule rule;
    if (kind == Alert.Kind.EXPR) {
      rule = TestRule.expression(EXPRESSION);
    } else {
      rule = TestRule.of(kind).margin(margin).certainty(certainty);
    }
    rule.id(id).lasting(seconds).quiet(quietSeconds);
    return isOnlyGnss ? rule.who("expr", GNSS) : rule;
  }
}
