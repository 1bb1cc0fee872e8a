package io.lastfix.rules.judge;

import io.lastfix.rules.rule.Condition;

/**
 * A silence of which there was an alert.
 *
 * @param of what did not come
 * @param atMillis the last sign before it, in epoch milliseconds
 */
public record ReportedSilence(Condition.Silent.Sign of, long atMillis) {
  /** Returns whether it is that silence, of the same sign. */
  boolean is(Silence silence) {
    return atMillis == silence.atMillis();
  }
}
