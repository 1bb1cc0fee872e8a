package io.lastfix.cli.flink;

import java.util.List;
import java.util.stream.Collectors;

/** What a Java stack trace says at its root. */
final class FailureCause {
  private static final String CAUSED_BY = "Caused by: ";

  private FailureCause() {}

  /**
   * The message of the last cause, which is the first, without the frames around it; without any
   * cause, that of the trace.
   */
  static String of(String trace) {
    List<String> lines = trace.strip().lines().toList();
    int root = 0;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(CAUSED_BY)) {
        root = i;
      }
    }
    String message =
        lines.stream()
            .skip(root)
            .takeWhile(line -> !isFrame(line))
            .collect(Collectors.joining(System.lineSeparator()));
    if (message.isEmpty()) {
      return "Flink does not say why";
    }
    return message.startsWith(CAUSED_BY) ? message.substring(CAUSED_BY.length()) : message;
  }

  /** A cause that shares all its frames with what it caused has just the second. */
  private static boolean isFrame(String line) {
    return line.startsWith("\tat ") || line.startsWith("\t... ");
  }
}
