package io.lastfix.jobs.config;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.jspecify.annotations.Nullable;

/**
 * One key of the configuration: its name, default and description, which are Flink's {@link
 * ConfigOption}, and the check of its value.
 *
 * @param <T> type of the converted value
 */
final class Key<T> {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,60}");

  /** Describes the texts that {@link #isName} accepts. */
  static final String A_NAME = "up to 60 letters, digits, '_' and '-'";

  private final ConfigOption<?> option;
  private final Function<Configuration, T> reading;
  private final boolean secret;

  private Key(ConfigOption<?> option, Function<Configuration, T> reading, boolean secret) {
    this.option = option;
    this.reading = reading;
    this.secret = secret;
  }

  /** A value that fails the check. The message names the expected values after "expected". */
  static final class UnexpectedValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    UnexpectedValueException(String expected, @Nullable Throwable cause) {
      super(expected, cause);
    }
  }

  /** Accepts every value of the option's type. */
  static <T> Key<T> of(ConfigOption<T> option) {
    return new Key<>(option, configuration -> read(option, configuration), false);
  }

  /** Accepts a text that is not blank. */
  static Key<String> text(ConfigOption<String> option) {
    return of(option).where(text -> !text.isBlank(), "a text");
  }

  /** Accepts the name of a MongoDB database or collection. */
  static Key<String> name(ConfigOption<String> option) {
    return of(option).where(Key::isName, A_NAME);
  }

  /** Returns true if no character of the text needs quoting in MongoDB. */
  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  static Key<Integer> atLeastOne(ConfigOption<Integer> option) {
    return of(option).where(n -> n >= 1, "1 or more");
  }

  static Key<Duration> positive(ConfigOption<Duration> option) {
    return of(option).where(duration -> duration.toMillis() >= 1, "1 ms or more");
  }

  static Key<Duration> upTo(Duration longest, String words, ConfigOption<Duration> option) {
    return of(option)
        .where(
            duration -> duration.toMillis() >= 1 && duration.compareTo(longest) <= 0,
            "1 ms to " + words);
  }

  /** Accepts a timestamp in ISO 8601. */
  static Key<Instant> instant(ConfigOption<String> option) {
    return text(option).as(Key::parseInstant);
  }

  /** Accepts a size that a Java array can have. */
  static Key<Integer> bytes(ConfigOption<MemorySize> option) {
    return of(option)
        .where(
            size -> size.getBytes() >= 1 && size.getBytes() <= Integer.MAX_VALUE - 8,
            "1 b to 2047 mb")
        .as(size -> (int) size.getBytes());
  }

  private static Instant parseInstant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("expected a time such as 2026-11-20T12:00:00Z", e);
    }
  }

  /**
   * Accepts only some of the values.
   *
   * @param expected description of these values, which the message shows after "expected"
   */
  Key<T> where(Predicate<? super T> valid, String expected) {
    return as(
        value -> {
          if (!valid.test(value)) {
            throw new UnexpectedValueException(expected, null);
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
        option, configuration -> conversion.apply(reading.apply(configuration)), secret);
  }

  /** Keeps the value out of every message. */
  Key<T> secret() {
    return new Key<>(option, reading, true);
  }

  ConfigOption<?> option() {
    return option;
  }

  /** Returns the name that the user writes. */
  String name() {
    return option.key();
  }

  /**
   * Checks the key, and also the text, since a user may write an address or a password at the wrong
   * key.
   */
  boolean mayHoldSecret(String text) {
    return secret || text.contains("@") || text.toLowerCase(Locale.ROOT).contains("password");
  }

  T defaultValue() {
    return reading.apply(new Configuration());
  }

  /**
   * Parses and converts a value.
   *
   * @throws UnexpectedValueException if the check fails
   * @throws IllegalArgumentException if a conversion does not accept it
   */
  T parse(String text) {
    return reading.apply(Configuration.fromMap(Map.of(option.key(), inFlinksNotation(text))));
  }

  /**
   * Converts a value to Flink's notation. In the configuration, commas separate the elements of a
   * list, and '-' and '_' are equal in an enum.
   */
  private String inFlinksNotation(String text) {
    Object example = option.hasDefaultValue() ? option.defaultValue() : text;
    if (example instanceof List<?>) {
      return text.replaceAll("\\s*,\\s*", ";");
    }
    return example instanceof Enum<?> ? text.replace('_', '-') : text;
  }

  private static <T> T read(ConfigOption<T> option, Configuration configuration) {
    try {
      return configuration.get(option);
    } catch (IllegalArgumentException e) {
      throw new UnexpectedValueException(kindOf(option), e);
    }
  }

  private static String kindOf(ConfigOption<?> option) {
    Object example = option.hasDefaultValue() ? option.defaultValue() : 1;
    if (example instanceof Duration) {
      return "a duration such as 200 ms, 5 s or 1 min";
    } else if (example instanceof MemorySize) {
      return "a size such as 64 kb or 16 mb";
    } else if (example instanceof Boolean) {
      return "true or false";
    } else if (example instanceof Integer) {
      return "a whole number";
    } else if (example instanceof Enum<?> constant) {
      return oneOf(constant.getDeclaringClass().getEnumConstants());
    }
    return "a text";
  }

  private static String oneOf(Enum<?>[] constants) {
    List<String> names = Arrays.stream(constants).map(Enum::toString).toList();
    int last = names.size() - 1;
    return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
  }
}
