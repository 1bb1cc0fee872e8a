package io.lastfix.cli.top;

/** One line of a frame. */
record TopLine(Mood mood, String text) {
  /** How a line looks on a terminal with colours. */
  enum Mood {
    PLAIN(""),
    HEADING("\u001b[1m"),
    BAD("\u001b[31m");

    private final String start;

    Mood(String start) {
      this.start = start;
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

  /** The same, cut so that it fits the window; a cut line ends with {@code >}. */
  TopLine cutTo(int columns) {
    return text.length() <= columns
        ? this
        : new TopLine(mood, columns <= 0 ? "" : text.substring(0, columns - 1) + ">");
  }

  /** The text with the codes of its colour. */
  String coloured() {
    return mood == Mood.PLAIN ? text : mood.start + text + "\u001b[0m";
  }
}
