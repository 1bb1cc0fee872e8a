package io.lastfix.audit.tree;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a latitude or longitude of MLP: a number of degrees; or degrees, minutes and seconds, with
 * or without something between them. A sign or a letter says the hemisphere.
 */
final class MlpAngles {
  private static final String NUMBER = "[0-9]+\\.?[0-9]*|\\.[0-9]+";
  private static final String BETWEEN = "[ '\"\u00b0\u2032\u2033]";
  private static final Pattern PARTS =
      Pattern.compile(
          "%1$s*(%2$s)(?:%1$s+(%2$s))?(?:%1$s+(%2$s))?%1$s*".formatted(BETWEEN, NUMBER));

  /** A power of ten is no form of degrees, minutes and seconds. */
  private static final Pattern POWER = Pattern.compile("(?:" + NUMBER + ")[eE][+-]?[0-9]+");

  private static final Pattern SIGN_AND_LETTER =
      Pattern.compile("([+-]?)(.*?)(\\p{L}?)", Pattern.DOTALL);
  private static final double ROUNDING = 1e7;

  private MlpAngles() {}

  /** Returns degrees; not a number if the text is none, or beyond 90. */
  static double latitude(String text) {
    return within(90, degrees(text, "N", "S", 6));
  }

  /** Returns degrees; not a number if the text is none, or beyond 180. */
  static double longitude(String text) {
    return within(180, degrees(text, "E", "W", 7));
  }

  private static double within(double limit, double degrees) {
    return degrees >= -limit && degrees <= limit ? degrees : Double.NaN;
  }

  /**
   * Returns degrees.
   *
   * @param packed how many digits are degrees, minutes and seconds, two each for the latter; one
   *     less is, too
   */
  private static double degrees(String text, String positive, String negative, int packed) {
    Matcher matcher = SIGN_AND_LETTER.matcher(text);
    if (!matcher.matches()) {
      return Double.NaN;
    }
    String sign = matcher.group(1);
    String letter = matcher.group(3).toUpperCase(Locale.ROOT);
    boolean isLetterRight =
        letter.isEmpty()
            || (sign.isEmpty() && (letter.equals(positive) || letter.equals(negative)));
    if (!isLetterRight) {
      return Double.NaN;
    }
    double size = size(matcher.group(2), packed);
    return sign.equals("-") || letter.equals(negative) ? -size : size;
  }

  /** The degrees of a text without a sign and a letter. */
  private static double size(String text, int packed) {
    if (POWER.matcher(text).matches()) {
      return Double.parseDouble(text);
    }
    Matcher parts = PARTS.matcher(text);
    if (!parts.matches()) {
      return Double.NaN;
    }
    double first = Double.parseDouble(parts.group(1));
    if (parts.group(2) == null) {
      int digits = (parts.group(1) + ".").indexOf('.');
      return digits == packed || digits == packed - 1
          ? sum(Math.floor(first / 1e4), Math.floor(first / 100) % 100, first % 100)
          : first;
    }
    double minutes = Double.parseDouble(parts.group(2));
    boolean hasSeconds = parts.group(3) != null;
    if (!isWhole(first) || (hasSeconds && !isWhole(minutes))) {
      return Double.NaN;
    }
    return sum(first, minutes, hasSeconds ? Double.parseDouble(parts.group(3)) : 0);
  }

  private static boolean isWhole(double number) {
    return number == Math.rint(number);
  }

  private static double sum(double degrees, double minutes, double seconds) {
    return minutes < 60 && seconds < 60
        ? Math.rint((degrees + minutes / 60 + seconds / 3600) * ROUNDING) / ROUNDING
        : Double.NaN;
  }
}
