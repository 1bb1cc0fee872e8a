package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lastfix.analytics.counts.CountKey;
import io.lastfix.store.counts.WindowCount;
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

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      WindowCount count, KafkaSinkContext context, @Nullable Long timestampMillis) {
    return new ProducerRecord<>(
        topic, CountKey.of(count.by(), count.key()).getBytes(UTF_8), value(count));
  }

  private static byte[] value(WindowCount count) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("v", VERSION)
        .put("w", Instant.ofEpochMilli(count.windowMillis()).toString())
        .put("by", count.by().text())
        .put("k", count.key())
        .put("n", count.n())
        .put("state", count.state().text())
        .put("rev", count.rev())
        .toString()
        .getBytes(UTF_8);
  }
}
