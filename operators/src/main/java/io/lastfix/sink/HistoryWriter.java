package io.lastfix.sink;

import io.lastfix.model.LocatedRecord;
import org.apache.flink.api.connector.sink2.SinkWriter;

/** Writes records, and beside that has expired partitions dropped. */
final class HistoryWriter implements SinkWriter<LocatedRecord> {
  private final BulkSinkWriter<LocatedRecord> writer;
  private final RetentionTimer retention;

  /** Closes both. */
  HistoryWriter(BulkSinkWriter<LocatedRecord> writer, RetentionTimer retention) {
    this.writer = writer;
    this.retention = retention;
  }

  @Override
  public void write(LocatedRecord record, Context context) throws InterruptedException {
    writer.write(record, context);
  }

  @Override
  public void flush(boolean endOfInput) throws InterruptedException {
    writer.flush(endOfInput);
  }

  @Override
  public void close() {
    try {
      writer.close();
    } finally {
      retention.close();
    }
  }
}
