package io.lastfix.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.rules.judge.RuleSet;
import org.junit.jupiter.api.Test;

class FailingRulesTest {
  private static final long NOW = 1_795_176_000_000L;

  private final FailingRules failing = new FailingRules();

  /** Returns how often the rule was to be paused. */
  private int fail(String rule, long version, int records, long fromMillis, long pauseMillis) {
    int pauses = 0;
    for (int i = 0; i < records; i++) {
      if (failing.isToBePaused(rule, version, fromMillis + i * pauseMillis)) {
        pauses++;
      }
    }
    return pauses;
  }

  @Test
  void theRecordAfterAHundredWithinAMinutePausesOnce() {
    assertThat(fail("a", 1, 100, NOW, 599)).isZero();
    assertThat(fail("a", 1, 1, NOW + 59_999, 0)).isEqualTo(1);
    assertThat(fail("a", 1, 1_000, NOW + 60_000, 1)).isZero();
  }

  @Test
  void aHundredAndOneInAMinuteOrMoreAreRare() {
    assertThat(fail("a", 1, 10_000, NOW, 600)).isZero();
  }

  @Test
  void anOldFailureCountsNoMore() {
    assertThat(fail("a", 1, 50, NOW, 1)).isZero();
    assertThat(fail("a", 1, 100, NOW + 60_100, 1)).isZero();
    assertThat(fail("a", 1, 1, NOW + 60_200, 1)).isEqualTo(1);
  }

  @Test
  void recordsThatAreOlderThanTheFirstFailureAreOfNoMinute() {
    assertThat(fail("a", 1, 100, NOW, 1)).isZero();
    assertThat(fail("a", 1, 100, NOW - 3_600_000, 1)).isZero();
    assertThat(fail("a", 1, 1, NOW - 3_600_000, 0)).isEqualTo(1);
  }

  @Test
  void eachRuleAndVersionCountsForItself() {
    assertThat(fail("a", 1, 100, NOW, 1)).isZero();
    assertThat(fail("b", 1, 100, NOW, 1)).isZero();
    assertThat(fail("a", 2, 100, NOW, 1)).isZero();
    assertThat(fail("a", 2, 1, NOW, 1)).isEqualTo(1);
    assertThat(fail("b", 1, 1, NOW, 1)).isEqualTo(1);
  }

  @Test
  void ofADeletedRuleNothingIsKept() {
    assertThat(fail("a", 1, 100, NOW, 1)).isZero();
    failing.keepOnly(RuleSet.EMPTY);

    assertThat(fail("a", 1, 100, NOW, 1)).isZero();
  }
}
