package io.lastfix.jobs.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.catalogs.CellEntryJson;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.SourceStart;
import io.lastfix.jobs.kafka.catalog.CatalogEnds;
import io.lastfix.jobs.kafka.catalog.CatalogProgressSource;
import io.lastfix.jobs.kafka.catalog.StartAfterCatalogSource;
import io.lastfix.jobs.kafka.connector.LocatedSource;
import io.lastfix.jobs.kafka.connector.LocationSource;
import io.lastfix.jobs.kafka.connector.QuietTopicCommitSource;
import io.lastfix.jobs.kafka.messages.LargeBytesInterceptor;
import io.lastfix.jobs.kafka.messages.LocatedTopicSerializer;
import io.lastfix.jobs.kafka.messages.PresenceRecordSerializer;
import io.lastfix.jobs.kafka.messages.PresenceTopicDeserializer;
import io.lastfix.jobs.kafka.messages.RawMessageDeserializer;
import io.lastfix.jobs.kafka.messages.RejectedRecordSerializer;
import io.lastfix.jobs.kafka.messages.WindowCountRecordSerializer;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.locate.RemovalRetention;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.DeviceUsage;
import io.lastfix.model.device.Presence;
import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.store.counts.WindowCount;
import java.time.Duration;
import java.util.Properties;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * The jobs' connectors to Kafka. All sinks write at least once: a transaction would delay messages
 * until the next checkpoint, and a repeated one says the same.
 *
 * @param config of all jobs
 */
public record KafkaConnectors(LocationJobConfig config) {
  /** Kafka's default; the producer rejects a value below its request timeout plus linger. */
  private static final long LEAST_DELIVERY_TIMEOUT_MILLIS = 120_000;

  /** Kafka's default. */
  private static final long LEAST_BLOCK_MILLIS = 60_000;

  /** Enough for many small messages that wait for the broker. */
  private static final int LEAST_BUFFER_BYTES = 4 * 1024 * 1024;

  /** About a thousand located records: the batch is full or 50 ms old when it is sent. */
  private static final int LOCATED_BATCH_BYTES = 64 * 1024;

  private static final int LOCATED_LINGER_MILLIS = 50;

  /**
   * The connector's default is five minutes. For so long, records could meet entries that newer
   * ones, in a new partition of the catalogue, have replaced.
   */
  static final long PARTITION_DISCOVERY_MILLIS = 10_000;

