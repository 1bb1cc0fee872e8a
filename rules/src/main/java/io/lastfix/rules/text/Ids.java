package io.lastfix.rules.text;

import java.util.regex.Pattern;

/** The form of the ids of rules and fences. */
public final class Ids {
  private static final Pattern FORM = Pattern.compile("[a-z0-9-]{1,64}");

  private Ids() {}

  /**
   * Checks an id.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static String require(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException("id: expected 1 to 64 of a-z, 0-9 and dashes");
    }
    return text;
  }
}
