package io.lastfix.parse.profile;

/** Parses whole numbers from characters without allocating objects. */
public final class Decimals {
  /** The result if a text is not a number from 0 to the maximum. */
  public static final long INVALID = -1;

  /** Number of digits that always fit a long. */
  public static final int MAX_DIGITS = 18;

  private Decimals() {}

  /**
   * Parses decimal digits only: no sign, no blanks, at least one digit; leading zeros are valid.
   *
   * @param max the maximum, less than 10<sup>18</sup>
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
