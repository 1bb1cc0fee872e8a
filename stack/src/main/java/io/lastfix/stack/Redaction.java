package io.lastfix.stack;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Pattern;

/** Takes user names, passwords and keys out of texts before they are printed or logged. */
public final class Redaction {
  private static final String REDACTED = "***";

  /**
   * Greedy to the last {@code @} before the options: a password may hold {@code @}, {@code /} and
   * {@code ?} unescaped. What stands between {@code ?} and {@code @} with a {@code =} is an option.
   */
  private static final Pattern USER_INFO =
      Pattern.compile("(?<=://)[^?\\s]*(?:\\?(?=[^=\\s]*@)[^?\\s]*)*@");

  /** As in {@code clientSecret}, {@code ssl.key.password}, {@code s3.secret-key}. */
  private static final String SECRET_NAME =
      "(?:pass(?:word|wd|phrase)|secret|token|credential|(?:access|api|private|pseudonym)[._-]?key)[\\w.-]*";

  /** {@code =}, with blanks or not, and {@code :} as JSON and YAML have it with quotes. */
  private static final String SEPARATOR = "(?:[\"']?\\s*=\\s*|[\"']\\s*:\\s*|\\s*:\\s*(?=[\"']))";

  /** To the end of the quotes, which may be escaped or hold escaped ones, or of the word. */
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
   * The text with {@code ***} for what stands before {@code @} in an address, for the value of
   * anything whose name says that it is a password, secret, token or key, and for private keys. A
   * password with blanks, and without quotes around, is taken out up to the first blank only.
   */
  public static String redact(String text) {
    String withoutKeys = PRIVATE_KEY.matcher(text).replaceAll("$1" + REDACTED);
    String withoutUsers = USER_INFO.matcher(withoutKeys).replaceAll(REDACTED + "@");
    return SECRET.matcher(withoutUsers).replaceAll("$1" + REDACTED);
  }

  /** The stack trace, with those of its causes, redacted: messages repeat what was configured. */
  public static String stackTrace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return redact(text.toString());
  }
}
