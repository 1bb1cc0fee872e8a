package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.device.DeviceUsage;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Writes a device's usage: see {@link DeviceUsage} for key and value. */
public record UsageRecordSerializer(String topic)
    implements KafkaRecordSerializationSchema<DeviceUsage> {
  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      DeviceUsage usage, KafkaSinkContext context, @Nullable Long timestampMillis) {
    return new ProducerRecord<>(
        topic,
        usage.key().getBytes(UTF_8),
        usage.isForgotten() ? null : usage.json().getBytes(UTF_8));
  }
}
