package io.lastfix.jobs.kafka.connector;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.OnGap;
import io.lastfix.jobs.kafka.messages.RawMessageDeserializer;
import io.lastfix.parse.RawMessage;
import java.util.List;
import java.util.Properties;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.synchronization.FutureCompletingBlockingQueue;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics;
import org.apache.flink.connector.kafka.source.reader.KafkaRecordEmitter;
import org.apache.flink.connector.kafka.source.reader.KafkaSourceReader;
import org.apache.flink.connector.kafka.source.reader.fetcher.KafkaSourceFetcherManager;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The source of the location topics: Flink's Kafka source with readers that report gaps ({@link
 * GapAwareEmitter}) and leave out topics without a profile ({@link KnownTopicsReader}). The
 * checkpoint's format is Flink's own.
 */
public final class LocationSource extends ForwardingSource<RawMessage, KafkaSourceEnumState> {
  private final KafkaOptions kafka;
  private final List<String> topics;
  private final Properties properties;
  private final OnGap onGap;

  /**
   * @param topics those that have a profile
   * @param start where a job without a savepoint begins
   * @param more consumer properties, over those of every client
   */
  public LocationSource(
      KafkaOptions kafka,
      List<String> topics,
      OffsetsInitializer start,
      Properties more,
      OnGap onGap) {
    super(
        KafkaSource.<RawMessage>builder()
            .setProperties(consumerProperties(kafka, kafka.groupId(), more))
            .setTopics(topics)
            .setStartingOffsets(start)
            .setDeserializer(new RawMessageDeserializer())
            .build());
    this.kafka = kafka;
    this.topics = List.copyOf(topics);
    this.onGap = onGap;
    this.properties = consumerProperties(kafka, kafka.groupId(), more);
  }

  /** The properties that {@code KafkaSourceBuilder} sets; its own method is private. */
  static Properties consumerProperties(KafkaOptions kafka, String group, Properties more) {
    Properties all = new Properties();
    all.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    all.setProperty(KafkaSourceOptions.CLIENT_ID_PREFIX.key(), group);
    all.putAll(kafka.clientProperties());
    all.setProperty(ConsumerConfig.GROUP_ID_CONFIG, group);
    all.setProperty(
        ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    all.setProperty(
        ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    all.putAll(more);
    return all;
  }

  /** Replaces the reader that Flink's source creates, because some of its parts are ours. */
  @Override
  public SourceReader<RawMessage, KafkaPartitionSplit> createReader(SourceReaderContext context) {
    FutureCompletingBlockingQueue<RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>>> fetched =
        new FutureCompletingBlockingQueue<>();
    KafkaSourceReaderMetrics metrics = new KafkaSourceReaderMetrics(context.metricGroup());
    return new KnownTopicsReader<>(
        new KafkaSourceReader<>(
            fetched,
            new KafkaSourceFetcherManager(
                fetched,
                () -> new GapDetectingSplitReader(properties, kafka, context, metrics),
                finished -> {}),
            new GapAwareEmitter<>(
                new KafkaRecordEmitter<>(new RawMessageDeserializer()),
                onGap,
                gap -> {},
                "location",
                context.metricGroup()),
            ConfigurationUtils.createConfiguration(properties),
            context,
            metrics),
        topics,
        new EndOffsets(kafka),
        context.metricGroup());
  }
}
