package io.lastfix.audit.tree;

import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile.TypeChoice;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One record's part of a message's tree. */
interface RecordTree {
  /** The value in which that path begins. */
  TreeValue start(FieldPath path);

  /** The values at the end of that path. */
  default List<TreeValue> values(FieldPath path) {
    return start(path).at(path);
  }

  /**
   * The text at the end of that path, without surrounding white space; empty if it is absent or
   * blank.
   *
   * @param choice which of several to take; null: the first
   */
  default Optional<String> text(FieldPath path, @Nullable TypeChoice choice) {
    Stream<TreeValue> values = values(path).stream();
    if (choice != null) {
      // The sort is stable, so the first of the best comes first.
      values = values.sorted(Comparator.comparingInt(value -> value.rank(choice)));
    }
    return values
        .map(value -> value.content(path.attribute()).trim())
        .filter(text -> !text.isEmpty())
        .findFirst();
  }

  /** The text of a path with at most one text. */
  default Optional<String> text(@Nullable FieldPath path) {
    return path == null ? Optional.empty() : text(path, null);
  }

  /**
   * The text at the end of that path, where {@code true} and {@code false} of JSON are texts too.
   *
   * @param path leads to at most one text
   */
  default Optional<String> textOrFlag(FieldPath path) {
    return text(path)
        .or(() -> values(path).stream().flatMap(value -> value.flag().stream()).findFirst());
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

  /** Returns what {@link #onlyText} does; JSON's {@code true} and {@code false} are texts, too. */
  default Optional<String> onlyTextOrFlag(FieldPath path) {
    return isRepeated(path) ? Optional.of("") : textOrFlag(path);
  }

  /** Returns whether a name on the path is there more than once. */
  default boolean isRepeated(FieldPath path) {
    List<TreeValue> values = List.of(start(path));
    for (String name : path.elements()) {
      values = TreeValue.named(values, name);
      if (values.size() > 1) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether there is something at the end of that path that is no text: something of
   * another kind, or a text that is longer than the limit, its end's white space included.
   */
  default boolean isNoText(FieldPath path, int maxTextLength) {
    return values(path).stream()
        .anyMatch(
            value ->
                value.isNoText(path.attribute())
                    || isLonger(value.content(path.attribute()), maxTextLength));
  }

  /**
   * Returns whether the text at the end of that path, which only positions use, is none for the
   * job: it is longer than the limit, its end's white space included, or an object, a list or an
   * element stands there.
   *
   * @param isNumber if false, a number with a point or an exponent is no text either
   */
  default boolean isUnreadable(FieldPath path, int maxTextLength, boolean isNumber) {
    return values(path).stream()
        .anyMatch(
            value ->
                value.isUnreadable(path.attribute(), isNumber)
                    || isLonger(value.content(path.attribute()), maxTextLength));
  }

  /** Returns whether a text, without white space at its start, is longer than that. */
  static boolean isLonger(String text, int maxLength) {
    int from = 0;
    while (from < text.length() && " \t\r\n".indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    return text.length() - from > maxLength;
  }
}
