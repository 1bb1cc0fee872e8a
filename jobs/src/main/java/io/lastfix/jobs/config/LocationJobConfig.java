package io.lastfix.jobs.config;

import io.lastfix.locate.LocateOptions;
import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.TimestampLimits;
import io.lastfix.parse.profile.Profile;
import io.lastfix.sink.BulkOptions;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.connect.MongoTls;
import io.lastfix.store.erasure.ErasureListOptions;
import io.lastfix.store.erasure.PseudonymKey;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.history.HistoryShardKey;
import io.lastfix.store.history.PartitionLimits;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.provision.ProvisionMode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.TimeUtils;
import org.jspecify.annotations.Nullable;

/**
 * All that a location job is told, typed and checked. The keys, their defaults and meanings are in
 * {@link LocationJobOptions}.
 *
 * @param name the job's name
 * @param parallelism subtasks of each operator, or null for what the cluster says
 * @param maxParallelism key groups of the state
 * @param kafka brokers and topics
 * @param start where to begin without a savepoint
 * @param onGap what to do if Kafka has deleted records before they were read
 * @param abandonedTopics without a profile, whose unread records may stay unread
 * @param catalogTimeout how long to wait for the catalogue at each start, and what comes after
 * @param profiles the record profiles to run, at least one
 * @param decoderLimits what a message may hold
 * @param timestampLimits what a record's time may be
 * @param locate the join's bounds
 * @param historyMongo where History is kept
 * @param lastKnownLocationMongo where Last Known Location is kept; the same, unless it is said
 *     otherwise
 * @param provision what is done about collections that are missing or disagree
 * @param history naming, period, shard key and indexes of History
 * @param partitionLimits how many partitions of History records may have made
 * @param onOtherPeriod what to do if History has partitions of another period
 * @param lastKnownLocation naming and indexes of Last Known Location
 * @param forgotten where the list of those is whose records are not stored
 * @param pseudonymKey makes the pseudonyms that stand for users; null: they stand for themselves
 * @param historyBulks how History's sink batches and retries
 * @param lastKnownLocationBulks how Last Known Location's does: as History's, but for the bulks in
 *     flight
 * @param recovery checkpoints and restarts
 * @param flink what goes to Flink as it is
 */
