package io.lastfix.ledger;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.SinkWriter;

/**
 * A sink's writer that says what became of its records.
 *
 * @param <T> type of the records
 */
@SuppressWarnings("try") // Flink declares that close may throw anything, InterruptedException too.
public abstract class AccountedWriter<T> implements CommittingSinkWriter<T, LedgerEntry> {
  private final LedgerAccount account = new LedgerAccount();

  /**
   * The counts since the writer's creation. After a flush without an exception they cover every
   * record that was written.
   */
  public abstract LedgerEntry counted();

  /** To Flink, the entries of the ledger are what the writer commits: see {@link AccountedSink}. */
  @Override
  public final Collection<LedgerEntry> prepareCommit() {
    return List.of(account.next(counted()));
  }

  /**
   * Returns the writer if it counts; else one around it that counts each flushed record as stored.
   */
  public static <T> AccountedWriter<T> of(SinkWriter<T> writer) {
    return writer instanceof AccountedWriter<T> accounted ? accounted : new Passed<>(writer);
  }

  /** Counts the records that it passes on. */
  private static final class Passed<T> extends AccountedWriter<T> {
    private final SinkWriter<T> writer;
    private long passed;
    private long flushed;

    Passed(SinkWriter<T> writer) {
      this.writer = writer;
    }

    @Override
    public void write(T record, Context context) throws IOException, InterruptedException {
      writer.write(record, context);
      passed++;
    }

    @Override
    public void flush(boolean endOfInput) throws IOException, InterruptedException {
      writer.flush(endOfInput);
      flushed = passed;
    }

    @Override
    public LedgerEntry counted() {
      return LedgerEntry.ofStored(flushed, 0);
    }

    @Override
    public void close() throws Exception {
      writer.close();
    }
  }
}
