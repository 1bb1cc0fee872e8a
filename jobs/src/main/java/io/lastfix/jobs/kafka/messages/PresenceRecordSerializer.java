package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import java.time.Instant;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes a change of presence. The key is the device. The value is JSON of version 1: {@code
 * {"v":1,"device":…,"state":"online"|"offline","since":…,"seen":…}}, times in ISO 8601, then {@code
 * class}, {@code sdk} and {@code manifest} if the device has said them. A forgotten device has no
 * value: Kafka drops its messages at the next compaction.
 */
public record PresenceRecordSerializer(String topic)
    implements KafkaRecordSerializationSchema<Presence> {
  private static final int VERSION = 1;

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      Presence presence, KafkaSinkContext context, @Nullable Long timestampMillis) {
    return new ProducerRecord<>(
        topic,
        presence.device().getBytes(UTF_8),
        presence.state() == Presence.State.FORGOTTEN ? null : value(presence));
  }

  private static byte[] value(Presence presence) {
    DeviceDescription description = presence.description();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("v", VERSION)
            .put("device", presence.device())
            .put("state", presence.state().text())
            .put("since", Instant.ofEpochMilli(presence.sinceMillis()).toString())
            .put("seen", Instant.ofEpochMilli(presence.seenMillis()).toString())
            .put("class", description.deviceClass())
            .put("sdk", description.sdk())
            .put("manifest", description.manifest());
    json.properties().removeIf(field -> field.getValue().isNull());
    return json.toString().getBytes(UTF_8);
  }
}