public record LocationJobConfig(
    String name,
    @Nullable Integer parallelism,
    int maxParallelism,
    KafkaOptions kafka,
    SourceStart start,
    OnGap onGap,
    List<String> abandonedTopics,
    CatalogTimeout catalogTimeout,
    List<Profile> profiles,
    DecoderLimits decoderLimits,
    TimestampLimits timestampLimits,
    LocateOptions locate,
    MongoOptions historyMongo,
    MongoOptions lastKnownLocationMongo,
    ProvisionMode provision,
    HistoryOptions history,
    PartitionLimits partitionLimits,
    OnOtherPeriod onOtherPeriod,
    LastKnownLocationOptions lastKnownLocation,
    ErasureListOptions forgotten,
    @Nullable PseudonymKey pseudonymKey,
    BulkOptions historyBulks,
    BulkOptions lastKnownLocationBulks,
    RecoveryOptions recovery,
    Map<String, String> flink) {
  private static final Duration MAX_WAIT = Duration.ofHours(24);

  /** Reads a file and overrides with the process's environment; see {@link #from(Settings)}. */
  public static LocationJobConfig load(@Nullable Path file, List<String> overrides) {
    return from(Settings.load(file, overrides, System::getenv));
  }

  /** Reads a file and overrides with the given environment; see {@link #from(Settings)}. */
  public static LocationJobConfig load(
      @Nullable Path file, List<String> overrides, UnaryOperator<@Nullable String> environment) {
    return from(Settings.load(file, overrides, environment));
  }

  /**
   * Checks everything that was given.
   *
   * @throws ConfigurationException naming every unknown key, every bad value and every profile that
   *     cannot be used
   */
  static LocationJobConfig from(Settings settings) {
    SettingsReader reader = new SettingsReader(settings);

    KafkaOptions kafka =
        new KafkaOptions(
            reader.text(LocationJobOptions.KAFKA_BOOTSTRAP_SERVERS),
            reader.text(LocationJobOptions.KAFKA_GROUP_ID),
            reader.text(LocationJobOptions.KAFKA_LOCATION_TOPIC_PREFIX),
            reader.text(LocationJobOptions.KAFKA_CELLS_TOPIC),
            reader.text(LocationJobOptions.KAFKA_REJECTED_TOPIC),
            reader.get(LocationJobOptions.KAFKA_CREATE_TOPICS),
            reader.atLeastOne(LocationJobOptions.KAFKA_NEW_TOPIC_PARTITIONS),
            reader
                .check(
                    LocationJobOptions.KAFKA_NEW_TOPIC_REPLICATION,
                    n -> n == -1 || (n >= 1 && n <= Short.MAX_VALUE),
                    "1 or more, or -1")
                .shortValue(),
            reader.withPrefix(LocationJobOptions.KAFKA_PROPERTIES_PREFIX));
    List<String> profileNames = reader.get(LocationJobOptions.PROFILES);
    List<String> topics = new ArrayList<>(kafka.locationTopics(profileNames));
    reader.require(
        !topics.contains(kafka.cellsTopic()),
        LocationJobOptions.KAFKA_CELLS_TOPIC,
        "a topic that is no location topic");
    topics.add(kafka.cellsTopic());
    reader.require(
        !topics.contains(kafka.rejectedTopic()),
        LocationJobOptions.KAFKA_REJECTED_TOPIC,
        "a topic that the job does not read");
    String name = reader.text(LocationJobOptions.JOB_NAME);
    Integer parallelism = reader.atLeastOneOrNull(LocationJobOptions.JOB_PARALLELISM);
    int maxParallelism =
        reader.check(
            LocationJobOptions.JOB_MAX_PARALLELISM, n -> n >= 1 && n <= 32_768, "1 to 32768");
    reader.require(
        parallelism == null || parallelism <= maxParallelism,
        LocationJobOptions.JOB_PARALLELISM,
        "at most " + LocationJobOptions.JOB_MAX_PARALLELISM.key());
    SourceStart start =
        reader.parse(
            LocationJobOptions.SOURCE_START,
            SourceStart::parse,
            new SourceStart(SourceStart.Kind.COMMITTED, null));
    OnGap onGap =
        reader.parse(
            LocationJobOptions.SOURCE_ON_GAP,
            text -> OnGap.valueOf(text.toUpperCase(Locale.ROOT)),
            OnGap.CONTINUE,
            "continue or fail");
    List<String> abandonedTopics = reader.get(LocationJobOptions.SOURCE_ABANDON_TOPICS);
    Duration catalogLimit = reader.positive(LocationJobOptions.SOURCE_CATALOG_TIMEOUT);
    boolean failsOnCatalogTimeout =
        reader
            .check(
                LocationJobOptions.SOURCE_ON_CATALOG_TIMEOUT,
                action -> action.equals("fail") || action.equals("continue"),
                "fail or continue")
            .equals("fail");
    List<Profile> profiles = reader.profiles();

    DecoderLimits decoderLimits =
        new DecoderLimits(
            reader.size(LocationJobOptions.PARSE_MAX_MESSAGE_SIZE),
            reader.size(LocationJobOptions.PARSE_MAX_DECOMPRESSED_SIZE),
            reader.atLeastOne(LocationJobOptions.PARSE_MAX_RECORDS_PER_MESSAGE),
            reader.atLeastOne(LocationJobOptions.PARSE_MAX_NESTING_DEPTH),
            reader.atLeastOne(LocationJobOptions.PARSE_MAX_TEXT_LENGTH),
            reader.atLeastOne(LocationJobOptions.PARSE_MAX_REJECTIONS_PER_MESSAGE));
    LocateOptions locate =
        new LocateOptions(
            reader.check(
                LocationJobOptions.LOCATE_MAX_WAIT,
                wait -> !wait.isNegative() && wait.compareTo(MAX_WAIT) <= 0,
                "0 s to 24 h"),
            reader.atLeastOne(LocationJobOptions.LOCATE_MAX_WAITING_RECORDS),
            reader.size(LocationJobOptions.LOCATE_MAX_WAITING_BYTES));

    Duration mongoTimeout = reader.positive(LocationJobOptions.MONGO_TIMEOUT);
    String database = reader.name(LocationJobOptions.MONGO_DATABASE);
    String lastKnownLocationDatabase =
        reader.name(LocationJobOptions.LAST_KNOWN_LOCATION_DATABASE, database);
    String writeConcern =
        reader.check(
            LocationJobOptions.MONGO_WRITE_CONCERN,
            concern -> !concern.isBlank() && !concern.equals("0"),
            "majority, a number of 1 or more, or the name of a write concern");
    MongoTls tls =
        new MongoTls(
            reader.content(LocationJobOptions.MONGO_TLS_CA_FILE, MongoTls::requireCaCertificates),
            reader.content(
                LocationJobOptions.MONGO_TLS_CERTIFICATE_KEY_FILE,
                MongoTls::requireCertificateAndKey));
    MongoOptions historyMongo =
        reader.parse(
            LocationJobOptions.MONGO_URI,
            uri ->
                MongoOptions.defaults(uri, database)
                    .withWriteConcern(writeConcern, true)
                    .withTimeouts(mongoTimeout, mongoTimeout, mongoTimeout)
                    .withTls(tls),
            MongoOptions.defaults(LocationJobOptions.MONGO_URI.defaultValue(), database));
    MongoOptions besideHistory = historyMongo.withDatabase(lastKnownLocationDatabase);
    MongoOptions lastKnownLocationMongo =
        reader.parseIfGiven(
            LocationJobOptions.LAST_KNOWN_LOCATION_MONGO_URI,
            besideHistory::withUri,
            besideHistory);
    ProvisionMode provision =
        reader.parse(
            LocationJobOptions.PROVISION,
            text -> ProvisionMode.valueOf(text.toUpperCase(Locale.ROOT)),
            ProvisionMode.AUTO,
            "auto, check or off");
    PartitionPeriod period =
        reader.parse(
            LocationJobOptions.HISTORY_PERIOD,
            text -> PartitionPeriod.valueOf(text.toUpperCase(Locale.ROOT)),
            PartitionPeriod.MONTH,
            "MONTH, DAY or HOUR");
    Duration retryTimeout = reader.positive(LocationJobOptions.SINK_RETRY_TIMEOUT);
    // The operator may let a record wait up to 1/32 longer.
    Duration longestWay = retryTimeout.plus(locate.maxWait()).plus(locate.maxWait().dividedBy(32));
    HistoryRetention retention =
        reader.parseIfGiven(
            LocationJobOptions.HISTORY_RETENTION,
            text -> HistoryRetention.of(period, retained(text, period), longestWay),
            null);
    String prefix = reader.name(LocationJobOptions.HISTORY_COLLECTION_PREFIX);
    String view = reader.nameOrNothing(LocationJobOptions.HISTORY_VIEW, prefix);
    boolean isViewPossible = HistoryPartition.parse(prefix, view).isEmpty();
    reader.require(isViewPossible, LocationJobOptions.HISTORY_VIEW, "a name that no partition has");
    HistoryOptions history =
        new HistoryOptions(
            period,
            prefix,
            reader.parse(
                LocationJobOptions.HISTORY_SHARD_KEY,
                text -> HistoryShardKey.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_')),
                HistoryShardKey.USER_HASHED,
                "user-hashed or user"),
            reader.get(LocationJobOptions.HISTORY_CELL_INDEX),
            isViewPossible ? view : prefix,
            retention);
    PartitionLimits partitionLimits =
        new PartitionLimits(
            reader.atLeastOne(LocationJobOptions.HISTORY_MAX_NEW_PARTITIONS_PER_MINUTE),
            reader.atLeastOne(LocationJobOptions.HISTORY_MAX_PARTITIONS));
    OnOtherPeriod onOtherPeriod =
        reader.parse(
            LocationJobOptions.HISTORY_ON_OTHER_PERIOD,
            text -> OnOtherPeriod.valueOf(text.toUpperCase(Locale.ROOT)),
            OnOtherPeriod.FAIL,
            "fail or continue");
    TimestampLimits timestampLimits =
        new TimestampLimits(
            reader.positive(LocationJobOptions.PARSE_MAX_TIMESTAMP_AHEAD),
            reader.parse(
                LocationJobOptions.PARSE_MIN_TIMESTAMP, SettingsReader::moment, Instant.EPOCH),
            retention);
    LastKnownLocationOptions lastKnownLocation =
        new LastKnownLocationOptions(
            reader.name(LocationJobOptions.LAST_KNOWN_LOCATION_COLLECTION),
            reader.get(LocationJobOptions.LAST_KNOWN_LOCATION_POSITION_INDEX),
            reader.get(LocationJobOptions.LAST_KNOWN_LOCATION_CELL_INDEX));
    reader.require(
        !view.equals(lastKnownLocation.collection())
            || !historyMongo.equals(lastKnownLocationMongo),
        LocationJobOptions.HISTORY_VIEW,
        "another name than last-known-location.collection");

    String forgottenCollection = reader.name(LocationJobOptions.FORGOTTEN_COLLECTION);
    reader.require(
        !forgottenCollection.equals(lastKnownLocation.collection()),
        LocationJobOptions.FORGOTTEN_COLLECTION,
        "another name than " + LocationJobOptions.LAST_KNOWN_LOCATION_COLLECTION.key());
    Duration forgottenRefreshInterval =
        reader.positive(LocationJobOptions.FORGOTTEN_REFRESH_INTERVAL);
    PseudonymKey pseudonymKey =
        reader.parseOrNull(LocationJobOptions.PRIVACY_PSEUDONYM_KEY, PseudonymKey::new);

    Duration initialBackoff = reader.positive(LocationJobOptions.SINK_RETRY_INITIAL_BACKOFF);
    Duration maxBackoff = reader.positive(LocationJobOptions.SINK_RETRY_MAX_BACKOFF);
    reader.require(
        maxBackoff.compareTo(initialBackoff) >= 0,
        LocationJobOptions.SINK_RETRY_MAX_BACKOFF,
        "at least " + LocationJobOptions.SINK_RETRY_INITIAL_BACKOFF.key());
    int recordsPerBulk =
        reader.check(
            LocationJobOptions.SINK_MAX_RECORDS_PER_BULK,
            n -> n >= 1 && n <= 100_000,
            "1 to 100000");
    int bufferedRecords = reader.atLeastOne(LocationJobOptions.SINK_MAX_BUFFERED_RECORDS);
    reader.require(
        bufferedRecords >= recordsPerBulk,
        LocationJobOptions.SINK_MAX_BUFFERED_RECORDS,
        "at least " + LocationJobOptions.SINK_MAX_RECORDS_PER_BULK.key());
    int bytesPerBulk =
        (int)
            reader
                .check(
                    LocationJobOptions.SINK_MAX_BYTES_PER_BULK,
                    size -> size.getBytes() >= 1 && size.compareTo(MemorySize.ofMebiBytes(16)) <= 0,
                    "1 b to 16 mb")
                .getBytes();
    long bufferedBytes = reader.size(LocationJobOptions.SINK_MAX_BUFFERED_BYTES);
    reader.require(
        bufferedBytes >= bytesPerBulk,
        LocationJobOptions.SINK_MAX_BUFFERED_BYTES,
        "at least " + LocationJobOptions.SINK_MAX_BYTES_PER_BULK.key());
    int bulksInFlight = reader.atLeastOne(LocationJobOptions.SINK_MAX_BULKS_IN_FLIGHT);
    int lastKnownLocationBulksInFlight =
        reader.atLeastOne(LocationJobOptions.LAST_KNOWN_LOCATION_MAX_BULKS_IN_FLIGHT);
    Duration flushInterval = reader.positive(LocationJobOptions.SINK_FLUSH_INTERVAL);

    Duration restartInitial = reader.positive(LocationJobOptions.RESTART_INITIAL_BACKOFF);
    Duration restartMax = reader.positive(LocationJobOptions.RESTART_MAX_BACKOFF);
    reader.require(
        restartMax.compareTo(restartInitial) >= 0,
        LocationJobOptions.RESTART_MAX_BACKOFF,
        "at least " + LocationJobOptions.RESTART_INITIAL_BACKOFF.key());
    RecoveryOptions recovery =
        new RecoveryOptions(
            reader.positive(LocationJobOptions.CHECKPOINT_INTERVAL),
            reader.positive(LocationJobOptions.CHECKPOINT_TIMEOUT),
            restartInitial,
            restartMax);
    Map<String, String> flink = reader.withPrefix(LocationJobOptions.FLINK_PREFIX);

    reader.finish();
    BulkOptions historyBulks =
        new BulkOptions(
            recordsPerBulk,
            bytesPerBulk,
            bulksInFlight,
            bufferedRecords,
            bufferedBytes,
            flushInterval,
            initialBackoff,
            maxBackoff,
            retryTimeout);
    return new LocationJobConfig(
        name,
        parallelism,
        maxParallelism,
        kafka,
        start,
        onGap,
        List.copyOf(abandonedTopics),
        // The catalogue counts as loaded when a checkpoint holds it.
        new CatalogTimeout(catalogLimit.plus(recovery.checkpointInterval()), failsOnCatalogTimeout),
        profiles,
        decoderLimits,
        timestampLimits,
        locate,
        historyMongo,
        lastKnownLocationMongo,
        provision,
        history,
        partitionLimits,
        onOtherPeriod,
        lastKnownLocation,
        new ErasureListOptions(
            lastKnownLocationMongo, forgottenCollection, forgottenRefreshInterval, retryTimeout),
        pseudonymKey,
        historyBulks,
        historyBulks.withMaxBulksInFlight(lastKnownLocationBulksInFlight),
        recovery,
        flink);
  }

  private static Duration retained(String text, PartitionPeriod period) {
    Duration kept;
    try {
      kept = TimeUtils.parseDuration(text);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalArgumentException("expected a duration such as 90 d", e);
    }
    if (!HistoryRetention.isPossible(period, kept)) {
      throw new IllegalArgumentException("expected " + HistoryRetention.expected(period));
    }
    return kept;
  }

  /** The names of {@link #profiles()}, in order. */
  public List<String> profileNames() {
    return profiles.stream().map(Profile::name).toList();
  }
}
