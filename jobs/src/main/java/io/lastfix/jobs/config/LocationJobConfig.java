package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.Settings;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.locate.LocateOptions;
import io.lastfix.parse.profile.Profile;
import io.lastfix.sink.BulkOptions;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.erasure.ErasureListOptions;
import io.lastfix.store.erasure.PseudonymKey;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.PartitionLimits;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.provision.ProvisionMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of all jobs, typed and checked. {@link #keys} names the classes that hold the
 * keys with their defaults, meanings and checks; those of {@code job.} are here.
 *
 * @param name the job's name
 * @param parallelism subtasks of each operator, or null for the cluster's default
 * @param maxParallelism key groups of the state
 * @param kafka brokers and topics
 * @param source where to start reading, and how to wait for the catalogue
 * @param profiles the record profiles to run, at least one
 * @param parse limits of messages and timestamps
 * @param locate limits of the join
 * @param historyMongo connection of History
 * @param lastKnownLocationMongo connection of Last Known Location; the same unless configured
 *     separately
 * @param provision what the job does if collections are missing or differ
 * @param history naming, period, shard key and indexes of History
 * @param partitionLimits how many partitions of History the job may create for records
 * @param onOtherPeriod what to do if History has partitions of another period
 * @param relocate when records without a position get one that the catalogue has since
 * @param lastKnownLocation naming and indexes of Last Known Location
 * @param locatedTopic topic of located records; null: the job does not publish them
 * @param erasureList location of the erasure list
 * @param pseudonymKey key of the pseudonyms that replace user ids; null: user ids are stored
 * @param devices topics and collection of the devices job, and how it judges presence
 * @param analytics what the analytics job counts, and where it keeps it
 * @param rules where rules, fences and alerts are, and how records are judged
 * @param historyBulks how History's sink batches and retries
 * @param lastKnownLocationBulks the same for Last Known Location; only the number of bulks in
 *     flight differs
 * @param recovery checkpoints and restarts
 * @param flink configuration that the job passes unchanged to Flink
 */
public record LocationJobConfig(
    String name,
    @Nullable Integer parallelism,
    int maxParallelism,
    KafkaOptions kafka,
    SourceOptions source,
    List<Profile> profiles,
    ParseOptions parse,
    LocateOptions locate,
    MongoOptions historyMongo,
    MongoOptions lastKnownLocationMongo,
    ProvisionMode provision,
    HistoryOptions history,
    PartitionLimits partitionLimits,
    OnOtherPeriod onOtherPeriod,
    Relocate relocate,
    LastKnownLocationOptions lastKnownLocation,
    @Nullable String locatedTopic,
    ErasureListOptions erasureList,
    @Nullable PseudonymKey pseudonymKey,
    DevicesOptions devices,
    AnalyticsOptions analytics,
    RulesOptions rules,
    BulkOptions historyBulks,
    BulkOptions lastKnownLocationBulks,
    RecoveryOptions recovery,
    Map<String, String> flink) {
  /** The key of the profiles' names. */
  public static final String PROFILE_NAMES = "profiles.names";

  /** Prefix of keys that the job passes to Flink; they override Lastfix's own settings. */
  private static final String FLINK_PREFIX = "flink.";

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

  /**
   * Returns all keys, in the order of the parts and of each part's class. {@code
   * config/location.yaml} has them in this order, and a test compares the two. {@link
   * KafkaOptions#PROPERTIES_PREFIX} and {@link #FLINK_PREFIX} accept keys of other programs.
   */
  public static List<Key<?>> keys() {
    return Key.declaredIn(
        LocationJobConfig.class,
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
        RulesOptions.class,
        SinkKeys.class,
        RecoveryOptions.class);
  }

  /** Reads a file and overrides with the process's environment, as the other method. */
  public static LocationJobConfig load(@Nullable Path file, List<String> overrides) {
    return load(file, overrides, System::getenv);
  }

  /**
   * Reads a file and overrides with the given environment, and checks the whole configuration.
   *
   * @param file YAML; null: there is none
   * @param overrides texts {@code key=value}
   * @throws io.lastfix.kit.config.ConfigurationException naming every unknown key, every invalid
   *     value and every invalid profile
   */
  public static LocationJobConfig load(
      @Nullable Path file, List<String> overrides, UnaryOperator<@Nullable String> environment) {
    SettingsReader reader =
        new SettingsReader(
            Settings.load(file, overrides, environment),
            keys(),
            List.of(KafkaOptions.PROPERTIES_PREFIX, FLINK_PREFIX));
    int maxParallelism = reader.get(MAX_PARALLELISM);
    List<String> profileNames = reader.get(ProfileKeys.NAMES);
    Set<String> topics = new HashSet<>();
    KafkaOptions kafka = KafkaOptions.read(reader, profileNames, topics);
    RecoveryOptions recovery = RecoveryOptions.read(reader);
    LocateOptions locate = LocateKeys.read(reader);
    BulkOptions historyBulks = SinkKeys.read(reader);
    MongoOptions historyMongo = MongoKeys.read(reader);
    MongoOptions lastKnownLocationMongo = LastKnownLocationKeys.mongo(reader, historyMongo);
    LastKnownLocationOptions lastKnownLocation = LastKnownLocationKeys.read(reader);
    // The operator may let a record wait up to 1/32 longer.
    Duration longestWay =
        historyBulks.retryTimeout().plus(locate.maxWait()).plus(locate.maxWait().dividedBy(32));
    HistoryOptions history =
        HistoryKeys.read(
            reader,
            longestWay,
            historyMongo.equals(lastKnownLocationMongo) ? lastKnownLocation.collection() : null);
    DevicesOptions devices =
        DevicesOptions.read(
            reader, topics, historyMongo.equals(lastKnownLocationMongo) ? history : null);
    String locatedTopic = LocatedKeys.read(reader, kafka, topics);
    AnalyticsOptions analytics =
        AnalyticsOptions.read(reader, kafka, topics, history.period(), history.collectionPrefix());
    RulesOptions rules = RulesOptions.read(reader, kafka, topics, history, analytics);
    List<String> numberPrefixes = new ArrayList<>(analytics.collectionPrefixes());
    numberPrefixes.add(rules.alerts().collectionPrefix());
    Integer parallelism = reader.getIfGiven(PARALLELISM);
    reader.require(
        parallelism == null || parallelism <= maxParallelism,
        PARALLELISM,
        "at most " + MAX_PARALLELISM.name());
    LocationJobConfig config =
        new LocationJobConfig(
            reader.get(NAME),
            parallelism,
            maxParallelism,
            kafka,
            SourceOptions.read(reader, recovery.checkpointInterval()),
            ProfileKeys.load(reader, profileNames),
            ParseOptions.read(reader, profileNames, history.retention()),
            locate,
            historyMongo,
            lastKnownLocationMongo,
            reader.get(MongoKeys.PROVISION),
            history.withNumbers(numberPrefixes),
            HistoryKeys.partitionLimits(reader),
            reader.get(HistoryKeys.ON_OTHER_PERIOD),
            reader.get(HistoryKeys.RELOCATE),
            lastKnownLocation,
            locatedTopic,
            PrivacyKeys.erasureList(reader, lastKnownLocationMongo, historyBulks.retryTimeout()),
            reader.getIfGiven(PrivacyKeys.PSEUDONYM_KEY),
            devices,
            analytics,
            rules,
            historyBulks,
            historyBulks.withMaxBulksInFlight(
                reader.get(LastKnownLocationKeys.MAX_BULKS_IN_FLIGHT)),
            recovery,
            reader.withPrefix(FLINK_PREFIX, text -> text));
    reader.finish("The configuration");
    return config;
  }

  /** The names of {@link #profiles()}, in order. */
  public List<String> profileNames() {
    return profiles.stream().map(Profile::name).toList();
  }
}
