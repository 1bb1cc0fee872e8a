package io.lastfix.parse.profile;

/** Reads whole numbers from characters, without an object for each. */
public final class Decimals {
  /** Says that a text is not a number from 0 to the greatest allowed. */
  public static final long INVALID = -1;

  /** What a long holds, whatever the digits are. */
  public static final int MAX_DIGITS = 18;

  private Decimals() {}

  /**
   * A number of decimal digits only: no sign, no blanks, at least one digit; zeros may lead.
   *
   * @param max the greatest allowed, less than 10<sup>18</sup>
   */
  public static long parse(char[] text, int from, int to, long max) {
    int first = from;
    while (to - first > MAX_DIGITS && text[first] == '0') {
      first++;
    }
    if (first >= to || to - first > MAX_DIGITS) {
      return INVALID;
    }
    long value = 0;
    for (int i = first; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return INVALID;
      }
      value = value * 10 + digit;
    }
    return value <= max ? value : INVALID;
  }
}
