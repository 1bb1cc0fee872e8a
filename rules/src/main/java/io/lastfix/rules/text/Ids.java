package io.lastfix.rules.text;

import java.util.regex.Pattern;

/** The form of the ids of rules and fences. */
public final class Ids {
  /** What is wrong with one that is not valid. */
  public static final String EXPECTED = "id: expected 1 to 64 of a-z, 0-9 and dashes";

  private static final Pattern FORM = Pattern.compile("[a-z0-9-]{1,64}");

  private Ids() {}

  /** Returns whether an id has its form. */
  public static boolean isValid(String text) {
    return FORM.matcher(text).matches();
  }

  /**
   * Checks an id.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static String require(String text) {
    if (!isValid(text)) {
      throw new IllegalArgumentException(EXPECTED);
    }
    return text;
  }
}
