package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import java.util.List;

/**
 * The keys of the location job, by the classes that hold them. {@code config/location.yaml} has
 * them in this order, and a test compares the two.
 *
 * <p>Two prefixes accept keys of other programs: {@link KafkaKeys#PROPERTIES_PREFIX} and {@link
 * #FLINK_PREFIX}.
 */
public final class LocationJobOptions {
  /** Prefix of keys that the job passes to Flink; they override Lastfix's own settings. */
  static final String FLINK_PREFIX = "flink.";

  static final List<String> PREFIXES = List.of(KafkaKeys.PROPERTIES_PREFIX, FLINK_PREFIX);

  private LocationJobOptions() {}

  /** Returns all keys, in the order of the parts and of each part's class. */
  public static List<Key<?>> all() {
    return Key.declaredIn(
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
  }
}
