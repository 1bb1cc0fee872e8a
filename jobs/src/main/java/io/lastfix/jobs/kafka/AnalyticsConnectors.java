package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.SourceStart;
import io.lastfix.jobs.kafka.connector.LocatedSource;
import io.lastfix.jobs.kafka.messages.WindowCountRecordSerializer;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.counts.WindowCount;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;

/** Connectors to Kafka of jobs over located records: a source, and the analytics job's sink. */
public final class AnalyticsConnectors {
  private final LocationJobConfig config;
  private final KafkaOptions kafka;

  /** Configures the connectors. */
  public AnalyticsConnectors(LocationJobConfig config) {
    this.config = config;
    this.kafka = config.kafka();
  }

  /**
   * The located records. A job without a savepoint begins at the beginning of the topic, so that
   * its numbers are a function of all that the topic holds, unless {@code source.start} is the end
   * or a time. The source emits watermarks.
   *
   * @param groupId consumer group that commits
   */
  public Source<LocatedRecord, ?, ?> located(String topic, String groupId) {
    return new LocatedSource(
        kafka,
        topic,
        groupId,
        start(config.source().start()),
        KafkaConnectors.sourceProperties(kafka),
        config.analytics().outOfOrderness(),
        config.parse().timestampLimits().maxAhead(),
        config.source().onGap());
  }

  static OffsetsInitializer start(SourceStart start) {
    return KafkaConnectors.start(start, OffsetsInitializer.earliest());
  }

  /** The sink of counts, at least once: a repeated number says the same. */
  public KafkaSink<WindowCount> counts() {
    return KafkaSink.<WindowCount>builder()
        .setKafkaProducerConfig(KafkaConnectors.orderedProducer(config))
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .setRecordSerializer(new WindowCountRecordSerializer(config.analytics().countsTopic()))
        .build();
  }
}
