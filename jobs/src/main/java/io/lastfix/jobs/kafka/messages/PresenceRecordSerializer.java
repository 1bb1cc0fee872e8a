package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
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
  private static final JsonFactory JSON = new JsonFactory();

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      Presence presence, KafkaSinkContext context, @Nullable Long timestampMillis) {
    return new ProducerRecord<>(
        topic,
        presence.device().getBytes(UTF_8),
        presence.state() == Presence.State.FORGOTTEN ? null : value(presence));
  }

  static byte[] value(Presence presence) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeNumberField("v", VERSION);
      json.writeStringField("device", presence.device());
      json.writeStringField("state", presence.state().text());
      json.writeStringField("since", Instant.ofEpochMilli(presence.sinceMillis()).toString());
      json.writeStringField("seen", Instant.ofEpochMilli(presence.seenMillis()).toString());
      DeviceDescription description = presence.description();
      writeIfSaid(json, "class", description.deviceClass());
      writeIfSaid(json, "sdk", description.sdk());
      writeIfSaid(json, "manifest", description.manifest());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return out.toByteArray();
  }

  private static void writeIfSaid(JsonGenerator json, String name, @Nullable String value)
      throws IOException {
    if (value != null) {
      json.writeStringField(name, value);
    }
  }
}
