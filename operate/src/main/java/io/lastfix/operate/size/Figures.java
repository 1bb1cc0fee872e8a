package io.lastfix.operate.size;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The figures of {@code figures.yaml}, by their keys. Immutable. */
public final class Figures {
  private static final String RESOURCE = "figures.yaml";

  /** What others are divided by. */
  private static final Set<String> DIVISORS =
      Set.of("node.cores", "node.cpu-use", "node.disk-tb", "node.disk-use");

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
   * Returns the figures with values of the user.
   *
   * @throws IllegalArgumentException if a key is unknown, or a value is below 0, or 0 where others
   *     are divided by it
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
          if (value == 0 && DIVISORS.contains(key)) {
            throw new IllegalArgumentException(
                "--set %s: expected a number above 0, found 0".formatted(key));
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
