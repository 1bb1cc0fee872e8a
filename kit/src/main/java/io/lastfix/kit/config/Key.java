package io.lastfix.kit.config;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One key of a configuration. The methods that make one take its name, its default as a user would
 * write it (null: none) and its description; {@link #where} and {@link #as} add checks and
 * conversions.
 *
 * @param name as the user writes it
 * @param unit of the value, for the reference
 * @param defaultText the default as a user would write it; null: there is none
 * @param description what it means, in sentences
 * @param isSecret whether no message may show the value
 * @param parser converts a value; it throws what {@link #expected} returns for a value that it does
 *     not accept, and another IllegalArgumentException if the message must not show the value
 * @param <T> type of the value
 */
public record Key<T>(
    String name,
    String unit,
    @Nullable String defaultText,
    String description,
    boolean isSecret,
    Function<String, T> parser) {
  /** The unit of {@link #list}. */
  static final String LIST = "list";

  /** Describes the texts that {@link #isName} accepts. */
  public static final String A_NAME = "up to 60 letters, digits, '_' and '-'";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,60}");
  private static final String FLAG = "true or false";

  private Key(
      String name,
      String unit,
      @Nullable String defaultText,
      String description,
      Function<String, T> parser) {
    this(name, unit, defaultText, description, false, parser);
  }

  /** Accepts every text. */
  public static Key<String> anyText(String name, @Nullable String byDefault, String description) {
    return new Key<>(name, "text", byDefault, description, text -> text);
  }

  /** Accepts a text that is not blank. */
  public static Key<String> text(String name, @Nullable String byDefault, String description) {
    return anyText(name, byDefault, description).where(text -> !text.isBlank(), "a text");
  }

  /** Accepts the texts of {@link #isName}. */
  public static Key<String> nameText(String name, @Nullable String byDefault, String description) {
    return anyText(name, byDefault, description).where(Key::isName, A_NAME);
  }

  /** Returns whether a text may be a name: no server needs quotes for its characters. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /** Accepts elements with commas between them; empty ones do not count. */
  public static Key<List<String>> list(String name, String byDefault, String description) {
    return new Key<>(name, LIST, byDefault, description, Key::elements);
  }

  private static List<String> elements(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::trim)
        .filter(element -> !element.isEmpty())
        .toList();
  }

  /** Accepts true and false. */
  public static Key<Boolean> flag(String name, boolean byDefault, String description) {
    return new Key<>(
        name,
        FLAG,
        Boolean.toString(byDefault),
        description,
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw expected(FLAG);
            });
  }

  /** Accepts whole numbers. */
  public static Key<Integer> number(String name, @Nullable Integer byDefault, String description) {
    return new Key<>(
        name,
        "number",
        byDefault == null ? null : byDefault.toString(),
        description,
        text -> {
          try {
            return Integer.valueOf(text);
          } catch (NumberFormatException e) {
            throw expected("a whole number");
          }
        });
  }

  /** Accepts whole numbers from the least to the greatest. */
  public static Key<Integer> number(
      String name, @Nullable Integer byDefault, int least, int greatest, String description) {
    return number(name, byDefault, description)
        .where(n -> n >= least && n <= greatest, least + " to " + greatest);
  }

  /** Accepts whole numbers from 1 on. */
  public static Key<Integer> atLeastOne(
      String name, @Nullable Integer byDefault, String description) {
    return number(name, byDefault, description).where(n -> n >= 1, "1 or more");
  }

  /** Accepts durations of zero or more. */
  public static Key<Duration> duration(
      String name, @Nullable String byDefault, String description) {
    return duration(name, byDefault, description, "a duration such as 200 ms, 5 s or 1 min");
  }

  /**
   * Accepts durations of zero or more.
   *
   * @param expected describes these durations, in messages
   */
  public static Key<Duration> duration(
      String name, @Nullable String byDefault, String description, String expected) {
    return new Key<>(
        name, "duration", byDefault, description, text -> Quantity.duration(text, expected));
  }

  /** Accepts durations of a millisecond or more. */
  public static Key<Duration> positiveDuration(String name, String byDefault, String description) {
    return duration(name, byDefault, description)
        .where(duration -> duration.toMillis() >= 1, "1 ms or more");
  }

  /** Accepts sizes, as a number of bytes. */
  public static Key<Long> size(String name, String byDefault, String description) {
    return size(name, byDefault, description, "a size such as 64 kb or 16 mb");
  }

  /**
   * Accepts sizes, as a number of bytes.
   *
   * @param expected describes these sizes, in messages
   */
  public static Key<Long> size(String name, String byDefault, String description, String expected) {
    return new Key<>(name, "size", byDefault, description, text -> Quantity.bytes(text, expected));
  }

  /** Accepts sizes that an array of bytes can have, as a number of bytes. */
  public static Key<Integer> bytes(String name, String byDefault, String description) {
    return size(name, byDefault, description)
        .where(size -> size >= 1 && size <= Integer.MAX_VALUE - 8, "1 b to 2047 mb")
        .as(Long::intValue);
  }

  /** Accepts the constants of an enum as their names, in lower case and with {@code -}. */
  public static <E extends Enum<E>> Key<E> oneOf(String name, E byDefault, String description) {
    return oneOf(name, byDefault, Key::textOf, description);
  }

  /**
   * Accepts the constants of an enum. Case does not count, and neither does {@code -} or {@code _}.
   *
   * @param toText how a constant is written
   */
  public static <E extends Enum<E>> Key<E> oneOf(
      String name, E byDefault, Function<E, String> toText, String description) {
    List<E> constants = List.of(byDefault.getDeclaringClass().getEnumConstants());
    return new Key<>(
        name,
        "one of the values named",
        toText.apply(byDefault),
        description,
        text ->
            constants.stream()
                .filter(it -> it.name().equalsIgnoreCase(text.replace('-', '_')))
                .findFirst()
                .orElseThrow(() -> expected(anyOf(constants.stream().map(toText).toList()))));
  }

  private static String textOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String anyOf(List<String> names) {
    int last = names.size() - 1;
    return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
  }

  /**
   * Accepts only some of the values.
   *
   * @param expected description of these values, which the message shows after "expected"
   */
  public Key<T> where(Predicate<? super T> valid, String expected) {
    return as(
        value -> {
          if (!valid.test(value)) {
            throw expected(expected);
          }
          return value;
        });
  }

  /**
   * Converts the value.
   *
   * @param conversion throws IllegalArgumentException with the whole message if it does not accept
   *     the value
   */
  public <U> Key<U> as(Function<? super T, U> conversion) {
    return new Key<>(
        name, unit, defaultText, description, isSecret, text -> conversion.apply(parse(text)));
  }

  /** Keeps the value out of every message. */
  public Key<T> secret() {
    return new Key<>(name, unit, defaultText, description, true, parser);
  }

  /** The failure of a value that is not accepted; the message may also show the value. */
  public static IllegalArgumentException expected(String what) {
    return new UnexpectedValueException(what);
  }

  /**
   * Parses and checks a value.
   *
   * @throws IllegalArgumentException if it is not accepted
   */
  T parse(String text) {
    return parser.apply(text);
  }

  /**
   * Returns the default.
   *
   * @throws IllegalStateException if there is none
   */
  public T defaultValue() {
    if (defaultText == null) {
      throw new IllegalStateException(name + " has no default");
    }
    return parse(defaultText);
  }

  /** Returns the keys in static fields of these classes, in the order of the classes and fields. */
  public static List<Key<?>> declaredIn(Class<?>... classes) {
    List<Key<?>> keys = new ArrayList<>();
    for (Class<?> type : classes) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == Key.class) {
          try {
            field.setAccessible(true);
            keys.add((Key<?>) field.get(null));
          } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
          }
        }
      }
    }
    return keys;
  }

  /**
   * A value that fails a check. The message says what was expected; the value may be added to it.
   */
  static final class UnexpectedValueException extends IllegalArgumentException {
    UnexpectedValueException(String expected) {
      super("expected " + expected);
    }
  }
}
