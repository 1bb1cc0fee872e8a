package io.lastfix.cli.bench;

import java.util.Locale;

/**
 * A figure that Lastfix wants to reach.
 *
 * @param what it measures, with its unit
 * @param atLeast whether more is better
 * @param wanted the bound
 * @param found in this run
 */
record Goal(String what, boolean atLeast, double wanted, double found) {
  static Goal atLeast(String what, double wanted, double found) {
    return new Goal(what, true, wanted, found);
  }

  static Goal atMost(String what, double wanted, double found) {
    return new Goal(what, false, wanted, found);
  }

  /** A figure that could not be measured is not reached. */
  boolean isReached() {
    return atLeast ? found >= wanted : found <= wanted;
  }

  String bound() {
    return String.format(Locale.ROOT, "%s %,.4g", atLeast ? "≥" : "≤", wanted)
        .replaceAll("(\\.\\d*?)0+$", "$1")
        .replaceAll("\\.$", "");
  }
}
