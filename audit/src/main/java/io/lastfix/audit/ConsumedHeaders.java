package io.lastfix.audit;

import io.lastfix.parse.MessageHeaders;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The sender's headers of a message that the audit has read. */
record ConsumedHeaders(Headers headers) implements MessageHeaders {
  @Override
  public byte @Nullable [] last(String name) {
    @Nullable Header header = headers.lastHeader(name);
    return header == null ? null : header.value();
  }
}
