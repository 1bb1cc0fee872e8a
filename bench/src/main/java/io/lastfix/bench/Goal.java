package io.lastfix.bench;

import java.util.Locale;

/**
 * A figure that Lastfix wants to reach.
 *
 * @param what it measures, with its unit
 * @param atLeast whether more is better
 * @param wanted the bound
 * @param found in this run; NaN: nothing
 * @param whyNot nothing was found, where that is so
 */
record Goal(String what, boolean atLeast, double wanted, double found, String whyNot) {
  static Goal atLeast(String what, double wanted, double found) {
    return new Goal(what, true, wanted, found, "");
  }

  static Goal atMost(String what, double wanted, double found) {
    return new Goal(what, false, wanted, found, "");
  }

  /** The same, with the reason why there is no figure if there is none. */
  Goal orElse(String reason) {
    return new Goal(what, atLeast, wanted, found, reason);
  }

  /** Yes or no, or that and why it is not known. */
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
