package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.device.DeviceUsage;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Writes a device's usage: see {@link DeviceUsage} for key and value. */
public final class UsageRecordSerializer implements KafkaRecordSerializationSchema<DeviceUsage> {
  private static final long serialVersionUID = 1;

  private final String topic;

  /** Serializes for that topic. */
  public UsageRecordSerializer(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      DeviceUsage usage, KafkaSinkContext context, @Nullable Long timestampMillis) {
    return new ProducerRecord<>(
        topic,
        usage.key().getBytes(UTF_8),
        usage.isForgotten() ? null : usage.json().getBytes(UTF_8));
  }
}
