package io.lastfix.jobs.config;

import io.lastfix.jobs.config.Settings.Setting;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.ProfileLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads typed values out of {@link Settings} and collects everything that is wrong, instead of
 * stopping at the first: a value that cannot be used is noted, and its default stands in for it
 * until {@link #finish()} throws.
 */
final class SettingsReader {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsReader.class);

  /** What each block of a PEM text begins with. */
  private static final String PEM = "-----BEGIN";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,60}");
  private static final String A_NAME = "up to 60 letters, digits, '_' and '-'";

  private final Settings settings;
  private final Map<String, ConfigOption<?>> known = new HashMap<>();
  private final List<String> problems = new ArrayList<>();

  SettingsReader(Settings settings) {
    this.settings = settings;
    problems.addAll(settings.problems());
    LocationJobOptions.all().forEach(option -> known.put(option.key(), option));
    settings
        .byKey()
        .forEach(
            (key, setting) -> {
              if (LocationJobOptions.RETIRED.containsKey(key)) {
                LOG.warn(
                    "{}: {}: no longer used: {}",
                    setting.origin(),
                    key,
                    LocationJobOptions.RETIRED.get(key));
              } else if (!known.containsKey(key)
                  && !key.startsWith(LocationJobOptions.KAFKA_PROPERTIES_PREFIX)
                  && !key.startsWith(LocationJobOptions.FLINK_PREFIX)) {
                problems.add("%s: %s: unknown key".formatted(setting.origin(), key));
              }
            });
  }

  /**
   * Ends the reading.
   *
   * @throws ConfigurationException if anything was wrong
   */
  void finish() {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
  }

  /** The value, or the default where it is not given or bad. */
  <T> T get(ConfigOption<T> option) {
    T value = getOrNull(option);
    return value == null ? option.defaultValue() : value;
  }

  private <T> @Nullable T getOrNull(ConfigOption<T> option) {
    Setting setting = settings.byKey().get(option.key());
    if (setting == null) {
      return null;
    }
    String text;
    try {
      text = settings.resolve(setting);
    } catch (IllegalArgumentException e) {
      problems.add("%s: %s: %s".formatted(setting.origin(), option.key(), e.getMessage()));
      return null;
    }
    try {
      // Flink reads a list with ';' between its elements; a comma is what people write in YAML.
      boolean list = option.hasDefaultValue() && option.defaultValue() instanceof List<?>;
      return Configuration.fromMap(
              Map.of(option.key(), list ? text.replaceAll("\\s*,\\s*", ";") : text))
          .get(option);
    } catch (IllegalArgumentException e) {
      bad(option, kindOf(option));
      return null;
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
    }
    return "a text";
  }

  private void bad(ConfigOption<?> option, String expected) {
    Setting setting = settings.byKey().get(option.key());
    if (setting == null) {
      problems.add("%s: expected %s".formatted(option.key(), expected));
    } else if (mayHoldSecret(option, setting.text())) {
      problems.add("%s: %s: expected %s".formatted(setting.origin(), option.key(), expected));
    } else {
      problems.add(
          "%s: %s: expected %s, found '%s'"
              .formatted(setting.origin(), option.key(), expected, setting.text()));
    }
  }

  /** By the key, and by the text where an address or a password was put behind the wrong key. */
  private static boolean mayHoldSecret(ConfigOption<?> option, String text) {
    return option.equals(LocationJobOptions.MONGO_URI)
        || option.equals(LocationJobOptions.LAST_KNOWN_LOCATION_MONGO_URI)
        || option.equals(LocationJobOptions.PRIVACY_PSEUDONYM_KEY)
        || text.contains("@")
        || text.toLowerCase(Locale.ROOT).contains("password");
  }

  /** Notes a problem with a key unless the condition holds. */
  void require(boolean condition, ConfigOption<?> option, String expected) {
    if (!condition) {
      bad(option, expected);
    }
  }

  <T> T check(ConfigOption<T> option, Predicate<T> valid, String expected) {
    T value = get(option);
    require(valid.test(value), option, expected);
    return valid.test(value) ? value : option.defaultValue();
  }

  /** A text that is not empty. */
  String text(ConfigOption<String> option) {
    return check(option, text -> !text.isBlank(), "a text");
  }

  /** The name of a MongoDB database or collection, of characters that need no quoting anywhere. */
  String name(ConfigOption<String> option) {
    return check(option, text -> NAME.matcher(text).matches(), A_NAME);
  }

  /** The same for a key that need not be given. */
  String name(ConfigOption<String> option, String otherwise) {
    String text = getOrNull(option);
    if (text == null) {
      return otherwise;
    }
    boolean isName = NAME.matcher(text).matches();
    require(isName, option, A_NAME);
    return isName ? text : otherwise;
  }

  /** The same for a key that may also be given as empty, which means that there is none. */
  String nameOrNothing(ConfigOption<String> option, String otherwise) {
    String text = getOrNull(option);
    return text != null && text.isBlank() ? "" : name(option, otherwise);
  }

  int atLeastOne(ConfigOption<Integer> option) {
    return check(option, n -> n >= 1, "1 or more");
  }

  @Nullable Integer atLeastOneOrNull(ConfigOption<Integer> option) {
    Integer value = getOrNull(option);
    if (value != null && value < 1) {
      bad(option, "1 or more");
      return null;
    }
    return value;
  }

  Duration positive(ConfigOption<Duration> option) {
    return check(option, duration -> duration.toMillis() >= 1, "1 ms or more");
  }

  /** A size in bytes that an array can have. */
  int size(ConfigOption<MemorySize> option) {
    return (int)
        check(
                option,
                size -> size.getBytes() >= 1 && size.getBytes() <= Integer.MAX_VALUE - 8,
                "1 b to 2047 mb")
            .getBytes();
  }

  /** A text that a function can read; it says what is wrong by an IllegalArgumentException. */
  <T> T parse(ConfigOption<String> option, Function<String, T> parser, T otherwise) {
    return parsed(option, text(option), parser, otherwise);
  }

  /** The same for a key that need not be given. */
  <T> T parseIfGiven(ConfigOption<String> option, Function<String, T> parser, T otherwise) {
    String text = getOrNull(option);
    return text == null ? otherwise : parsed(option, text, parser, otherwise);
  }

  /** The same for a key without which there is nothing. */
  <T> @Nullable T parseOrNull(ConfigOption<String> option, Function<String, T> parser) {
    String text = getOrNull(option);
    return text == null ? null : parsed(option, text, parser, null);
  }

  private <T extends @Nullable Object> T parsed(
      ConfigOption<String> option, String text, Function<String, T> parser, T otherwise) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      Setting setting = settings.byKey().get(option.key());
      problems.add(
          "%s%s: %s"
              .formatted(
                  setting == null ? "" : setting.origin() + ": ", option.key(), e.getMessage()));
      return otherwise;
    }
  }

  /** The same, for a function whose own message would not help. */
  <T> T parse(
      ConfigOption<String> option, Function<String, T> parser, T otherwise, String expected) {
    try {
      return parser.apply(text(option));
    } catch (IllegalArgumentException e) {
      bad(option, expected);
      return otherwise;
    }
  }

  /**
   * What is in the file that is named, or null where none is, or it cannot be used.
   *
   * @param check throws IllegalArgumentException for what cannot be used, without repeating it
   */
  @Nullable String content(ConfigOption<String> option, Consumer<String> check) {
    String file = getOrNull(option);
    if (file == null) {
      return null;
    }
    Setting setting = settings.byKey().get(option.key());
    String place = "%s: %s: ".formatted(setting.origin(), option.key());
    // ${file:key.pem} stands for the key, and no message may hold that: not what was resolved, nor
    // an exception's text, which repeats it as the path.
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

  static Instant moment(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("expected a moment such as 2026-11-20T12:00:00Z", e);
    }
  }

  /** Everything given under a prefix, without the prefix, references replaced. */
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

  /** Loads the profiles that are named; each one that cannot be used is a problem of its own. */
  List<Profile> profiles() {
    List<String> names = get(LocationJobOptions.PROFILES);
    require(!names.isEmpty(), LocationJobOptions.PROFILES, "at least one name");
    require(
        names.stream().distinct().count() == names.size(),
        LocationJobOptions.PROFILES,
        "each name once");
    String directory = getOrNull(LocationJobOptions.PROFILES_DIRECTORY);
    List<Profile> profiles = new ArrayList<>();
    for (String name : names) {
      try {
        profiles.add(ProfileLoader.load(name, directory == null ? null : Path.of(directory)));
      } catch (IllegalArgumentException e) {
        problems.add(e.getMessage());
      } catch (IOException e) {
        problems.add("profile %s cannot be read: %s".formatted(name, e));
      }
    }
    return profiles;
  }
}
