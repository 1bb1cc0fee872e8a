package io.lastfix.bench.size;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The figures of {@code figures.yaml}, by their keys. Immutable. */
public final class Figures {
  private static final String RESOURCE = "figures.yaml";

  private final Map<String, Figure> all;

  private Figures(Map<String, Figure> all) {
    this.all = all;
  }

  /** The figures of this build. */
  public static Figures ofThisBuild() {
    try (InputStream in =
        Objects.requireNonNull(Figures.class.getResourceAsStream(RESOURCE), RESOURCE)) {
      return new Figures(
          new ObjectMapper(new YAMLFactory()).readValue(in, new TypeReference<>() {}));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All figures, in the order of the file. */
  public Map<String, Figure> all() {
    return new LinkedHashMap<>(all);
  }

  /**
   * The same with values of the user.
   *
   * @throws IllegalArgumentException if a key is unknown or a value is below 0
   */
  public Figures with(Map<String, Double> own) {
    Map<String, Figure> changed = new LinkedHashMap<>(all);
    own.forEach(
        (key, value) -> {
          Figure figure = changed.get(key);
          if (figure == null) {
            throw new IllegalArgumentException(
                "--set %s: unknown figure, expected one of %s"
                    .formatted(key, String.join(", ", all.keySet())));
          }
          try {
            changed.put(key, figure.set(value));
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--set %s: %s".formatted(key, e.getMessage()), e);
          }
        });
    return new Figures(changed);
  }

  Figure get(String key) {
    return Objects.requireNonNull(all.get(key), key);
  }
}
