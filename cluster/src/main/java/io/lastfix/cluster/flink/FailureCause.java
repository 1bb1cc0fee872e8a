package io.lastfix.cluster.flink;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The root cause in a Java stack trace. */
final class FailureCause {
  private static final String CAUSED_BY = "Caused by: ";
  private static final String OUR_FRAME = "\tat io.lastfix.";

  /** Our own exceptions, whose messages are sentences. */
  private static final Pattern OUR_CLASS = Pattern.compile("^io\\.lastfix\\.[\\w.$]+: ");

  /** Java's exceptions whose messages are sentences if our code throws them. */
  private static final Pattern CLASS_WE_THROW =
      Pattern.compile("^java\\.lang\\.Illegal(State|Argument)Exception: ");

  private FailureCause() {}

  /**
   * The message of the last "Caused by", which is the root cause, without its frames; without a
   * cause, the trace's own message. Omits the exception's class if the message is ours.
   */
  static String of(String trace) {
    List<String> lines = trace.strip().lines().toList();
    int root = 0;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(CAUSED_BY)) {
        root = i;
      }
    }
    List<String> messageLines =
        lines.stream().skip(root).takeWhile(line -> !isFrame(line)).toList();
    String message = messageLines.stream().collect(Collectors.joining(System.lineSeparator()));
    if (message.isEmpty()) {
      return "Flink reports no cause";
    }
    int firstFrame = root + messageLines.size();
    boolean isThrownByUs = firstFrame < lines.size() && lines.get(firstFrame).startsWith(OUR_FRAME);
    return withoutOurClass(
        message.startsWith(CAUSED_BY) ? message.substring(CAUSED_BY.length()) : message,
        isThrownByUs);
  }

  private static String withoutOurClass(String message, boolean isThrownByUs) {
    String sentence = OUR_CLASS.matcher(message).replaceFirst("");
    return isThrownByUs ? CLASS_WE_THROW.matcher(sentence).replaceFirst("") : sentence;
  }

  /** A cause that shares all its frames with the exception around it has only the second form. */
  private static boolean isFrame(String line) {
    return line.startsWith("\tat ") || line.startsWith("\t... ");
  }
}
