package io.lastfix.cli.top;

import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/** One line of a frame. */
record TopLine(Mood mood, String text) {
  /** How a line looks on a terminal with colours. */
  enum Mood {
    PLAIN,
    HEADING,
    BAD;

    private AttributedStyle style() {
      return switch (this) {
        case PLAIN -> AttributedStyle.DEFAULT;
        case HEADING -> AttributedStyle.BOLD;
        case BAD -> AttributedStyle.DEFAULT.foreground(AttributedStyle.RED);
      };
    }
  }

  static TopLine plain(String text) {
    return new TopLine(Mood.PLAIN, text);
  }

  static TopLine heading(String text) {
    return new TopLine(Mood.HEADING, text);
  }

  static TopLine bad(String text) {
    return new TopLine(Mood.BAD, text);
  }

  /** Cuts the line so that it fits the window; a cut line ends with {@code >}. */
  TopLine cutTo(int columns) {
    return text.length() <= columns
        ? this
        : new TopLine(mood, columns <= 0 ? "" : text.substring(0, columns - 1) + ">");
  }

  /** The line of a screen, in the colour of its mood. */
  AttributedString styled(boolean coloured) {
    return new AttributedString(text + "\n", coloured ? mood.style() : AttributedStyle.DEFAULT);
  }
}
