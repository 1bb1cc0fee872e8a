package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.lastfix.analytics.counts.CountKey;
import io.lastfix.store.counts.WindowCount;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes a count. The key is {@code by:k}, so that a group's numbers keep their order. The value is
 * JSON of version 1: {@code {"v":1,"w":…,"by":…,"k":…,"n":…,"state":…,"rev":…}}, the time in ISO
 * 8601.
 */
public record WindowCountRecordSerializer(String topic)
    implements KafkaRecordSerializationSchema<WindowCount> {
  private static final int VERSION = 1;
  private static final JsonFactory JSON = new JsonFactory();

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      WindowCount count, KafkaSinkContext context, @Nullable Long timestampMillis) {
    return new ProducerRecord<>(
        topic, CountKey.of(count.by(), count.key()).getBytes(UTF_8), value(count));
  }

  static byte[] value(WindowCount count) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(128);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeNumberField("v", VERSION);
      json.writeStringField("w", Instant.ofEpochMilli(count.windowMillis()).toString());
      json.writeStringField("by", count.by().text());
      json.writeStringField("k", count.key());
      json.writeNumberField("n", count.n());
      json.writeStringField("state", count.state().text());
      json.writeNumberField("rev", count.rev());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return out.toByteArray();
  }
}
