package io.lastfix.rebuild;

import io.lastfix.model.LocatedRecord;
import io.lastfix.serialization.RecordTypes;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;

/**
 * Counts records in an accumulator of the job. Unlike a metric, it is readable after the job has
 * ended, and it excludes the counts of failed attempts.
 */
public final class RecordCounter extends RichMapFunction<LocatedRecord, LocatedRecord>
    implements ResultTypeQueryable<LocatedRecord> {
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
  public LocatedRecord map(LocatedRecord record) {
    records.add(1);
    return record;
  }

  @Override
  public TypeInformation<LocatedRecord> getProducedType() {
    return RecordTypes.LOCATED_RECORD;
  }
}
