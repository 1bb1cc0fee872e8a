package io.lastfix.rebuild;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/**
 * Counts records in an accumulator of the job. Unlike a metric, it is readable after the job has
 * ended, and it excludes the counts of failed attempts.
 *
 * @param <T> the records
 */
public final class RecordCounter<T> extends RichMapFunction<T, T> {
  private final String accumulator;
  private final LongCounter records = new LongCounter();

  /** Counts under that accumulator name. */
  public RecordCounter(String accumulator) {
    this.accumulator = accumulator;
  }

  @Override
  public void open(OpenContext context) {
    getRuntimeContext().addAccumulator(accumulator, records);
  }

  @Override
  public T map(T record) {
    records.add(1);
    return record;
  }
}
