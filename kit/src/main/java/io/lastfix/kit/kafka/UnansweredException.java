package io.lastfix.kit.kafka;

/**
 * Kafka did not answer a request. It has no cause: a client's timeout adds no information, and
 * callers report the deepest cause.
 */
public final class UnansweredException extends IllegalStateException {
  UnansweredException(String request, String bootstrapServers) {
    super(
        "Kafka at %s does not answer the request to %s: check kafka.bootstrap-servers and that the broker runs; if it requires TLS or SASL, check kafka.properties.security.protocol"
            .formatted(bootstrapServers, request));
  }
}
