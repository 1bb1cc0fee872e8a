package io.lastfix.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.device.HeartbeatMessage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link RequestAuthenticator} found out about a request that may be stored.
 *
 * @param device the key of the record; null if it is not known, which occurs on unsigned routes
 *     only
 * @param headers further headers of the record in Kafka, such as a signature's
 */
public record Authentication(@Nullable String device, Map<String, String> headers) {
  /** Without further headers. */
  public Authentication(@Nullable String device) {
    this(device, Map.of());
  }

  /** Takes the device that a request names; null if it names none. */
  public static Authentication claimed(@Nullable String device) {
    return new Authentication(device != null && isUsable(device) ? device : null);
  }

  /** Half of a surrogate pair has no UTF-8: in Kafka, all such devices would be one. */
  public static boolean isUsable(String device) {
    return !device.isEmpty()
        && device.length() <= HeartbeatMessage.MAX_DEVICE
        && UTF_8.newEncoder().canEncode(device);
  }
}
