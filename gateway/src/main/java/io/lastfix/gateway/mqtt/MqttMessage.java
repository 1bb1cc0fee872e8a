package io.lastfix.gateway.mqtt;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as the broker delivers it.
 *
 * @param topic on which it was published
 * @param payload the content
 * @param contentType MQTT's property; null if absent
 * @param userProperties in their order
 * @param received when it arrived here
 */
// Passed on, never compared.
@SuppressWarnings("ArrayRecordComponent")
record MqttMessage(
    String topic,
    byte[] payload,
    @Nullable String contentType,
    List<Map.Entry<String, String>> userProperties,
    Instant received) {
  static final String CONTENT_TYPE = "content-type";
  static final String CONTENT_ENCODING = "content-encoding";

  /** The first user property of a name in any case; null if there is none. */
  @Nullable String property(String name) {
    for (Map.Entry<String, String> property : userProperties) {
      if (property.getKey().equalsIgnoreCase(name)) {
        return property.getValue();
      }
    }
    return null;
  }

  /** Characters of the user properties and the content type. */
  int headLength() {
    int bytes = contentType == null ? 0 : contentType.length();
    for (Map.Entry<String, String> property : userProperties) {
      bytes += property.getKey().length() + property.getValue().length();
    }
    return bytes;
  }

  /** What a signature covers like headers: the user properties and the content type. */
  List<Map.Entry<String, String>> headers() {
    List<Map.Entry<String, String>> headers = new ArrayList<>(userProperties);
    if (contentType != null) {
      headers.add(Map.entry(CONTENT_TYPE, contentType));
    }
    return headers;
  }
}
