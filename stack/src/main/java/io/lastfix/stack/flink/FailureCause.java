package io.lastfix.stack.flink;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a Java stack trace says at its root. */
final class FailureCause {
  private static final String CAUSED_BY = "Caused by: ";
  private static final String OUR_FRAME = "\tat io.lastfix.";

  /** Exceptions of our own, whose messages are sentences. */
  private static final Pattern OUR_CLASS = Pattern.compile("^io\\.lastfix\\.[\\w.$]+: ");

  /** Exceptions of Java's whose messages are sentences where it is our code that throws them. */
  private static final Pattern CLASS_WE_THROW =
      Pattern.compile("^java\\.lang\\.Illegal(State|Argument)Exception: ");

  private FailureCause() {}

  /**
   * The message of the last cause, which is the first, without the frames around it; without any
   * cause, that of the trace. The exception's class is left out where the message is our own.
   */
  static String of(String trace) {
    List<String> lines = trace.strip().lines().toList();
    int root = 0;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(CAUSED_BY)) {
        root = i;
      }
    }
    List<String> said = lines.stream().skip(root).takeWhile(line -> !isFrame(line)).toList();
    String message = said.stream().collect(Collectors.joining(System.lineSeparator()));
    if (message.isEmpty()) {
      return "Flink does not say why";
    }
    int firstFrame = root + said.size();
    boolean isThrownByUs = firstFrame < lines.size() && lines.get(firstFrame).startsWith(OUR_FRAME);
    return withoutOurClass(
        message.startsWith(CAUSED_BY) ? message.substring(CAUSED_BY.length()) : message,
        isThrownByUs);
  }

  private static String withoutOurClass(String message, boolean isThrownByUs) {
    String sentence = OUR_CLASS.matcher(message).replaceFirst("");
    return isThrownByUs ? CLASS_WE_THROW.matcher(sentence).replaceFirst("") : sentence;
  }

  /** A cause that shares all its frames with what it caused has just the second. */
  private static boolean isFrame(String line) {
    return line.startsWith("\tat ") || line.startsWith("\t... ");
  }
}
