package io.lastfix.kit.text;

/** Texts of messages and devices, for a terminal or a line of a log. */
public final class PrintableText {
  private PrintableText() {}

  /**
   * Returns a text without characters that would move the cursor, begin a line, command the
   * terminal or reverse the reading order. Each becomes a backslash, {@code u} and four hexadecimal
   * digits.
   */
  public static String of(String text) {
    if (text.chars().noneMatch(PrintableText::isHarmful)) {
      return text;
    }
    StringBuilder printable = new StringBuilder();
    text.chars()
        .forEach(
            unit -> {
              if (isHarmful(unit)) {
                printable.append("\\u%04x".formatted(unit));
              } else {
                printable.append((char) unit);
              }
            });
    return printable.toString();
  }

  /**
   * As {@link #of(String)}, with dots in place of the end of a long text.
   *
   * @param most characters of the text that are returned
   */
  public static String of(String text, int most) {
    return of(text.length() > most ? text.substring(0, most) + "..." : text);
  }

  private static boolean isHarmful(int unit) {
    return switch (Character.getType(unit)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
