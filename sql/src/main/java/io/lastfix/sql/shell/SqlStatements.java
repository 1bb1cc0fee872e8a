package io.lastfix.sql.shell;

import java.util.ArrayList;
import java.util.List;

/** Splits a text into statements, which end with a semicolon. */
final class SqlStatements {
  private final String text;
  private final List<String> statements = new ArrayList<>();
  private final StringBuilder current = new StringBuilder();

  private SqlStatements(String text) {
    this.text = text;
  }

  /**
   * Returns the statements without their semicolons and comments. The last one may lack its
   * semicolon.
   */
  static List<String> of(String text) {
    SqlStatements split = new SqlStatements(text);
    int at = 0;
    while (at < text.length()) {
      at = split.next(at);
    }
    split.endStatement();
    return split.statements;
  }

  /** Reads a comment, a quoted text or a character, and returns the index after it. */
  private int next(int at) {
    char c = text.charAt(at);
    if (text.startsWith("--", at)) {
      int end = text.indexOf('\n', at);
      return end < 0 ? text.length() : end;
    }
    // A hint is written as a comment.
    if (text.startsWith("/*", at) && !text.startsWith("/*+", at)) {
      int end = text.indexOf("*/", at + 2);
      current.append(' ');
      return end < 0 ? text.length() : end + 2;
    }
    if (c == '\'' || c == '"' || c == '`') {
      // A doubled quote within ends one text and begins another one, which makes no difference.
      int end = text.indexOf(c, at + 1);
      int after = end < 0 ? text.length() : end + 1;
      current.append(text, at, after);
      return after;
    }
    if (c == ';') {
      endStatement();
    } else {
      current.append(c);
    }
    return at + 1;
  }

  private void endStatement() {
    String statement = current.toString().strip();
    current.setLength(0);
    if (!statement.isEmpty()) {
      statements.add(statement);
    }
  }
}
