package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.messages.WindowCountRecordSerializer;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.counts.WindowCount;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;

/** The analytics job's connectors to Kafka: a source and a sink. */
public final class AnalyticsConnectors {
  /** Follows the name of the location job's consumer group. */
  private static final String GROUP_SUFFIX = "-analytics";

  private final LocationJobConfig config;
  private final KafkaOptions kafka;

  /** Configures the connectors. */
  public AnalyticsConnectors(LocationJobConfig config) {
    this.config = config;
    this.kafka = config.kafka();
  }

  /** Returns the job's consumer group. */
  public static String groupId(KafkaOptions kafka) {
    return kafka.groupId() + GROUP_SUFFIX;
  }

  /**
   * The located records, for a job without a savepoint from the beginning of the topic: its numbers
   * are a function of all that the topic holds. The source emits watermarks.
   */
  public Source<LocatedRecord, ?, ?> located(String topic) {
    return new LocatedSource(
        kafka,
        topic,
        groupId(kafka),
        config.analytics().outOfOrderness(),
        config.parse().timestampLimits().maxAhead(),
        config.source().onGap());
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
