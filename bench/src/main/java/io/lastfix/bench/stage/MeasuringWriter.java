package io.lastfix.bench.stage;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.flink.api.connector.sink2.SinkWriter;

/**
 * One subtask of a {@link MeasuringSink}. The task's thread writes the counts; the metric
 * reporters' threads read them.
 */
final class MeasuringWriter<T> implements SinkWriter<T> {
  /** A power of two: the clock is read once per N records, so that its cost is negligible. */
  static final int RECORDS_PER_CLOCK_READING = 64;

  private final long warmUpRecords;
  private final LongSupplier clockMillis;
  private final AtomicLong records = new AtomicLong();
  private volatile long recordsAtBegin;
  private volatile long beginMillis;
  private volatile long endMillis;

  /**
   * Creates the writer.
   *
   * @param warmUpRecords before the measurement begins, 0 or more; rounded up to the next reading
   *     of the clock
   */
  MeasuringWriter(long warmUpRecords, LongSupplier clockMillis) {
    this.warmUpRecords = warmUpRecords;
    this.clockMillis = clockMillis;
  }

  @Override
  public void write(T element, Context context) {
    long count = records.getPlain() + 1;
    // Only one thread writes, so no atomic add is needed.
    records.setOpaque(count);
    if (count % RECORDS_PER_CLOCK_READING == 0) {
      readClock(count);
    }
  }

  private void readClock(long count) {
    long nowMillis = clockMillis.getAsLong();
    if (recordsAtBegin == 0 && count >= warmUpRecords) {
      recordsAtBegin = count;
      beginMillis = nowMillis;
    }
    endMillis = nowMillis;
  }

  long records() {
    return records.getOpaque();
  }

  long recordsAtBegin() {
    return recordsAtBegin;
  }

  long beginMillis() {
    return beginMillis;
  }

  long endMillis() {
    return endMillis;
  }

  @Override
  public void flush(boolean endOfInput) {
    // Nothing is buffered.
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
