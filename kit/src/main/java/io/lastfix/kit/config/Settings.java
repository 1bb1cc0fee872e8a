package io.lastfix.kit.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.lastfix.kit.failure.FileFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The configured keys and values as text, each with its origin: a YAML file, overridden by {@code
 * --set key=value} on the command line. Maps in the YAML and dots in its keys mean the same, so
 * {@code kafka: {group-id: x}} is {@code kafka.group-id: x}; a list of texts equals its elements
 * separated by commas.
 *
 * <p>{@code ${NAME}} in a value stands for an environment variable and {@code ${file:/path}} for
 * the trimmed content of a file; users should keep secrets there. These references are resolved
 * when a value is read. A problem found later shows the text as the user wrote it, never the
 * resolved value.
 */
public final class Settings {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)}");

  /**
   * One configured value.
   *
   * @param text as written, with unresolved references
   * @param origin for messages: {@code location.yaml:12} or {@code --set}
   */
  record Setting(String text, String origin) {
    /** Looks at the text, too: a user may write an address or a password at the wrong key. */
    boolean isSecret(boolean keyIsSecret) {
      return keyIsSecret
          || text.contains("@")
          || text.toLowerCase(Locale.ROOT).contains("password");
    }
  }

  private final Map<String, Setting> byKey = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();
  private final UnaryOperator<@Nullable String> environment;

  private Settings(UnaryOperator<@Nullable String> environment) {
    this.environment = environment;
  }

  /**
   * Reads a file, if there is one, and applies the overrides.
   *
   * @param overrides each {@code key=value}
   * @param environment returns the value of an environment variable, or null; {@code
   *     System::getenv}
   */
  public static Settings load(
      @Nullable Path file, List<String> overrides, UnaryOperator<@Nullable String> environment) {
    Settings settings = new Settings(environment);
    if (file != null) {
      settings.readYaml(file);
    }
    for (String override : overrides) {
      int equals = override.indexOf('=');
      if (equals < 1) {
        settings.problems.add("--set: expected key=value, found no '=' after a key");
        continue;
      }
      settings.byKey.put(
          override.substring(0, equals).trim(),
          new Setting(override.substring(equals + 1).trim(), "--set"));
    }
    return settings;
  }

  private void readYaml(Path file) {
    String name = String.valueOf(file.getFileName());
    try (InputStream in = Files.newInputStream(file);
        JsonParser parser = new YAMLFactory().createParser(in)) {
      JsonToken first = parser.nextToken();
      if (first == null || first == JsonToken.VALUE_NULL) {
        return;
      }
      if (first != JsonToken.START_OBJECT) {
        problems.add(name + ": expected keys and values");
        return;
      }
      readMap(parser, name, "");
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      String what = e.getOriginalMessage().lines().findFirst().orElse("");
      problems.add("%s:%d: not YAML: %s".formatted(name, line, what));
    } catch (IOException e) {
      problems.add("%s: cannot be read: %s".formatted(file, FileFailure.reason(e)));
    }
  }

  private void readMap(JsonParser parser, String file, String prefix) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = prefix + parser.currentName();
      String origin = file + ":" + parser.currentTokenLocation().getLineNr();
      JsonToken value = parser.nextToken();
      switch (value) {
        case START_OBJECT -> readMap(parser, file, key + ".");
        case START_ARRAY -> put(key, readList(parser, key, origin), origin);
        // A key without a value counts as absent.
        case VALUE_NULL -> {}
        default -> put(key, parser.getText(), origin);
      }
    }
  }

  private void put(String key, String text, String origin) {
    Setting earlier = byKey.put(key, new Setting(text, origin));
    if (earlier != null) {
      problems.add("%s: %s: given twice, first at %s".formatted(origin, key, earlier.origin()));
    }
  }

  private String readList(JsonParser parser, String key, String origin) throws IOException {
    StringJoiner joined = new StringJoiner(",");
    boolean nested = false;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      nested |= parser.currentToken().isStructStart();
      parser.skipChildren();
      joined.add(parser.getText());
    }
    if (nested) {
      problems.add("%s: %s: expected a list of texts".formatted(origin, key));
    }
    return joined.toString();
  }

  /** Returns true if a key is configured. */
  public boolean has(String key) {
    return byKey.containsKey(key);
  }

  /**
   * Returns the values that cannot be secret, as they were written, with unresolved references: of
   * those of the keys that are not secret, if they do not look like an address with a password.
   */
  public Map<String, String> harmless(List<Key<?>> keys) {
    Map<String, String> harmless = new TreeMap<>();
    for (Key<?> key : keys) {
      Setting setting = byKey.get(key.name());
      if (setting != null && !setting.isSecret(key.isSecret())) {
        harmless.put(key.name(), setting.text());
      }
    }
    return harmless;
  }

  /**
   * Returns every configured value by key, with resolved references. They may include secrets.
   *
   * @throws IllegalArgumentException if a reference cannot be resolved; names the reference
   */
  public Map<String, String> resolved() {
    Map<String, String> resolved = new TreeMap<>();
    byKey.forEach((key, setting) -> resolved.put(key, resolve(setting)));
    return resolved;
  }

  /** Returns the configured values by key. */
  Map<String, Setting> byKey() {
    return byKey;
  }

  /** Returns the problems found while reading. */
  List<String> problems() {
    return problems;
  }

  /**
   * Returns the value with resolved references.
   *
   * @throws IllegalArgumentException if a reference cannot be resolved; names the reference
   */
  String resolve(Setting setting) {
    Matcher references = REFERENCE.matcher(setting.text());
    return references.replaceAll(reference -> Matcher.quoteReplacement(lookUp(reference.group(1))));
  }

  private String lookUp(String name) {
    if (name.startsWith("file:")) {
      try {
        return Files.readString(Path.of(name.substring("file:".length()))).trim();
      } catch (IOException e) {
        throw new IllegalArgumentException(
            "${%s} cannot be read: %s".formatted(name, FileFailure.reason(e)), e);
      }
    }
    String value = environment.apply(name);
    if (value == null) {
      throw new IllegalArgumentException("environment variable " + name + " is not set");
    }
    return value;
  }
}
