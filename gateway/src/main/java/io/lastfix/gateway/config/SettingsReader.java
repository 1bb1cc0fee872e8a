package io.lastfix.gateway.config;

import io.lastfix.gateway.config.Settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads typed values from {@link Settings} and collects all problems. An invalid value is recorded
 * and replaced by its default until {@link #finish()} throws.
 */
final class SettingsReader {
  private final Settings settings;
  private final List<String> problems = new ArrayList<>();

  SettingsReader(Settings settings, List<Key<?>> keys, List<String> prefixes) {
    this.settings = settings;
    problems.addAll(settings.problems());
    Set<String> known = keys.stream().map(Key::name).collect(Collectors.toSet());
    settings
        .byKey()
        .forEach(
            (key, setting) -> {
              if (!known.contains(key) && prefixes.stream().noneMatch(key::startsWith)) {
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
    Setting setting = settings.byKey().get(key.name());
    if (setting == null) {
      return null;
    }
    return convert(key.name(), setting, key::parse);
  }

  private <T> @Nullable T convert(String key, Setting setting, Function<String, T> conversion) {
    try {
      return conversion.apply(settings.resolve(setting));
    } catch (IllegalArgumentException e) {
      String found =
          mayHoldSecret(setting.text()) || String.valueOf(e.getMessage()).contains("${")
              ? ""
              : ", found '" + setting.text() + "'";
      problems.add("%s: %s: %s%s".formatted(setting.origin(), key, e.getMessage(), found));
      return null;
    }
  }

  /** A user may write a password at the wrong key. */
  private static boolean mayHoldSecret(String text) {
    return text.contains("@") || text.toLowerCase(Locale.ROOT).contains("password");
  }

  /** Returns whether a key has a value, which may be invalid. */
  boolean gives(Key<?> key) {
    return settings.byKey().containsKey(key.name());
  }

  /** Records a problem with a key if the condition is false. */
  void require(boolean condition, Key<?> key, String problem) {
    if (!condition) {
      Setting setting = settings.byKey().get(key.name());
      problems.add((setting == null ? "" : setting.origin() + ": ") + key.name() + ": " + problem);
    }
  }

  /** Records a problem. */
  void problem(String problem) {
    problems.add(problem);
  }

  /** Returns all values with a prefix, by key without the prefix. */
  <T> Map<String, T> withPrefix(String prefix, Function<String, T> conversion) {
    Map<String, T> found = new TreeMap<>();
    settings
        .byKey()
        .forEach(
            (key, setting) -> {
              if (key.startsWith(prefix)) {
                T value = convert(key, setting, conversion);
                if (value != null) {
                  found.put(key.substring(prefix.length()), value);
                }
              }
            });
    return found;
  }
}
