package io.lastfix.console.health;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.model.gzip.StrictGzipInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The newest messages of the topic of rejected messages.
 *
 * @param showsContents false: neither key, nor value, nor detail, which may name a user
 */
record RejectedMessages(String topic, boolean showsContents) {
  /** In all; as many are read of each partition. */
  static final int MOST = 20;

  private static final int SHOWN_BYTES = 2_000;
  private static final int SHOWN_BINARY_BYTES = 128;

  /** Reads them, the newest first, and how many the topic has. */
  ObjectNode newest(ConsumerLag offsets, TopicReader reader) throws IOException {
    Map<TopicPartition, Range> newest = new HashMap<>();
    long kept = 0;
    for (Map.Entry<TopicPartition, Range> all : offsets.ranges(Set.of(topic)).entrySet()) {
      Range range = all.getValue();
      kept += range.offsets();
      newest.put(all.getKey(), new Range(Math.max(range.begin(), range.end() - MOST), range.end()));
    }
    ObjectNode answer =
        JsonNodeFactory.instance
            .objectNode()
            .put("topic", topic)
            .put("messages", kept)
            .put("contents", showsContents);
    List<Shown> found = new ArrayList<>();
    reader.read(newest, message -> found.add(new Shown(message.timestamp(), json(message))));
    ArrayNode shown = answer.putArray("newest");
    found.stream()
        .sorted(Comparator.comparingLong(Shown::millis).reversed())
        .limit(MOST)
        .forEach(it -> shown.add(it.json()));
    return answer;
  }

  private record Shown(long millis, ObjectNode json) {}

  /** Another program may write there, so each header may be absent. */
  ObjectNode json(ConsumerRecord<byte @Nullable [], byte @Nullable []> message) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("at", Instant.ofEpochMilli(message.timestamp()).toString())
            .put("reason", header(message, "reason"))
            .put("topic", header(message, "topic"))
            .put("partition", header(message, "partition"))
            .put("offset", header(message, "offset"))
            .put("stage", header(message, "stage"))
            .put("records", header(message, "records"))
            .put("omittedBytes", header(message, "omitted"));
    if (showsContents) {
      byte[] key = message.key();
      node.put("detail", header(message, "detail"))
          .put("key", key == null ? null : new String(key, 0, Math.min(key.length, 256), UTF_8));
      byte[] value = message.value();
      if (value != null) {
        node.put("bytes", value.length);
        addText(node, value);
      }
    }
    node.properties().removeIf(field -> field.getValue().isNull());
    return node;
  }

  private static @Nullable String header(ConsumerRecord<?, ?> message, String name) {
    Header header = message.headers().lastHeader(name);
    return header == null || header.value() == null ? null : new String(header.value(), UTF_8);
  }

  /** The beginning of a value as text, also of a gzipped one; else as hexadecimal digits. */
  private static void addText(ObjectNode node, byte[] value) {
    byte[] plain = value;
    boolean isGzip = false;
    if (value.length > 2 && value[0] == 0x1f && value[1] == (byte) 0x8b) {
      // A few bytes more than are shown, so that one sees that there is more.
      try (StrictGzipInputStream in =
          new StrictGzipInputStream(new ByteArrayInputStream(value), SHOWN_BYTES)) {
        plain = in.readNBytes(SHOWN_BYTES + 1);
        isGzip = true;
      } catch (IOException e) {
        // What is no gzip after all is shown as it is.
      }
    }
    String text = text(plain);
    if (text != null) {
      node.put("form", isGzip ? "gzip" : "text")
          .put("text", text)
          .put("cut", plain.length > SHOWN_BYTES);
    } else {
      node.put("form", "binary")
          .put(
              "text",
              HexFormat.of().formatHex(value, 0, Math.min(value.length, SHOWN_BINARY_BYTES)))
          .put("cut", value.length > SHOWN_BINARY_BYTES);
    }
  }

  /** The beginning of UTF-8 text; null if it is none. */
  private static @Nullable String text(byte[] bytes) {
    int end = Math.min(bytes.length, SHOWN_BYTES);
    if (end < bytes.length) {
      // Not within a character.
      while (end > 0 && (bytes[end] & 0xc0) == 0x80) {
        end--;
      }
    }
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, end)).toString();
      return text.chars().anyMatch(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t')
          ? null
          : text;
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
