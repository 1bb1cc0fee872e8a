package io.lastfix.gateway.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link RequestAuthenticator} found out about a request that may be stored.
 *
 * @param device the key of the record; null if nobody knows it, which only an unsigned route has
 * @param headers further headers of the record in Kafka, such as a signature's
 */
public record Authentication(@Nullable String device, Map<String, String> headers) {
  /** Without further headers. */
  public Authentication(@Nullable String device) {
    this(device, Map.of());
  }
}
