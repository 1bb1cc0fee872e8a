package io.lastfix.sql.shell;

import java.util.regex.Pattern;

/** Finds what a user needs of a failed statement. */
final class FailureReason {
  private static final String CAUSE = "Caused by: ";

  /** The first frame of a stack trace, or a line that follows one. */
  private static final Pattern FRAMES = Pattern.compile("\\n(?:\\tat |\\t\\.\\.\\. |\\nEnd of )");

  /** Options of tables that may hold a password. */
  private static final Pattern SECRET =
      Pattern.compile("('(?:uri|properties\\.[^']*)'\\s*=\\s*)'(?:[^']|'')*'");

  private FailureReason() {}

  /**
   * Returns the message of the innermost cause, without options that may be secret. The gateway
   * puts a whole stack trace of its own into a message.
   */
  static String of(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String text = String.valueOf(cause.getMessage());
    int last = text.lastIndexOf(CAUSE);
    String reason = FRAMES.split(text.substring(last < 0 ? 0 : last + CAUSE.length()), 2)[0];
    return SECRET.matcher(reason).replaceAll("$1'…'").strip();
  }
}
