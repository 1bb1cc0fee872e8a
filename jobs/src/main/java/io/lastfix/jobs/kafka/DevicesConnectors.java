package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.messages.PresenceRecordSerializer;
import io.lastfix.jobs.kafka.messages.UsageRecordSerializer;
import io.lastfix.model.device.DeviceUsage;
import io.lastfix.model.device.Presence;
import io.lastfix.parse.RawMessage;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;

/** The devices job's connectors to Kafka: a source and two sinks. */
public final class DevicesConnectors {
  private final LocationJobConfig config;
  private final KafkaOptions kafka;

  /** Configures the connectors. */
  public DevicesConnectors(LocationJobConfig config) {
    this.config = config;
    this.kafka = config.kafka();
  }

  /**
   * The signs of life and ticks, for a job without a savepoint from the beginning of the topic:
   * presence is a function of all that it holds. While Kafka is away the source waits.
   *
   * @param groupId consumer group that commits
   */
  public Source<RawMessage, ?, ?> heartbeats(String groupId) {
    return new QuietTopicCommitSource<>(
        KafkaSource.<RawMessage>builder()
            .setProperties(KafkaConnectors.sourceProperties(kafka))
            .setGroupId(groupId)
            .setTopics(config.devices().heartbeatsTopic())
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setDeserializer(new RawMessageDeserializer())
            .build());
  }

  /** The sink of changes, at least once: a repeated change says the same. */
  public KafkaSink<Presence> presence() {
    return sink(new PresenceRecordSerializer(config.devices().presenceTopic()));
  }

  /** The sink of usage, at least once: it is a sum, not a difference. */
  public KafkaSink<DeviceUsage> usage() {
    return sink(new UsageRecordSerializer(config.devices().usageTopic()));
  }

  private <T> KafkaSink<T> sink(KafkaRecordSerializationSchema<T> serializer) {
    return KafkaSink.<T>builder()
        .setKafkaProducerConfig(KafkaConnectors.orderedProducer(config))
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .setRecordSerializer(serializer)
        .build();
  }
}
