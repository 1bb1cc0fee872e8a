package io.lastfix.cli.flink;

import java.util.List;

/** What a Java stack trace says at its root. */
final class FailureCause {
  private static final String CAUSED_BY = "Caused by: ";

  private FailureCause() {}

  /** The message of the last cause, without the frames around it; else all of the text. */
  static String of(String trace) {
    List<String> lines = trace.lines().toList();
    int cause = -1;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(CAUSED_BY)) {
        cause = i;
      }
    }
    if (cause < 0) {
      return trace.strip();
    }
    StringBuilder message = new StringBuilder(lines.get(cause).substring(CAUSED_BY.length()));
    for (int i = cause + 1; i < lines.size() && !lines.get(i).startsWith("\tat "); i++) {
      message.append(System.lineSeparator()).append(lines.get(i));
    }
    return message.toString();
  }
}
