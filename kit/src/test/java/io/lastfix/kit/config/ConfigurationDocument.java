package io.lastfix.kit.config;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keys with their meanings, units and defaults, as a YAML file and as a page of the reference. */
public final class ConfigurationDocument {
  private static final int WIDTH = 100;

  private ConfigurationDocument() {}

  /**
   * Returns a file that sets each key to its default.
   *
   * @param before what precedes the keys
   * @param commentedOut keys whose default is only shown
   * @param after what follows the keys
   */
  public static String yaml(
      String before, List<Key<?>> keys, Set<Key<?>> commentedOut, String after) {
    StringBuilder out = new StringBuilder(before);
    String part = "";
    for (Key<?> key : keys) {
      if (!partOf(key).equals(part)) {
        part = partOf(key);
        String rule = "-".repeat(WIDTH - 9 - part.length());
        out.append("\n# ---- ").append(part).append(' ').append(rule).append('\n');
      }
      out.append('\n');
      comment(out, key.description());
      String value = defaultOf(key);
      out.append(value == null || commentedOut.contains(key) ? "# " : "")
          .append(key.name())
          .append(value == null ? ":" : ": " + value)
          .append('\n');
    }
    return out.append(after).toString();
  }

  /**
   * Returns a page with a table for each part.
   *
   * @param before what precedes the tables
   * @param after what follows them
   */
  public static String page(String before, List<Key<?>> keys, String after) {
    StringBuilder out = new StringBuilder(before);
    String part = "";
    for (Key<?> key : keys) {
      if (!partOf(key).equals(part)) {
        part = partOf(key);
        out.append("\n## ").append(part);
        out.append("\n\n| key | default | unit | meaning |\n|---|---|---|---|\n");
      }
      String value = defaultOf(key);
      String shown = value == null ? "–" : "`" + value + "`";
      String meaning = key.description().replace("|", "\\|");
      out.append("| `%s` | %s | %s | %s |\n".formatted(key.name(), shown, key.unit(), meaning));
    }
    return out.append(after).toString();
  }

  private static String partOf(Key<?> key) {
    return key.name().split("\\.", 2)[0];
  }

  private static @Nullable String defaultOf(Key<?> key) {
    String text = key.defaultText();
    return text != null && key.unit().equals(Key.LIST) ? "[" + text + "]" : text;
  }

  private static void comment(StringBuilder out, String text) {
    StringBuilder line = new StringBuilder("#");
    for (String word : text.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        out.append(line).append('\n');
        line = new StringBuilder("#");
      }
      line.append(' ').append(word);
    }
    out.append(line).append('\n');
  }
}
