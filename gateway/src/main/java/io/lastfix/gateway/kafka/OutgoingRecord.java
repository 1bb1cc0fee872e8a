package io.lastfix.gateway.kafka;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record for Kafka.
 *
 * @param topic its topic
 * @param key the device; null if it is not known
 * @param value the body, unchanged; not copied
 * @param headers by name
 * @param partition of the topic; null: by the key
 */
// Passed on, never compared.
@SuppressWarnings("ArrayRecordComponent")
public record OutgoingRecord(
    String topic,
    @Nullable String key,
    byte[] value,
    Map<String, String> headers,
    @Nullable Integer partition) {
  /** A record whose key decides about its partition. */
  public OutgoingRecord(
      String topic, @Nullable String key, byte[] value, Map<String, String> headers) {
    this(topic, key, value, headers, null);
  }
}
