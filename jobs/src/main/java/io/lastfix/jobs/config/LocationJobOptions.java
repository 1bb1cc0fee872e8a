package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys {@code job.}, and all keys of the location job by the classes that hold them. {@code config/location.yaml} has
 * them in this order, and a test compares the two.
 *
 * <p>Two prefixes accept keys of other programs: {@link KafkaOptions#PROPERTIES_PREFIX} and {@link
 * #FLINK_PREFIX}.
 */
public final class LocationJobOptions {
  /** Prefix of keys that the job passes to Flink; they override Lastfix's own settings. */
  static final String FLINK_PREFIX = "flink.";

  static final List<String> PREFIXES = List.of(KafkaOptions.PROPERTIES_PREFIX, FLINK_PREFIX);

  static final Key<String> NAME =
      Key.text("job.name", "lastfix-location", "The job's name in Flink's web interface.");

  static final Key<Integer> PARALLELISM =
      Key.atLeastOne(
          "job.parallelism",
          null,
          "Subtasks of each operator. If not set, the cluster or 'flink run -p' decides.");

  static final Key<Integer> MAX_PARALLELISM =
      Key.number(
          "job.max-parallelism",
          720,
          1,
          32_768,
          "Key groups of the state, and therefore the maximum parallelism. You cannot change it once"
              + " a savepoint exists.");

  private LocationJobOptions() {}

  static @Nullable Integer parallelism(SettingsReader reader, int maxParallelism) {
    Integer parallelism = reader.getIfGiven(PARALLELISM);
    reader.require(
        parallelism == null || parallelism <= maxParallelism,
        PARALLELISM,
        "at most " + MAX_PARALLELISM.name());
    return parallelism;
  }

  /** Returns all keys, in the order of the parts and of each part's class. */
  public static List<Key<?>> all() {
    return Key.declaredIn(
        LocationJobOptions.class,
        KafkaOptions.class,
        SourceOptions.class,
        ProfileKeys.class,
        ParseOptions.class,
        LocateKeys.class,
        MongoKeys.class,
        HistoryKeys.class,
        LastKnownLocationKeys.class,
        LocatedKeys.class,
        PrivacyKeys.class,
        DevicesOptions.class,
        AnalyticsOptions.class,
        SinkKeys.class,
        RecoveryOptions.class);
  }
}
