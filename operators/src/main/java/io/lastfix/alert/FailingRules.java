package io.lastfix.alert;

import io.lastfix.rules.judge.RuleSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the rules whose expressions fail too often. Their failures cost more than they tell. It
 * compares timestamps of records: a job that catches up judges hours within a minute.
 */
final class FailingRules {
  /** On one record more within {@link #PERIOD_MILLIS}, the rule is paused. */
  static final int MOST_RECORDS = 100;

  static final long PERIOD_MILLIS = 60_000;

  private final Map<String, Failures> byRule = new HashMap<>();

  /**
   * Counts a record on which a rule has failed.
   *
   * @param recordMillis the record's timestamp
   * @return whether the rule is to be paused; once a version
   */
  boolean isToBePaused(String rule, long version, long recordMillis) {
    Failures failures = byRule.get(rule);
    if (failures == null || failures.version != version) {
      failures = new Failures(version);
      byRule.put(rule, failures);
    }
    return failures.add(recordMillis);
  }

  /** Forgets the rules that are paused or deleted. */
  void keepOnly(RuleSet rules) {
    byRule.keySet().removeIf(rule -> rules.version(rule) == 0);
  }

  private static final class Failures {
    private final long version;

    /** A ring of the last ones. */
    private final long[] millis = new long[MOST_RECORDS + 1];

    private int next;
    private boolean isFull;
    private boolean isPaused;

    Failures(long version) {
      this.version = version;
    }

    boolean add(long recordMillis) {
      millis[next] = recordMillis;
      next = (next + 1) % millis.length;
      isFull |= next == 0;
      // The next place has the first one of them. That may be newer than this record.
      long period = recordMillis - millis[next];
      boolean isTooOften = isFull && period >= 0 && period < PERIOD_MILLIS;
      if (isPaused || !isTooOften) {
        return false;
      }
      isPaused = true;
      return true;
    }
  }
}
