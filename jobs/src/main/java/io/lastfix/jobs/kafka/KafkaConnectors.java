package io.lastfix.jobs.kafka;

import io.lastfix.catalogs.CellEntryJson;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.SourceStart;
import io.lastfix.jobs.kafka.catalog.CatalogEnds;
import io.lastfix.jobs.kafka.catalog.CatalogProgressSource;
import io.lastfix.jobs.kafka.catalog.StartAfterCatalogSource;
import io.lastfix.jobs.kafka.connector.LocationSource;
import io.lastfix.jobs.kafka.connector.QuietTopicCommitSource;
import io.lastfix.jobs.kafka.messages.LargeBytesInterceptor;
import io.lastfix.jobs.kafka.messages.LocatedTopicSerializer;
import io.lastfix.jobs.kafka.messages.RawMessageDeserializer;
import io.lastfix.jobs.kafka.messages.RejectedRecordSerializer;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.locate.RemovalRetention;
import io.lastfix.model.LocatedRecord;
import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import java.time.Duration;
import java.util.Properties;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The job's connectors to Kafka: two sources and two sinks. */
public final class KafkaConnectors {
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

  private final LocationJobConfig config;
  private final KafkaOptions kafka;
  private final CatalogGroup catalogGroup;
  private final RemovalRetention removals;

  /** Configures the connectors for a catalogue topic as Lastfix creates it. */
  public KafkaConnectors(LocationJobConfig config, CatalogGroup catalogGroup) {
    this(config, catalogGroup, RemovalRetention.DEFAULT);
  }

  /**
   * Configures the connectors.
   *
   * @param catalogGroup under which the catalogue is read, and waited for
   * @param removals how long the catalogue's topic keeps removals
   */
  public KafkaConnectors(
      LocationJobConfig config, CatalogGroup catalogGroup, RemovalRetention removals) {
    this.removals = removals;
    this.config = config;
    this.kafka = config.kafka();
    this.catalogGroup = catalogGroup;
  }

  /**
   * Where a job without a savepoint begins.
   *
   * @param committed what {@code committed} stands for
   */
  static OffsetsInitializer start(SourceStart start, OffsetsInitializer committed) {
    return switch (start.kind()) {
      case COMMITTED -> committed;
      case EARLIEST -> OffsetsInitializer.earliest();
      case LATEST -> OffsetsInitializer.latest();
      case TIMESTAMP -> OffsetsInitializer.timestamp(start.requireTimestampMillis());
    };
  }

  /**
   * The source of all profiles' location topics. It begins where the configuration says, and after
   * the catalogue, also after a restore.
   */
  public Source<RawMessage, ?, ?> locations() {
    OffsetsInitializer start =
        start(
            config.source().start(),
            OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST));
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
                new CommittingStart(start, kafka),
                more,
                config.source().onGap())),
        kafka.cellsTopic(),
        new CatalogEnds(kafka)::find,
        catalogGroup,
        config.source().catalogTimeout());
  }

  /**
   * The source of the catalogue, from its beginning. A job without a savepoint has no entries yet,
   * and a job with an old savepoint may have missed removals.
   */
  public Source<RawMessage, ?, ?> cells() {
    return new CatalogProgressSource<>(
        new QuietTopicCommitSource<>(cellSource().build()), catalogGroup, removals);
  }

  /** The catalogue from its beginning to its present end. */
  public Source<RawMessage, ?, ?> cellsUpToNow() {
    return cellSource().setBounded(OffsetsInitializer.latest()).build();
  }

  private KafkaSourceBuilder<RawMessage> cellSource() {
    return KafkaSource.<RawMessage>builder()
        .setProperties(sourceProperties(kafka))
        .setGroupId(catalogGroup.id())
        .setTopics(kafka.cellsTopic())
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setProperties(
            LargeBytesInterceptor.properties(kafka.properties(), CellEntryJson.MAX_BYTES))
        .setDeserializer(new RawMessageDeserializer());
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
   * The sink of rejected messages, at least once. A transaction would delay them until the next
   * checkpoint, and their headers identify duplicates.
   *
   * @param maxMessageBytes the largest message that the topic accepts
   */
  public KafkaSink<RejectedMessage> rejected(int maxMessageBytes) {
    KafkaOptions options = kafka;
    return KafkaSink.<RejectedMessage>builder()
        .setKafkaProducerConfig(rejectedProducer(maxMessageBytes))
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .setRecordSerializer(
            new RejectedRecordSerializer(
                kafka.rejectedTopic(),
                maxMessageBytes,
                () -> KafkaTopics.rejectedMessageBytes(options)))
        .build();
  }

  /**
   * The sink of located records, at least once: a record that is read again after a restart is
   * written again. A transaction would delay all records until the next checkpoint.
   *
   * @param topic receives every record
   */
  public KafkaSink<LocatedRecord> located(String topic) {
    KafkaOptions options = kafka;
    return KafkaSink.<LocatedRecord>builder()
        .setKafkaProducerConfig(locatedProducer())
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .setRecordSerializer(
            new LocatedTopicSerializer(topic, () -> KafkaTopics.createLocatedAgain(options, topic)))
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
    // No batching: if somebody lowers the topic's limit below a batch of several messages, Kafka's
    // client splits the batch into the same batch again until its network thread dies of a stack
    // overflow (KAFKA-8350). After a split, its flush may also end too early (KAFKA-19479): a
    // checkpoint would cover messages that are not written. A batch size of 0 alone does not
    // prevent batches: the client estimates how far they compress, and fills up what it expects to
    // save. So nothing is compressed here.
    properties.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, "0");
    properties.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
    return properties;
  }

  /**
   * Properties of the producers of the other jobs, which keep the order of a key's messages; the
   * user's properties override them.
   */
  static Properties orderedProducer(LocationJobConfig config) {
    Properties properties = config.kafka().clientProperties();
    // An idempotent producer can get stuck: see Topics (kit). One request at a time keeps the
    // order of a key's messages without it.
    properties.putIfAbsent(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "false");
    properties.putIfAbsent(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
    properties.putIfAbsent(
        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
        Long.toString(deliveryTimeout(config).toMillis()));
    properties.putIfAbsent(
        ProducerConfig.METADATA_MAX_IDLE_CONFIG, Integer.toString(Integer.MAX_VALUE));
    return properties;
  }

  /**
   * Properties of every producer of the job: it waits for Kafka as long as the other sinks wait for
   * MongoDB. The user's properties override them.
   */
  private Properties patientProducer() {
    Properties properties = kafka.clientProperties();
    // Duplicates are allowed here, and an idempotent producer can get stuck: see Topics (kit).
    properties.putIfAbsent(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "false");
    // An outage that the other sinks survive must not stop this one. By default, Kafka gives up a
    // sent message after two minutes. It gives up a blocked send after one minute: one that waits
    // for a full buffer or, before the first message, for the topic's metadata. That wait blocks
    // the task's thread, as a full buffer of the other sinks does. It has the same bound, and
    // cancelling the job interrupts it.
    properties.putIfAbsent(
        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
        Long.toString(deliveryTimeout(config).toMillis()));
    properties.putIfAbsent(
        ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.toString(retryMillis(config, LEAST_BLOCK_MILLIS)));
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
