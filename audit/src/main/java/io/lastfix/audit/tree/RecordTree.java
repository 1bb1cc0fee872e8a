package io.lastfix.audit.tree;

import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile.TypeChoice;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One record's part of a message's tree. */
interface RecordTree {
  /**
   * The text at the end of that path, without surrounding white space; empty if it is absent or
   * blank.
   *
   * @param choice which of several to take; null: the first
   */
  Optional<String> text(FieldPath path, @Nullable TypeChoice choice);

  /**
   * The text at the end of that path, where {@code true} and {@code false} of JSON are texts too.
   *
   * @param path leads to at most one text
   */
  default Optional<String> textOrFlag(FieldPath path) {
    return text(path, null);
  }

  /**
   * The text of a field that only positions use: as {@link #text(FieldPath)}, but an empty text,
   * which is no value, if a name on the path is there more than once.
   */
  default Optional<String> onlyText(@Nullable FieldPath path) {
    if (path == null) {
      return Optional.empty();
    }
    return isRepeated(path) ? Optional.of("") : text(path);
  }

  /** As {@link #onlyText}, where {@code true} and {@code false} of JSON are texts too. */
  default Optional<String> onlyTextOrFlag(FieldPath path) {
    return isRepeated(path) ? Optional.of("") : textOrFlag(path);
  }

  /** Returns whether a name on the path is there more than once. */
  boolean isRepeated(FieldPath path);

  /**
   * Returns whether there is something at the end of that path that is no text: something of
   * another kind, or a text that is longer than the limit, its end's white space included.
   */
  boolean isNoText(FieldPath path, int maxTextLength);

  /**
   * Returns whether the text at the end of that path, which only positions use, is none for the
   * job: it is longer than the limit, its end's white space included, or an object, a list or an
   * element stands there.
   *
   * @param isNumber if false, a number with a point or an exponent is no text either
   */
  default boolean isUnreadable(FieldPath path, int maxTextLength, boolean isNumber) {
    return isNoText(path, maxTextLength);
  }

  /** Returns whether a text, without white space at its start, is longer than that. */
  static boolean isLonger(String text, int maxLength) {
    int from = 0;
    while (from < text.length() && " \t\r\n".indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    return text.length() - from > maxLength;
  }

  /** The shape of the record; null if it has none. */
  default @Nullable ShapeTree shape() {
    return null;
  }

  /** The text of a path with at most one text. */
  default Optional<String> text(@Nullable FieldPath path) {
    return path == null ? Optional.empty() : text(path, null);
  }
}
