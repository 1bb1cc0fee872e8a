package io.lastfix.sink;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;

/**
 * A sink whose writers are created by {@link #createWriter(
 * org.apache.flink.api.connector.sink2.WriterInitContext)}. Flink 1.20 calls no other method, but
 * the deprecated one is still abstract.
 *
 * @param <T> type of the elements
 */
public interface WriterSink<T> extends Sink<T> {
  @Override
  @Deprecated
  default SinkWriter<T> createWriter(InitContext context) {
    throw new UnsupportedOperationException("Flink 1.20 calls createWriter(WriterInitContext)");
  }
}
