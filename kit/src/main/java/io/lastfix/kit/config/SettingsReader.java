package io.lastfix.kit.config;

import io.lastfix.kit.config.Key.UnexpectedValueException;
import io.lastfix.kit.config.Settings.Setting;
import io.lastfix.kit.failure.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads typed values from {@link Settings} and collects all problems instead of stopping at the
 * first one. An invalid value is recorded as a problem and replaced by its default until {@link
 * #finish} throws.
 */
public final class SettingsReader {
  /** Start of each block of a PEM text. */
  private static final String PEM = "-----BEGIN";

  private final Settings settings;

  /** Once each, also if a key is read again. */
  private final Set<String> problems = new LinkedHashSet<>();

  /**
   * Records each key that is not known.
   *
   * @param prefixes of keys with names of other programs or of the user
   */
  public SettingsReader(Settings settings, List<Key<?>> keys, List<String> prefixes) {
    this.settings = settings;
    problems.addAll(settings.problems());
    Set<String> known = keys.stream().map(Key::name).collect(Collectors.toSet());
    for (String key : settings.byKey().keySet()) {
      if (!known.contains(key) && prefixes.stream().noneMatch(key::startsWith)) {
        problem(key, "unknown key");
      }
    }
  }

  /**
   * Ends the reading.
   *
   * @param subject begins the message: "The configuration"
   * @throws ConfigurationException if there are problems
   */
  public void finish(String subject) {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(subject, List.copyOf(problems));
    }
  }

  /** Returns the value; the default if the key is absent or its value is invalid. */
  public <T> T get(Key<T> key) {
    T value = getIfGiven(key);
    return value == null ? key.defaultValue() : value;
  }

  /** Returns the value; null if the key is absent or its value is invalid. */
  public <T> @Nullable T getIfGiven(Key<T> key) {
    return read(key.name(), key.isSecret(), key.parser());
  }

  private <T> @Nullable T read(String key, boolean isSecret, Function<String, T> parser) {
    Setting setting = settings.byKey().get(key);
    if (setting == null) {
      return null;
    }
    try {
      return parser.apply(settings.resolve(setting));
    } catch (UnexpectedValueException e) {
      problem(key, e.getMessage() + found(setting, isSecret));
    } catch (IllegalArgumentException e) {
      problem(key, String.valueOf(e.getMessage()));
    }
    return null;
  }

  private static String found(@Nullable Setting setting, boolean isSecret) {
    return setting == null || setting.isSecret(isSecret) ? "" : ", found '" + setting.text() + "'";
  }

  /**
   * Returns the value, which must not be below that of another key.
   *
   * @param bound the value of the other key, which replaces one that is below it
   */
  public <T extends Comparable<T>> T getAtLeast(T bound, Key<T> boundKey, Key<T> key) {
    T value = get(key);
    boolean isBelow = value.compareTo(bound) < 0;
    require(!isBelow, key, "at least " + boundKey.name());
    return isBelow ? bound : value;
  }

  /**
   * Returns the value or else the default, converted with the values of other keys.
   *
   * @param conversion throws IllegalArgumentException if it does not accept the value
   * @param otherwise replaces an invalid value, and one that is absent and has no default
   */
  public <T, U extends @Nullable Object> U convert(
      Key<T> key, Function<? super T, ? extends U> conversion, U otherwise) {
    T value = key.defaultText() == null ? getIfGiven(key) : get(key);
    if (value == null) {
      return otherwise;
    }
    try {
      return conversion.apply(value);
    } catch (IllegalArgumentException e) {
      problem(key.name(), String.valueOf(e.getMessage()));
      return otherwise;
    }
  }

  /** Returns whether a key has a value, which may be invalid. */
  public boolean gives(Key<?> key) {
    return settings.has(key.name());
  }

  /** Records that a value is not the expected one, which it shows, if the condition is false. */
  public void require(boolean condition, Key<?> key, String expected) {
    Setting setting = settings.byKey().get(key.name());
    check(condition, key, "expected " + expected + found(setting, key.isSecret()));
  }

  /** Records a problem with a key if the condition is false. */
  public void check(boolean condition, Key<?> key, String problem) {
    if (!condition) {
      problem(key.name(), problem);
    }
  }

  private void problem(String key, String problem) {
    Setting setting = settings.byKey().get(key);
    problems.add((setting == null ? "" : setting.origin() + ": ") + key + ": " + problem);
  }

  /** Records a problem. */
  public void problem(String text) {
    problems.add(text);
  }

  /**
   * Returns the content of the configured file; null if there is none or it is invalid.
   *
   * @param check throws IllegalArgumentException for an invalid content, without repeating it
   */
  public @Nullable String content(Key<String> key, Consumer<String> check) {
    String file = getIfGiven(key);
    if (file == null) {
      return null;
    }
    // ${file:key.pem} resolves to the key itself, which no message may contain. An exception's text
    // would repeat it as the path.
    if (file.contains(PEM)) {
      problem(key.name(), "expected a file's name, found its content");
      return null;
    }
    String written = settings.byKey().get(key.name()).text() + ": ";
    try {
      String content = Files.readString(Path.of(file));
      check.accept(content);
      return content;
    } catch (IOException e) {
      problem(key.name(), written + "cannot be read: " + FileFailure.reason(e));
    } catch (InvalidPathException e) {
      problem(key.name(), written + "cannot be read: this is no file's name");
    } catch (IllegalArgumentException e) {
      problem(key.name(), written + e.getMessage());
    }
    return null;
  }

  /**
   * Returns all values with a prefix, by key without the prefix.
   *
   * @param parser as in a {@link Key}
   */
  public <T> Map<String, T> withPrefix(String prefix, Function<String, T> parser) {
    Map<String, T> found = new TreeMap<>();
    for (String key : settings.byKey().keySet()) {
      T value = key.startsWith(prefix) ? read(key, false, parser) : null;
      if (value != null) {
        found.put(key.substring(prefix.length()), value);
      }
    }
    return found;
  }
}
