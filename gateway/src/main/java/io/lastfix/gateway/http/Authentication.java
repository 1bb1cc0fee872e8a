package io.lastfix.gateway.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a {@link RequestAuthenticator} found. */
public sealed interface Authentication {
  /**
   * The request may be stored.
   *
   * @param device the key of the record; null if nobody knows it, which only an unsigned route has
   * @param headers further headers of the record in Kafka, such as a signature's
   */
  record Accepted(@Nullable String device, Map<String, String> headers) implements Authentication {
    /** Without further headers. */
    public Accepted(@Nullable String device) {
      this(device, Map.of());
    }
  }

  /** The request may not be stored. */
  record Refused(Problem problem) implements Authentication {}
}
