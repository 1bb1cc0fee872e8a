package io.lastfix.jobs.kafka.connector;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;

/** Keeps what a source reader emits, of all its splits. */
public class EmittedRecords<T> implements ReaderOutput<T> {
  private final List<T> records = new ArrayList<>();

  /** In the order in which they were emitted. */
  public List<T> records() {
    return records;
  }

  @Override
  public void collect(T record) {
    records.add(record);
  }

  @Override
  public void collect(T record, long timestampMillis) {
    records.add(record);
  }

  @Override
  public void emitWatermark(Watermark watermark) {}

  @Override
  public void markIdle() {}

  @Override
  public void markActive() {}

  @Override
  public SourceOutput<T> createOutputForSplit(String splitId) {
    return this;
  }

  @Override
  public void releaseOutputForSplit(String splitId) {}
}
