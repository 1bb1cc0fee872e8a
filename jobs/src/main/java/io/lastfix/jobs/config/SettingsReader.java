package io.lastfix.jobs.config;

import io.lastfix.jobs.config.Key.UnexpectedValueException;
import io.lastfix.jobs.config.Settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.jspecify.annotations.Nullable;

/**
 * Reads typed values from {@link Settings} and collects all problems instead of stopping at the
 * first one. An invalid value is recorded as a problem and replaced by its default until {@link
 * #finish()} throws.
 */
final class SettingsReader {
  /** Start of each block of a PEM text. */
  private static final String PEM = "-----BEGIN";

  private final Settings settings;
  private final List<String> problems = new ArrayList<>();

  SettingsReader(Settings settings) {
    this.settings = settings;
    problems.addAll(settings.problems());
    Set<String> known =
        LocationJobOptions.all().stream().map(ConfigOption::key).collect(Collectors.toSet());
    settings
        .byKey()
        .forEach(
            (key, setting) -> {
              if (!known.contains(key)
                  && !key.startsWith(KafkaKeys.PROPERTIES_PREFIX)
                  && !key.startsWith(LocationJobOptions.FLINK_PREFIX)) {
                problems.add("%s: %s: unknown key".formatted(setting.origin(), key));
              }
            });
  }

  /**
   * Ends the reading.
   *
   * @throws ConfigurationException if there are problems
   */
  void finish() {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
  }

  /** Returns the value; the default if the key is absent or its value is invalid. */
  <T> T get(Key<T> key) {
    T value = getIfGiven(key);
    return value == null ? key.defaultValue() : value;
  }

  /** Returns the value; null if the key is absent or its value is invalid. */
  <T> @Nullable T getIfGiven(Key<T> key) {
    String text = textIfGiven(key);
    if (text == null) {
      return null;
    }
    try {
      return key.parse(text);
    } catch (UnexpectedValueException e) {
      unexpected(key, String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      problem(key, e);
    }
    return null;
  }

  private @Nullable String textIfGiven(Key<?> key) {
    Setting setting = settings.byKey().get(key.name());
    if (setting == null) {
      return null;
    }
    try {
      return settings.resolve(setting);
    } catch (IllegalArgumentException e) {
      problem(key, e);
      return null;
    }
  }

  /**
   * Returns the value, which must not be below that of another key.
   *
   * @param bound the value of the other key, which replaces one that is below it
   */
  <T extends Comparable<T>> T getAtLeast(T bound, Key<T> boundKey, Key<T> key) {
    T value = get(key);
    boolean isBelow = value.compareTo(bound) < 0;
    require(!isBelow, key, "at least " + boundKey.name());
    return isBelow ? bound : value;
  }

  /**
   * Returns the value, converted with the values of other keys.
   *
   * @param conversion throws IllegalArgumentException if it does not accept the value
   * @param otherwise replaces an invalid value
   */
  <T, U> U convert(Key<T> key, Function<? super T, U> conversion, U otherwise) {
    return converted(key, get(key), conversion, otherwise);
  }

  /** Converts the value of an optional key in the same way. */
  <T, U extends @Nullable Object> U convertIfGiven(
      Key<T> key, Function<? super T, ? extends U> conversion, U otherwise) {
    T value = getIfGiven(key);
    return value == null ? otherwise : converted(key, value, conversion, otherwise);
  }

  private <T, U extends @Nullable Object> U converted(
      Key<T> key, T value, Function<? super T, ? extends U> conversion, U otherwise) {
    try {
      return conversion.apply(value);
    } catch (IllegalArgumentException e) {
      problem(key, e);
      return otherwise;
    }
  }

  /** Records a problem with a key if the condition is false. */
  void require(boolean condition, Key<?> key, String expected) {
    if (!condition) {
      unexpected(key, expected);
    }
  }

  private void unexpected(Key<?> key, String expected) {
    Setting setting = settings.byKey().get(key.name());
    boolean isShown = setting != null && !key.mayHoldSecret(setting.text());
    problem(
        "%s: expected %s%s"
            .formatted(place(key), expected, isShown ? ", found '" + setting.text() + "'" : ""));
  }

  private void problem(Key<?> key, IllegalArgumentException e) {
    problem(place(key) + ": " + e.getMessage());
  }

  /** Records a problem. */
  void problem(String text) {
    problems.add(text);
  }

  /** Returns the key and its origin, for messages. */
  private String place(Key<?> key) {
    Setting setting = settings.byKey().get(key.name());
    return setting == null ? key.name() : setting.origin() + ": " + key.name();
  }

  /**
   * Returns the content of the configured file; null if there is none or it is invalid.
   *
   * @param check throws IllegalArgumentException for an invalid content, without repeating it
   */
  @Nullable String content(Key<String> key, Consumer<String> check) {
    String file = getIfGiven(key);
    if (file == null) {
      return null;
    }
    Setting setting = settings.byKey().get(key.name());
    String place = place(key) + ": ";
    // ${file:key.pem} resolves to the key itself, which no message may contain. An exception's text
    // would repeat it as the path.
    if (file.contains(PEM)) {
      problems.add(place + "expected a file's name, found its content");
      return null;
    }
    try {
      String content = Files.readString(Path.of(file));
      check.accept(content);
      return content;
    } catch (IOException | InvalidPathException e) {
      problems.add(
          "%s%s: cannot be read: %s"
              .formatted(place, setting.text(), e.getClass().getSimpleName()));
    } catch (IllegalArgumentException e) {
      problems.add("%s%s: %s".formatted(place, setting.text(), e.getMessage()));
    }
    return null;
  }

  /** Returns all values with a prefix, by key without the prefix, with resolved references. */
  Map<String, String> withPrefix(String prefix) {
    Map<String, String> found = new TreeMap<>();
    settings
        .byKey()
        .forEach(
            (key, setting) -> {
              if (key.startsWith(prefix)) {
                try {
                  found.put(key.substring(prefix.length()), settings.resolve(setting));
                } catch (IllegalArgumentException e) {
                  problems.add("%s: %s: %s".formatted(setting.origin(), key, e.getMessage()));
                }
              }
            });
    return found;
  }
}
