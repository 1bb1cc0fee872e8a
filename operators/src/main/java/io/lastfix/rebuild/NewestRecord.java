package io.lastfix.rebuild;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.lastknown.LocatedRecordOrder;
import org.apache.flink.api.common.functions.ReduceFunction;

/** Selects, of two located records of a user, the one that Last Known Location would keep. */
public final class NewestRecord implements ReduceFunction<LocatedRecord> {
  @Override
  public LocatedRecord reduce(LocatedRecord a, LocatedRecord b) {
    return LocatedRecordOrder.INSTANCE.compare(a, b) >= 0 ? a : b;
  }
}