  /**
   * The source of all profiles' location topics. It begins where the configuration says, and after
   * the catalogue, also after a restore.
   *
   * @param catalogGroup under which {@link #cells} reads the catalogue
   */
  public Source<RawMessage, ?, ?> locations(CatalogGroup catalogGroup) {
    KafkaOptions kafka = config.kafka();
    Properties more =
        LargeBytesInterceptor.properties(
            kafka.properties(), config.parse().decoderLimits().maxMessageBytes());
    String discovery = KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key();
    more.setProperty(discovery, sourceProperties(kafka).getProperty(discovery));
    return new StartAfterCatalogSource<>(
        new QuietTopicCommitSource<>(
            new LocationSource(
                kafka,
                kafka.locationTopics(config.profileNames()),
                new CommittingStart(
                    start(OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST)),
                    kafka,
                    kafka.groupId()),
                more,
                config.source().onGap())),
        kafka.cellsTopic(),
        new CatalogEnds(kafka)::find,
        catalogGroup,
        config.source().catalogTimeout());
  }

  /** Where a job on located records begins without a savepoint. */
  OffsetsInitializer locatedStart() {
    return start(OffsetsInitializer.earliest());
  }

  /**
   * Where a job without a savepoint begins.
   *
   * @param committed what {@code source.start: committed} means
   */
  private OffsetsInitializer start(OffsetsInitializer committed) {
    SourceStart start = config.source().start();
    return switch (start.kind()) {
      case COMMITTED -> committed;
      case EARLIEST -> OffsetsInitializer.earliest();
      case LATEST -> OffsetsInitializer.latest();
      case TIMESTAMP -> OffsetsInitializer.timestamp(start.timestampMillis());
    };
  }

  /**
   * The source of the catalogue, from its beginning. A job without a savepoint has no entries yet,
   * and a job with an old savepoint may have missed removals.
   *
   * @param removals how long the catalogue's topic keeps removals
   */
  public Source<RawMessage, ?, ?> cells(CatalogGroup catalogGroup, RemovalRetention removals) {
    return new CatalogProgressSource<>(
        new QuietTopicCommitSource<>(cellSource(catalogGroup).build()), catalogGroup, removals);
  }

  /** The catalogue from its beginning to its present end. */
  public Source<RawMessage, ?, ?> cellsUpToNow() {
    return cellSource(CatalogGroup.ofNewStart(config.kafka().groupId()))
        .setBounded(OffsetsInitializer.latest())
        .build();
  }

  private KafkaSourceBuilder<RawMessage> cellSource(CatalogGroup catalogGroup) {
    return fromBeginning(config.kafka().cellsTopic(), catalogGroup.id())
        .setProperties(
            LargeBytesInterceptor.properties(config.kafka().properties(), CellEntryJson.MAX_BYTES));
  }

  private KafkaSourceBuilder<RawMessage> fromBeginning(String topic, String groupId) {
    return KafkaSource.<RawMessage>builder()
        .setProperties(sourceProperties(config.kafka()))
        .setGroupId(groupId)
        .setTopics(topic)
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setDeserializer(new RawMessageDeserializer());
  }

  /**
   * The located records. A job without a savepoint begins at the beginning of the topic, so that
   * its numbers are a function of all that the topic holds, unless {@code source.start} is the end
   * or a time. The source emits watermarks.
   *
   * @param job what {@code lastfix submit} calls the job
   * @param groupId consumer group that commits
   */
  public Source<LocatedRecord, ?, ?> locatedSource(String topic, String job, String groupId) {
    return located(topic, job, groupId, locatedStart());
  }

  /**
   * The located records from now on. A job without a savepoint begins at the committed offsets, or
   * else at the end of the topic, unless {@code source.start} is its beginning or a time. Alerts
   * about all that the topic holds would page people for what is long over.
   *
   * @param job what {@code lastfix submit} calls the job
   * @param groupId consumer group that commits
   */
  public Source<LocatedRecord, ?, ?> locatedFromNow(String topic, String job, String groupId) {
    return located(topic, job, groupId, fromNow(groupId));
  }

  /**
   * The changes of presence from now on. A job without a savepoint begins where {@link
   * #locatedFromNow} begins: devices that are offline by then have been so for any time.
   *
   * @param groupId consumer group that commits
   */
  public Source<Presence, ?, ?> presenceFromNow(String groupId) {
    return new QuietTopicCommitSource<>(
        KafkaSource.<Presence>builder()
            .setProperties(sourceProperties(config.kafka()))
            .setGroupId(groupId)
            .setTopics(config.devices().presenceTopic())
            .setStartingOffsets(fromNow(groupId))
            .setDeserializer(new PresenceTopicDeserializer(config.pseudonymKey()))
            .build());
  }

  private OffsetsInitializer fromNow(String groupId) {
    return new CommittingStart(
        start(OffsetsInitializer.committedOffsets(OffsetResetStrategy.LATEST)),
        config.kafka(),
        groupId);
  }

  private LocatedSource located(
      String topic, String job, String groupId, OffsetsInitializer start) {
    return new LocatedSource(
        config.kafka(),
        topic,
        job,
        groupId,
        start,
        sourceProperties(config.kafka()),
        config.analytics().outOfOrderness(),
        config.parse().timestampLimits().maxAhead(),
        config.source().onGap());
  }

  /**
   * The signs of life and ticks, for a job without a savepoint from the beginning of the topic:
   * presence is a function of all that it holds. While Kafka is away the source waits.
   *
   * @param groupId consumer group that commits
   */
  public Source<RawMessage, ?, ?> heartbeats(String groupId) {
    return new QuietTopicCommitSource<>(
        fromBeginning(config.devices().heartbeatsTopic(), groupId).build());
  }

  /** Consumer properties of every source; the user's properties override them. */
  static Properties sourceProperties(KafkaOptions kafka) {
    Properties properties = kafka.clientProperties();
    properties.putIfAbsent(
        KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(),
        Long.toString(PARTITION_DISCOVERY_MILLIS));
    return properties;
  }

  /**
   * The sink of rejected messages; their headers identify duplicates.
   *
   * @param maxMessageBytes the largest message that the topic accepts
   */
  public KafkaSink<RejectedMessage> rejected(int maxMessageBytes) {
    KafkaOptions kafka = config.kafka();
    return sink(
        rejectedProducer(maxMessageBytes),
        new RejectedRecordSerializer(
            kafka.rejectedTopic(), maxMessageBytes, () -> KafkaTopics.rejectedMessageBytes(kafka)));
  }

  /** The sink of located records. A record that is read again after a restart is written again. */
  public KafkaSink<LocatedRecord> locatedSink(String topic) {
    KafkaOptions kafka = config.kafka();
    return sink(
        locatedProducer(),
        new LocatedTopicSerializer(topic, () -> KafkaTopics.createLocatedAgain(kafka, topic)));
  }

  /** The sink of changes of presence. */
  public KafkaSink<Presence> presence() {
    return sink(orderedProducer(), new PresenceRecordSerializer(config.devices().presenceTopic()));
  }

  /**
   * The sink of usage, which is a sum, not a difference; see {@link DeviceUsage} for key and value.
   */
  public KafkaSink<DeviceUsage> usage() {
    String topic = config.devices().usageTopic();
    return sink(
        orderedProducer(),
        (usage, context, timestampMillis) ->
            new ProducerRecord<>(
                topic,
                usage.key().getBytes(UTF_8),
                usage.isForgotten() ? null : usage.json().getBytes(UTF_8)));
  }

  /** The sink of counts. */
  public KafkaSink<WindowCount> counts() {
    return sink(
        orderedProducer(), new WindowCountRecordSerializer(config.analytics().countsTopic()));
  }

  /** The sink of alerts; see {@link AlertCodec} for key and value. */
  public KafkaSink<Alert> alerts() {
    String topic = config.rules().alertsTopic();
    return sink(
        orderedProducer(),
        (alert, context, timestampMillis) ->
            new ProducerRecord<>(topic, AlertCodec.key(alert), AlertCodec.value(alert)));
  }

  private static <T> KafkaSink<T> sink(
      Properties producer, KafkaRecordSerializationSchema<T> serializer) {
    return KafkaSink.<T>builder()
        .setKafkaProducerConfig(producer)
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .setRecordSerializer(serializer)
        .build();
  }

  /** Properties of the producer of located records; the user's properties override them. */
  Properties locatedProducer() {
    Properties properties = patientProducer();
    properties.putIfAbsent(
        ProducerConfig.LINGER_MS_CONFIG, Integer.toString(LOCATED_LINGER_MILLIS));
    properties.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(LOCATED_BATCH_BYTES));
    properties.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    return properties;
  }

  /** Properties of the producer of rejected messages; the user's properties override them. */
  Properties rejectedProducer(int maxMessageBytes) {
    Properties properties = patientProducer();
    properties.putIfAbsent(
        ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(maxMessageBytes));
    // Each slot has such a producer, and rejections are rare, so the buffer holds one message of
    // the largest size only. Further messages wait until it is sent.
    properties.putIfAbsent(
        ProducerConfig.BUFFER_MEMORY_CONFIG,
        Integer.toString(Math.max(LEAST_BUFFER_BYTES, maxMessageBytes)));
    // No batching: if the topic's limit is lowered below a batch of several messages, Kafka's
    // client splits the batch into the same batch again. It repeats that until its network thread
    // dies of a stack overflow (KAFKA-8350). After a split, its flush may also end too early
    // (KAFKA-19479): a checkpoint would cover messages that are not written. A batch size of 0
    // alone does not prevent batches: the client estimates how far they compress, and fills up what
    // it expects to save. So nothing is compressed here.
    properties.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, "0");
    properties.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
    return properties;
  }

  /**
   * Properties of the producers of the other jobs, which keep the order of a key's messages; the
   * user's properties override them.
   */
  private Properties orderedProducer() {
    Properties properties = producer();
    // One request at a time keeps the order without an idempotent producer.
    properties.putIfAbsent(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
    return properties;
  }

  /**
   * Properties of every producer of the location job: it waits for Kafka as long as the other sinks
   * wait for MongoDB. The user's properties override them.
   */
  private Properties patientProducer() {
    Properties properties = producer();
    // An outage that the other sinks survive must not stop this one. By default, Kafka gives up a
    // sent message after two minutes. It gives up a blocked send after one minute: one that waits
    // for a full buffer or, before the first message, for the topic's metadata. That wait blocks
    // the task's thread, as a full buffer of the other sinks does. It has the same bound, and
    // cancelling the job interrupts it.
    properties.putIfAbsent(
        ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.toString(retryMillis(config, LEAST_BLOCK_MILLIS)));
    return properties;
  }

  private Properties producer() {
    Properties properties = config.kafka().clientProperties();
    // Duplicates are allowed here, and an idempotent producer can get stuck: see Topics (kit).
    properties.putIfAbsent(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "false");
    properties.putIfAbsent(
        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
        Long.toString(deliveryTimeout(config).toMillis()));
    // Messages may be days apart; Kafka drops a topic's metadata after five minutes.
    properties.putIfAbsent(
        ProducerConfig.METADATA_MAX_IDLE_CONFIG, Integer.toString(Integer.MAX_VALUE));
    return properties;
  }

  /**
   * For how long Kafka's client tries to write a message. A cancelled task waits for that too: the
   * connector closes its producer with a limit of an hour, and nothing interrupts it.
   *
   * @throws ConfigException if the user's own property is no number
   */
  public static Duration deliveryTimeout(LocationJobConfig config) {
    String key = ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG;
    String own = config.kafka().clientProperties().getProperty(key);
    return Duration.ofMillis(
        own == null
            ? retryMillis(config, LEAST_DELIVERY_TIMEOUT_MILLIS)
            : (Integer) ConfigDef.parseType(key, own, ConfigDef.Type.INT));
  }

  /**
   * The time for which the other sinks retry, but at least {@code least}; the producer's limit is
   * an int.
   */
  private static long retryMillis(LocationJobConfig config, long least) {
    long millis = Math.max(least, config.historyBulks().retryTimeout().toMillis());
    return Math.min(Integer.MAX_VALUE, millis);
  }
}
