package io.lastfix.kit.kafka;

import java.io.IOException;

/** Kafka refused a request; the cause is the client's exception. */
public final class KafkaRequestException extends IOException {
  KafkaRequestException(Throwable cause) {
    super("Kafka: " + cause.getMessage(), cause);
  }
}
