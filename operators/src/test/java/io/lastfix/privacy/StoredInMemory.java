package io.lastfix.privacy;

import io.lastfix.model.LocatedRecord;
import io.lastfix.sink.WriterSink;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.jspecify.annotations.Nullable;

/** A sink and its only writer, which keeps what it receives. */
final class StoredInMemory implements WriterSink<LocatedRecord>, SinkWriter<LocatedRecord> {
  final ArrayList<LocatedRecord> records = new ArrayList<>();
  int flushes;
  boolean isClosed;
  @Nullable Error failsToOpenWith;

  List<LocatedRecord> records() {
    return List.copyOf(records);
  }

  @Override
  public SinkWriter<LocatedRecord> createWriter(WriterInitContext context) {
    if (failsToOpenWith != null) {
      throw failsToOpenWith;
    }
    return this;
  }

  @Override
  public void write(LocatedRecord record, Context context) {
    records.add(record);
  }

  @Override
  public void flush(boolean endOfInput) {
    flushes++;
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
