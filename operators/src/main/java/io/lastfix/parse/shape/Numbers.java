package io.lastfix.parse.shape;

/** Parses decimal numbers strictly: no blanks, no names such as NaN, no hexadecimal digits. */
public final class Numbers {
  /** Number of digits that a double holds exactly. */
  private static final int EXACT_DIGITS = 15;

  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  private Numbers() {}

  /**
   * Returns the number: an optional sign, digits with an optional point among, before or after
   * them, an optional exponent. Not a number if the text is anything else.
   */
  public static double parse(char[] text, int from, int to) {
    boolean isNegative = from < to && text[from] == '-';
    int at = isNegative || (from < to && text[from] == '+') ? from + 1 : from;
    long digits = 0;
    int count = 0;
    int decimals = 0;
    boolean hasPoint = false;
    while (at < to) {
      char c = text[at];
      if (c >= '0' && c <= '9') {
        // Zeros at the beginning are not significant.
        count += count > 0 || c != '0' ? 1 : 0;
        digits = count > EXACT_DIGITS ? digits : digits * 10 + (c - '0');
        decimals += hasPoint ? 1 : 0;
      } else if (c == '.' && !hasPoint) {
        hasPoint = true;
      } else {
        break;
      }
      at++;
    }
    int signs = at > from && (text[from] == '-' || text[from] == '+') ? 1 : 0;
    if (at - from - signs - (hasPoint ? 1 : 0) == 0) {
      return Double.NaN;
    }
    if (at < to && !isExponent(text, at, to)) {
      return Double.NaN;
    }
    if (at < to || count > EXACT_DIGITS || decimals >= POWERS_OF_TEN.length) {
      return Double.parseDouble(String.valueOf(text, from, to - from));
    }
    // Both are exact, so the quotient is the nearest double, as Double.parseDouble gives it.
    double value = digits / POWERS_OF_TEN[decimals];
    return isNegative ? -value : value;
  }

  private static boolean isExponent(char[] text, int from, int to) {
    if ((text[from] | 0x20) != 'e') {
      return false;
    }
    int at = from + 1;
    if (at < to && (text[at] == '+' || text[at] == '-')) {
      at++;
    }
    int first = at;
    while (at < to && text[at] >= '0' && text[at] <= '9') {
      at++;
    }
    return at == to && at > first;
  }
}
