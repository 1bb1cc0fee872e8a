package io.lastfix.cli.stack;

import java.util.regex.Pattern;

/** Takes user names and passwords out of texts before they are printed or logged. */
public final class Redaction {
  /** Greedy to the last {@code @} before the path: a password may hold one unescaped. */
  private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/?\\s]*@");

  /** As in Kafka's {@code sasl.jaas.config}: to the end of the quotes, or of the word. */
  private static final Pattern PASSWORD =
      Pattern.compile("(?i)(?<=password=)(\"[^\"]*\"|'[^']*'|[^\\s;&]+)");

  private Redaction() {}

  /**
   * The text with what stands before {@code @} in an address, and behind {@code password=},
   * replaced by {@code ***}.
   */
  public static String redact(String text) {
    return PASSWORD.matcher(USER_INFO.matcher(text).replaceAll("***@")).replaceAll("***");
  }
}
