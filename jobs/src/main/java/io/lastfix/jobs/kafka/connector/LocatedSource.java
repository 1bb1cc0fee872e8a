package io.lastfix.jobs.kafka.connector;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.OnGap;
import io.lastfix.jobs.kafka.messages.LocatedTopicDeserializer;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.model.LocatedRecord;
import java.time.Duration;
import java.util.Properties;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.synchronization.FutureCompletingBlockingQueue;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.KafkaSourceReader;
import org.apache.flink.connector.kafka.source.reader.fetcher.KafkaSourceFetcherManager;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.util.clock.Clock;
import org.apache.flink.util.clock.SystemClock;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The source of located records. It emits watermarks itself ({@link LocatedReader}). Its checkpoint
 * contains each partition's event time and lost records ({@link LocatedSplitSerializer}).
 */
public final class LocatedSource extends ForwardingSource<LocatedRecord, KafkaSourceEnumState> {
  /**
   * A record that the location job has accepted passes, also if the clocks of two machines differ
   * by so much.
   */
  private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

  private final KafkaOptions kafka;
  private final Properties properties;
  private final String topic;
  private final String job;
  private final Duration bound;
  private final Duration maxAhead;
  private final OnGap onGap;

  /**
   * @param job what {@code lastfix submit} calls the job
   * @param group the consumer group
   * @param start where a job without a savepoint begins
   * @param more consumer properties, over those of every client
   * @param bound how much earlier than the newest one the next record may be, 0 or more
   * @param maxAhead how far ahead of its clock the location job accepts a record
   * @param onGap what happens if Kafka has deleted records before they were read
   */
  public LocatedSource(
      KafkaOptions kafka,
      String topic,
      String job,
      String group,
      OffsetsInitializer start,
      Properties more,
      Duration bound,
      Duration maxAhead,
      OnGap onGap) {
    super(
        KafkaSource.<LocatedRecord>builder()
            .setProperties(more)
            .setGroupId(group)
            .setTopics(topic)
            .setStartingOffsets(start)
            .setDeserializer(new LocatedTopicDeserializer())
            .build());
    this.kafka = kafka;
    this.topic = topic;
    this.job = job;
    this.bound = bound;
    this.maxAhead = maxAhead.plus(CLOCKS_DIFFER);
    this.onGap = onGap;
    properties = LocationSource.consumerProperties(kafka, group, more);
  }

  /** Replaces the reader that Flink's source creates, because some of its parts are ours. */
  @Override
  public SourceReader<LocatedRecord, KafkaPartitionSplit> createReader(
      SourceReaderContext context) {
    // The location job waits for the topic, and restarts only when Kafka's client gives up.
    KafkaTopics.createLocatedAgain(kafka, topic);
    Clock clock = SystemClock.getInstance();
    PartitionTimes times = new PartitionTimes(bound, clock);
    LostRecords lost = new LostRecords(context.metricGroup());
    LocatedTopicDeserializer deserializer = new LocatedTopicDeserializer();
    deserializer.register(context.metricGroup().addGroup("deserializer"));
    FutureCompletingBlockingQueue<RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>>> fetched =
        new FutureCompletingBlockingQueue<>();
    EndSeeingSplitReader.Metrics metrics = new EndSeeingSplitReader.Metrics(context.metricGroup());
    return new LocatedReader(
        new KafkaSourceReader<>(
            fetched,
            new KafkaSourceFetcherManager(
                fetched,
                () ->
                    new EndSeeingSplitReader(
                        properties, kafka, context, metrics, clock, times::onFetched),
                finished -> {}),
            new GapAwareEmitter<>(
                new LocatedEmitter(deserializer, times, maxAhead.toMillis(), clock),
                onGap,
                lost::onGap,
                job,
                context.metricGroup()),
            ConfigurationUtils.createConfiguration(properties),
            context,
            metrics),
        topic,
        times,
        lost,
        clock);
  }

  @Override
  protected SimpleVersionedSerializer<KafkaPartitionSplit> wrap(
      SimpleVersionedSerializer<KafkaPartitionSplit> serializer) {
    return new LocatedSplitSerializer(serializer);
  }
}
