package io.lastfix.gateway.devices;

import java.util.regex.Pattern;

/** The forms of names. None of them holds a dot or a slash, which separate them. */
final class Names {
  private static final Pattern GROUP = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?");
  private static final Pattern KEY = Pattern.compile("k[1-9][0-9]{0,8}");
  private static final Pattern CLASS = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private Names() {}

  static String requireGroup(String text) {
    return require(GROUP, text, "group: expected 1 to 64 of a-z, 0-9 and dashes inside");
  }

  static String requireKey(String text) {
    return require(KEY, text, "group key: expected k and a number, such as k1");
  }

  static String requireClass(String text) {
    return require(
        CLASS,
        text,
        "class: expected 1 to 64 of A-Z, a-z, 0-9, dot, dash and underscore, the first a letter or digit");
  }

  static String requireHash(String text) {
    return require(HASH, text, "hash: expected 64 hexadecimal digits in lower case");
  }

  private static String require(Pattern form, String text, String message) {
    if (!form.matcher(text).matches()) {
      throw new IllegalArgumentException(message);
    }
    return text;
  }
}
