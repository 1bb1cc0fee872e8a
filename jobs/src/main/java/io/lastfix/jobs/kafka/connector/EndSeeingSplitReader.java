package io.lastfix.jobs.kafka.connector;

import io.lastfix.jobs.config.KafkaOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.util.clock.Clock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Adds to what is fetched which partitions have no further record.
 *
 * <p>Kafka's client knows each partition's lag from the last answer of its broker. Before the first
 * answer, it does not know it, and the partition does not count as read to its end, unless the
 * topic has it no more.
 *
 * <p>Flink calls it on the fetcher's thread.
 */
// The interface's close() may throw InterruptedException.
@SuppressWarnings("try")
final class EndSeeingSplitReader extends GapDetectingSplitReader {
  /** The client knows them already, unless it has lost the brokers. */
  private static final Duration METADATA_LIMIT = Duration.ofSeconds(1);

  private final Metrics metrics;
  private final Clock clock;
  private final Consumer<PartitionEnds> listener;
  private final GonePartitions gone;

  /** The metrics of a reader. They are given the consumer, which Flink's split reader hides. */
  static final class Metrics extends KafkaSourceReaderMetrics {
    private volatile @Nullable KafkaConsumer<?, ?> consumer;

    /**
     * @param group the source's
     */
    Metrics(SourceReaderMetricGroup group) {
      super(group);
    }

    @Override
    public void registerKafkaConsumerMetrics(KafkaConsumer<?, ?> registered) {
      consumer = registered;
      super.registerKafkaConsumerMetrics(registered);
    }
  }

  /**
   * @param properties of the consumer
   * @param kafka the brokers
   * @param listener is called on the task's thread, after the records of each fetch
   */
  EndSeeingSplitReader(
      Properties properties,
      KafkaOptions kafka,
      SourceReaderContext context,
      Metrics metrics,
      Clock clock,
      Consumer<PartitionEnds> listener) {
    // Without this property, the metrics would not be given the consumer.
    super(
        with(properties, KafkaSourceOptions.REGISTER_KAFKA_CONSUMER_METRICS.key(), "true"),
        kafka,
        context,
        metrics);
    this.metrics = metrics;
    this.clock = clock;
    this.listener = listener;
    this.gone = new GonePartitions(this::partitions, clock);
  }

  /** The partitions of a topic as its brokers have them; empty if they do not answer at once. */
  private Set<Integer> partitions(String topic) {
    KafkaConsumer<?, ?> consumer = metrics.consumer;
    if (consumer == null) {
      return Set.of();
    }
    try {
      return consumer.partitionsFor(topic, METADATA_LIMIT).stream()
          .map(PartitionInfo::partition)
          .collect(Collectors.toSet());
    } catch (RetriableException | WakeupException e) {
      return Set.of();
    }
  }

  @Override
  public RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> fetch() throws IOException {
    RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> records = super.fetch();
    Map<TopicPartition, Boolean> isAtEnd = new HashMap<>();
    KafkaConsumer<?, ?> consumer = metrics.consumer;
    if (consumer != null) {
      for (TopicPartition partition : consumer.assignment()) {
        OptionalLong lag = consumer.currentLag(partition);
        if (lag.isPresent()) {
          gone.onAnswer(partition);
          isAtEnd.put(partition, lag.getAsLong() == 0);
        } else {
          isAtEnd.put(partition, gone.isGone(partition));
        }
      }
    }
    return new PartitionEnds(records, isAtEnd, clock.relativeTimeMillis(), listener);
  }
}
