package io.lastfix.parse;

/** Reads whole numbers from characters, without an object for each. */
final class Decimals {
  /** Says that a text is not a number from 0 to the greatest allowed. */
  static final long INVALID = -1;

  private Decimals() {}

  /**
   * A number of decimal digits only: no sign, no blanks, at least one digit; zeros may lead.
   *
   * @param max the greatest allowed, at most 10<sup>18</sup>
   */
  static long parse(char[] text, int from, int to, long max) {
    if (from >= to) {
      return INVALID;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return INVALID;
      }
      value = value * 10 + digit;
      if (value > max) {
        return INVALID;
      }
    }
    return value;
  }
}
