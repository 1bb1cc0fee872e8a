package io.lastfix.parse.shape;

/**
 * Parses a coordinate of MLP in degrees: {@code 30.4625833}, {@code -122.39}, {@code 30 27 45.3N},
 * {@code 30°27'45.3"N}, or the digits of degrees, minutes and seconds without anything between
 * them, {@code 302745.3N}. A sign or a letter says the hemisphere; without either it is north or
 * east.
 */
final class MlpAngle {
  /** 302745 or 32745 is a latitude, 0302745 or 302745 a longitude. */
  private static final int PACKED_DIGITS_OF_LATITUDE = 6;

  private static final int PACKED_DIGITS_OF_LONGITUDE = 7;

  /** 7 decimals of a degree are 1 cm; a thousandth of a second is 3 cm. */
  private static final double ROUNDING = 1e7;

  private MlpAngle() {}

  /**
   * Returns degrees, not checked against the limits of a latitude or longitude; not a number if the
   * text is not a coordinate.
   *
   * @param isLatitude true: the letters are N and S; false: E and W
   */
  static double parse(char[] text, int from, int to, boolean isLatitude) {
    int start = from;
    int end = to;
    boolean isNegative = false;
    char last = end > start ? text[end - 1] : 0;
    char letter = Character.isLetter(last) ? Character.toUpperCase(last) : 0;
    if (letter != 0) {
      isNegative = letter == (isLatitude ? 'S' : 'W');
      if (!isNegative && letter != (isLatitude ? 'N' : 'E')) {
        return Double.NaN;
      }
      end--;
    }
    if (start < end && (text[start] == '-' || text[start] == '+')) {
      if (letter != 0) {
        return Double.NaN;
      }
      isNegative = text[start] == '-';
      start++;
    }
    if (start < end && (text[start] == '-' || text[start] == '+')) {
      return Double.NaN;
    }
    double degrees =
        hasExponent(text, start, end)
            ? Numbers.parse(text, start, end)
            : degrees(
                text,
                start,
                end,
                isLatitude ? PACKED_DIGITS_OF_LATITUDE : PACKED_DIGITS_OF_LONGITUDE);
    return isNegative ? -degrees : degrees;
  }

  private static boolean hasExponent(char[] text, int from, int to) {
    for (int at = from; at < to; at++) {
      if (text[at] == 'e' || text[at] == 'E') {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns degrees of a text without sign and letter.
   *
   * @param packedDigits the number of digits of packed degrees, minutes and seconds, or one more
   */
  private static double degrees(char[] text, int from, int to, int packedDigits) {
    double[] parts = new double[3];
    int count = 0;
    int at = from;
    int firstDigits = 0;
    while (at < to) {
      int end = at;
      while (end < to && isPart(text[end])) {
        end++;
      }
      if (end > at) {
        if (count == parts.length || (count > 0 && parts[count - 1] % 1 != 0)) {
          return Double.NaN;
        }
        parts[count] = Numbers.parse(text, at, end);
        firstDigits = count == 0 ? integerDigits(text, at, end) : firstDigits;
        count++;
      } else if (!isSeparator(text[at])) {
        return Double.NaN;
      }
      at = end > at ? end : at + 1;
    }
    if (count == 0) {
      return Double.NaN;
    }
    if (count == 1) {
      boolean isPacked = firstDigits == packedDigits || firstDigits == packedDigits - 1;
      if (!isPacked) {
        return parts[0];
      }
      double whole = Math.floor(parts[0]);
      parts[2] = whole % 100 + (parts[0] - whole);
      parts[1] = Math.floor(whole / 100) % 100;
      parts[0] = Math.floor(whole / 10_000);
    }
    if (!(parts[1] < 60 && parts[2] < 60)) {
      return Double.NaN;
    }
    return Math.rint((parts[0] + parts[1] / 60 + parts[2] / 3600) * ROUNDING) / ROUNDING;
  }

  private static int integerDigits(char[] text, int from, int to) {
    int at = from;
    while (at < to && text[at] != '.') {
      at++;
    }
    return at - from;
  }

  private static boolean isPart(char c) {
    return (c >= '0' && c <= '9') || c == '.';
  }

  private static boolean isSeparator(char c) {
    return " \t\n\r'\"\u00b0\u2032\u2033".indexOf(c) >= 0;
  }
}
