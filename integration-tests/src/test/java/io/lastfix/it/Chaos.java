package io.lastfix.it;

/** How far the tests of faults go: short in {@code mvn verify}, long with {@code -Pchaos}. */
final class Chaos {
  private Chaos() {}

  /** Whether this is the long form. */
  static boolean isLong() {
    return Boolean.getBoolean("lastfix.chaos");
  }

  /** One of two numbers, of rounds, records or seconds. */
  static int shortOrLong(int shortForm, int longForm) {
    return isLong() ? longForm : shortForm;
  }
}
