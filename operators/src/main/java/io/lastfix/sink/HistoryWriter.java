package io.lastfix.sink;

import io.lastfix.ledger.AccountedWriter;
import io.lastfix.ledger.LedgerEntry;
import io.lastfix.model.LocatedRecord;
import org.jspecify.annotations.Nullable;

/** Writes records while background tasks run: see {@link HistorySink}. */
final class HistoryWriter implements AccountedWriter<LocatedRecord> {
  private final BulkSinkWriter<LocatedRecord> writer;
  private final @Nullable RetentionTimer retention;
  private final @Nullable ViewRefresher view;

  /** Creates a writer that closes all three. */
  HistoryWriter(
      BulkSinkWriter<LocatedRecord> writer,
      @Nullable RetentionTimer retention,
      @Nullable ViewRefresher view) {
    this.writer = writer;
    this.retention = retention;
    this.view = view;
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
  public LedgerEntry counted() {
    return writer.counted();
  }

  @Override
  public void close() {
    try (view;
        retention) {
      writer.close();
    }
  }
}
