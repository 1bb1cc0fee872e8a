package io.lastfix.rebuild;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;

/**
 * Counts records in an accumulator of the job. Unlike a metric, it is readable after the job has
 * ended, and it excludes the counts of failed attempts.
 *
 * @param <T> the records
 */
public final class RecordCounter<T> extends RichMapFunction<T, T>
    implements ResultTypeQueryable<T> {
  private final String accumulator;
  private final TypeInformation<T> type;
  private final LongCounter records = new LongCounter();

  /**
   * Counts under that accumulator name.
   *
   * @param type the type of the records
   */
  public RecordCounter(String accumulator, TypeInformation<T> type) {
    this.accumulator = accumulator;
    this.type = type;
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

  @Override
  public TypeInformation<T> getProducedType() {
    return type;
  }
}
