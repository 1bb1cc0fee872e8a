package io.lastfix.bench;

import java.util.Locale;

/**
 * A target of Lastfix and the measured figure.
 *
 * @param what it measures, with its unit
 * @param atLeast whether the target is a lower bound
 * @param wanted the target
 * @param found the figure of this run; NaN: not measured
 * @param whyNot why nothing was measured; used only then
 */
record Goal(String what, boolean atLeast, double wanted, double found, String whyNot) {
  static Goal atLeast(String what, double wanted, double found) {
    return new Goal(what, true, wanted, found, "");
  }

  static Goal atMost(String what, double wanted, double found) {
    return new Goal(what, false, wanted, found, "");
  }

  /** Returns this goal, with the reason to print if nothing was measured. */
  Goal orElse(String reason) {
    return new Goal(what, atLeast, wanted, found, reason);
  }

  /** Yes, no, or why it is not known. */
  String outcome() {
    if (Double.isNaN(found)) {
      return whyNot.isEmpty() ? "not measured" : "not measured: " + whyNot;
    }
    return (atLeast ? found >= wanted : found <= wanted) ? "yes" : "no";
  }

  String bound() {
    return String.format(Locale.ROOT, "%s %,.4g", atLeast ? "≥" : "≤", wanted)
        .replaceAll("(\\.\\d*?)0+$", "$1")
        .replaceAll("\\.$", "");
  }
}
