package io.lastfix.jobs.kafka;

import io.lastfix.model.SenderHeaders;
import io.lastfix.parse.HeaderList;
import io.lastfix.parse.MessageHeaders;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A view of a Kafka message's headers. Nothing is copied, because only rejected messages need more
 * than two or three of them.
 */
final class KafkaHeaders implements MessageHeaders {
  private final transient Headers headers;

  private KafkaHeaders(Headers headers) {
    this.headers = headers;
  }

  /** Returns the sender's headers; none if the message came through no gateway. */
  static MessageHeaders of(Headers headers) {
    return headers.lastHeader(SenderHeaders.AUTH) == null
        ? HeaderList.NONE
        : new KafkaHeaders(headers);
  }

  @Override
  public byte @Nullable [] last(String name) {
    @Nullable Header header = headers.lastHeader(name);
    return header == null ? null : header.value();
  }

  /** Java's serialization writes a copy. */
  private Object writeReplace() {
    return HeaderList.of(this);
  }
}
