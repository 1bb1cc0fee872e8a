package io.lastfix.store.counts;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds constants by the names that they have in documents and in the configuration. */
final class ConstantTexts {
  private ConstantTexts() {}

  /**
   * Returns the constant with that name.
   *
   * @throws IllegalArgumentException if there is none; names those that there are
   */
  static <E extends Enum<E>> E find(E[] constants, Function<E, String> textOf, String text) {
    return Arrays.stream(constants)
        .filter(constant -> textOf.apply(constant).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected some of %s, found '%s'"
                        .formatted(
                            Arrays.stream(constants).map(textOf).collect(Collectors.joining(", ")),
                            text)));
  }
}
