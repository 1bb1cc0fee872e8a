package io.lastfix.cluster;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Pattern;

/** Removes user names, passwords and keys from texts before they are printed or logged. */
public final class Redaction {
  private static final String REDACTED = "***";

  /**
   * Greedy up to the last {@code @} before the options, because a password may hold an unescaped
   * {@code @}, {@code /} or {@code ?}. A text with {@code =} between {@code ?} and {@code @} is an
   * option.
   */
  private static final Pattern USER_INFO =
      Pattern.compile("(?<=://)[^?\\s]*(?:\\?(?=[^=\\s]*@)[^?\\s]*)*@");

  /** Names such as {@code clientSecret}, {@code ssl.key.password}, {@code s3.secret-key}. */
  private static final String SECRET_NAME =
      "(?:pass(?:word|wd|phrase)|secret|token|credential|(?:access|api|private|pseudonym)[._-]?key)[\\w.-]*";

  /** {@code =}, with or without blanks, or {@code :} as in JSON and in YAML with quotes. */
  private static final String SEPARATOR = "(?:[\"']?\\s*=\\s*|[\"']\\s*:\\s*|\\s*:\\s*(?=[\"']))";

  /** Up to the end of the word or of the quotes, which may be escaped or hold escaped quotes. */
  private static final String VALUE =
      "(?:\"(?:[^\"\\\\]++|\\\\.)*+(?:\"|$)"
          + "|'(?:[^'\\\\]++|\\\\.)*+(?:'|$)"
          + "|\\\\\".*?(?:\\\\\"|$)"
          + "|[^\\s;&]+)";

  private static final Pattern SECRET =
      Pattern.compile("(?is)(" + SECRET_NAME + SEPARATOR + ")" + VALUE);

  private static final Pattern PRIVATE_KEY =
      Pattern.compile("(?s)(-----BEGIN [A-Z ]*PRIVATE KEY-----).*?(?:-----END [A-Z ]*-----|$)");

  private Redaction() {}

  /**
   * The text with {@code ***} in place of user information before {@code @} in an address, of
   * private keys, and of values whose name denotes a password, secret, token or key. An unquoted
   * password with blanks is removed only up to the first blank.
   */
  public static String redact(String text) {
    String withoutKeys = PRIVATE_KEY.matcher(text).replaceAll("$1" + REDACTED);
    String withoutUsers = USER_INFO.matcher(withoutKeys).replaceAll(REDACTED + "@");
    return SECRET.matcher(withoutUsers).replaceAll("$1" + REDACTED);
  }

  /**
   * The redacted stack trace of a failure and its causes, because messages repeat configured
   * values.
   */
  public static String stackTrace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return redact(text.toString());
  }
}
