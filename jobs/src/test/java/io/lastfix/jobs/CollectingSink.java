package io.lastfix.jobs;

import io.lastfix.sink.WriterSink;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Keeps its input. The job works on a copy of the sink, so the input is found by an id. */
public final class CollectingSink<T> implements WriterSink<T> {
  private static final ConcurrentHashMap<UUID, List<Object>> COLLECTED = new ConcurrentHashMap<>();

  private final UUID id = UUID.randomUUID();

  static void clear() {
    COLLECTED.clear();
  }

  @SuppressWarnings(
      "unchecked") // Only writers of this sink, with its T, add anything under its id.
  List<T> collected() {
    return (List<T>) COLLECTED.getOrDefault(id, List.of());
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) {
    return new SinkWriter<>() {
      @Override
      public void write(T element, Context elementContext) {
        COLLECTED.computeIfAbsent(id, absent -> new CopyOnWriteArrayList<>()).add(element);
      }

      @Override
      public void flush(boolean endOfInput) {
        // Nothing is buffered.
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }
}
