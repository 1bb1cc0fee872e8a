package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.located.PartitionEnds;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.util.clock.Clock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Adds to what is fetched which partitions have no further record.
 *
 * <p>Kafka's client knows each partition's lag from the last answer of its broker. Before the first
 * answer, it does not know it, and the partition does not count as read to its end.
 *
 * <p>Flink calls it on the fetcher's thread.
 */
// The interface's close() may throw InterruptedException.
@SuppressWarnings("try")
final class EndSeeingSplitReader extends GapDetectingSplitReader {
  private final Metrics metrics;
  private final Clock clock;
  private final Consumer<PartitionEnds> listener;

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
    super(withMetrics(properties), kafka, context, metrics);
    this.metrics = metrics;
    this.clock = clock;
    this.listener = listener;
  }

  /** Without this property, the metrics would not be given the consumer. */
  private static Properties withMetrics(Properties properties) {
    Properties own = new Properties();
    own.putAll(properties);
    own.setProperty(KafkaSourceOptions.REGISTER_KAFKA_CONSUMER_METRICS.key(), "true");
    return own;
  }

  @Override
  public RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> fetch() throws IOException {
    RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> records = super.fetch();
    Map<TopicPartition, Boolean> isAtEnd = new HashMap<>();
    KafkaConsumer<?, ?> consumer = metrics.consumer;
    if (consumer != null) {
      for (TopicPartition partition : consumer.assignment()) {
        OptionalLong lag = consumer.currentLag(partition);
        isAtEnd.put(partition, lag.isPresent() && lag.getAsLong() == 0);
      }
    }
    return new PartitionEnds(records, isAtEnd, clock.relativeTimeMillis(), listener);
  }
}
