package io.lastfix.cli.top;

import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/**
 * One line of a frame.
 *
 * @param lastWord where a name begins that the line ends with, and whose end tells it from other
 *     names; {@value #NONE} if there is none
 */
record TopLine(Mood mood, String text, int lastWord) {
  private static final int NONE = -1;

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
    return new TopLine(Mood.PLAIN, text, NONE);
  }

  static TopLine heading(String text) {
    return new TopLine(Mood.HEADING, text, NONE);
  }

  static TopLine bad(String text) {
    return new TopLine(Mood.BAD, text, NONE);
  }

  /** This line, which ends with a name that begins there and is cut at its beginning. */
  TopLine withLastWord(int begin) {
    return new TopLine(mood, text, begin);
  }

  /** This line with another text. */
  TopLine withText(String changed) {
    return new TopLine(mood, changed, lastWord);
  }

  /**
   * Cuts the line so that it fits the window, with {@code >} in place of what was cut: its end, or
   * the beginning of its last word.
   */
  TopLine cutTo(int columns) {
    if (text.length() <= columns) {
      return this;
    }
    int kept = columns - lastWord - 1;
    if (lastWord != NONE && kept > 0) {
      return withText(text.substring(0, lastWord) + ">" + text.substring(text.length() - kept));
    }
    return withText(columns <= 0 ? "" : text.substring(0, columns - 1) + ">");
  }

  /** The line of a screen, in the colour of its mood. */
  AttributedString styled(boolean coloured) {
    return new AttributedString(text + "\n", coloured ? mood.style() : AttributedStyle.DEFAULT);
  }
}
