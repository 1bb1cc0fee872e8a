package io.lastfix.cli.stack;

import java.util.regex.Pattern;

/** Takes user names and passwords out of addresses before they are printed or logged. */
public final class Redaction {
  /** Greedy to the last {@code @} before the path: a password may hold one unescaped. */
  private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/?\\s]*@");

  private Redaction() {}

  /** The address with what stands before {@code @} replaced by {@code ***}. */
  public static String redact(String address) {
    return USER_INFO.matcher(address).replaceAll("***@");
  }
}
