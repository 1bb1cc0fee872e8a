package io.lastfix.alert;

import io.lastfix.rules.judge.Standing;
import java.util.Map;

/**
 * What {@link JudgeOperator} keeps of a device for rules; of most devices nothing.
 *
 * @param byRule by the rule's id
 */
record Standings(Map<String, Standing> byRule) {
  /** Copies the map. */
  Standings {
    byRule = Map.copyOf(byRule);
  }
}
