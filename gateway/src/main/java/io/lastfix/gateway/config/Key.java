package io.lastfix.gateway.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One key of the configuration: its name, unit, default, meaning and check.
 *
 * @param <T> type of the value
 */
final class Key<T> {
  private static final Pattern QUANTITY = Pattern.compile("(\\d{1,15})\\s*([a-z]*)");
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "min", 60_000L, "h", 3_600_000L);
  private static final Map<String, Long> SECONDS =
      Map.of("s", 1L, "min", 60L, "h", 3_600L, "d", 86_400L);
  private static final long GREATEST_SECONDS = 365L * 86_400;
  private static final Map<String, Long> BYTES =
      Map.of("b", 1L, "kb", 1L << 10, "mb", 1L << 20, "gb", 1L << 30);

  private final String name;
  private final String unit;
  private final @Nullable String defaultText;
  private final String description;
  private final Function<String, T> parser;

  private Key(
      String name,
      String unit,
      @Nullable String defaultText,
      String description,
      Function<String, T> parser) {
    this.name = name;
    this.unit = unit;
    this.defaultText = defaultText;
    this.description = description;
    this.parser = parser;
  }

  static Key<String> text(String name, @Nullable String defaultText, String description) {
    return new Key<>(name, "text", defaultText, description, text -> text)
        .where(text -> !text.isBlank(), "a text");
  }

  static Key<List<String>> list(String name, String defaultText, String description) {
    return new Key<>(name, "list", defaultText, description, Key::elements);
  }

  static Key<Boolean> flag(String name, boolean byDefault, String description) {
    return new Key<>(
        name,
        "true or false",
        Boolean.toString(byDefault),
        description,
        text ->
            switch (text) {
              case "true" -> true;
              case "false" -> false;
              default -> throw expected("true or false");
            });
  }

  static Key<Integer> number(
      String name, int byDefault, int least, int greatest, String description) {
    return new Key<>(
            name,
            "number",
            Integer.toString(byDefault),
            description,
            text -> (int) quantity(text, Map.of("", 1L), "a whole number", Integer.MAX_VALUE, true))
        .where(n -> n >= least && n <= greatest, least + " to " + greatest);
  }

  static Key<Duration> duration(String name, String defaultText, String description) {
    String expected = "a duration from 1 ms to 24 h such as 200 ms, 5 s or 1 min";
    return new Key<>(
            name,
            "duration",
            defaultText,
            description,
            text -> Duration.ofMillis(quantity(text, MILLIS, expected, 86_400_000L, false)))
        .where(duration -> duration.toMillis() >= 1, expected);
  }

  /** A duration of whole seconds, up to a year. */
  static Key<Duration> longDuration(String name, String defaultText, String description) {
    String expected = "a duration from 1 s to 365 d such as 30 s, 5 min, 12 h or 7 d";
    return new Key<>(
            name,
            "duration",
            defaultText,
            description,
            text -> Duration.ofSeconds(quantity(text, SECONDS, expected, GREATEST_SECONDS, false)))
        .where(duration -> duration.toSeconds() >= 1, expected);
  }

  static Key<Integer> size(String name, String defaultText, String description) {
    String expected = "a size from 1 kb to 1 gb such as 64 kb or 16 mb";
    return new Key<>(
            name,
            "size",
            defaultText,
            description,
            text -> (int) quantity(text, BYTES, expected, 1L << 30, false))
        .where(size -> size >= 1024, expected);
  }

  static <E extends Enum<E>> Key<E> oneOf(
      String name, Class<E> type, E byDefault, String description) {
    List<String> names =
        Arrays.stream(type.getEnumConstants())
            .map(it -> it.name().toLowerCase(Locale.ROOT))
            .toList();
    return new Key<>(
        name,
        "one of the values named",
        byDefault.name().toLowerCase(Locale.ROOT),
        description,
        text -> {
          if (!names.contains(text)) {
            throw expected(
                String.join(", ", names.subList(0, names.size() - 1))
                    + " or "
                    + names.get(names.size() - 1));
          }
          return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
        });
  }

  /** Accepts only some of the values. */
  Key<T> where(Predicate<? super T> valid, String expected) {
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
  <U> Key<U> as(Function<? super T, U> conversion) {
    return new Key<>(
        name, unit, defaultText, description, text -> conversion.apply(parser.apply(text)));
  }

  /** The failure of a value; the message follows the key's name. */
  static IllegalArgumentException expected(String what) {
    return new IllegalArgumentException("expected " + what);
  }

  private static List<String> elements(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::trim)
        .filter(element -> !element.isEmpty())
        .toList();
  }

  private static long quantity(
      String text, Map<String, Long> units, String expected, long greatest, boolean plain) {
    Matcher matcher = QUANTITY.matcher(text.toLowerCase(Locale.ROOT));
    Long unit = matcher.matches() ? units.get(matcher.group(2)) : null;
    if (unit == null || (plain && !text.equals(matcher.group(1)))) {
      throw expected(expected);
    }
    long count = Long.parseLong(matcher.group(1));
    if (count > greatest / unit) {
      throw expected(expected);
    }
    return count * unit;
  }

  String name() {
    return name;
  }

  String unit() {
    return unit;
  }

  /** As the documents show it; null if there is none. */
  @Nullable String defaultText() {
    return defaultText;
  }

  String description() {
    return description;
  }

  /**
   * Parses and checks a value.
   *
   * @throws IllegalArgumentException if it is not accepted
   */
  T parse(String text) {
    return parser.apply(text);
  }

  /** The default, for a key that has one. */
  T defaultValue() {
    if (defaultText == null) {
      throw new IllegalStateException(name + " has no default");
    }
    return parser.apply(defaultText);
  }
}
