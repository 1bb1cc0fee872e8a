package io.lastfix.jobs.config;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.TextElement;

/**
 * The keys of the location job, by the classes that hold them. {@link ConfigurationDocument} writes
 * {@code config/location.yaml} in this order, and a test compares the two.
 *
 * <p>Two prefixes accept keys of other programs: {@link KafkaKeys#PROPERTIES_PREFIX} and {@link
 * #FLINK_PREFIX}.
 */
public final class LocationJobOptions {
  /** Prefix of keys that the job passes to Flink; they override Lastfix's own settings. */
  static final String FLINK_PREFIX = "flink.";

  private static final List<Class<?>> PARTS =
      List.of(
          JobKeys.class,
          KafkaKeys.class,
          SourceKeys.class,
          ProfileKeys.class,
          ParseKeys.class,
          LocateKeys.class,
          MongoKeys.class,
          HistoryKeys.class,
          LastKnownLocationKeys.class,
          LocatedKeys.class,
          PrivacyKeys.class,
          DevicesKeys.class,
          AnalyticsKeys.class,
          SinkKeys.class,
          RecoveryKeys.class);

  private LocationJobOptions() {}

  /** Returns all keys, in the order of the parts and of each part's class. */
  public static List<ConfigOption<?>> all() {
    return keys().stream().<ConfigOption<?>>map(Key::option).toList();
  }

  /** Returns all keys with their conversions, in the same order. */
  static List<Key<?>> keys() {
    List<Key<?>> keys = new ArrayList<>();
    for (Class<?> part : PARTS) {
      for (Field field : part.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == Key.class) {
          try {
            keys.add((Key<?>) field.get(null));
          } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
          }
        }
      }
    }
    return keys;
  }

  /** Returns the description of a key as plain text. */
  static String description(ConfigOption<?> option) {
    StringBuilder text = new StringBuilder();
    option
        .description()
        .getBlocks()
        .forEach(block -> text.append(((TextElement) block).getFormat()));
    return text.toString();
  }
}
